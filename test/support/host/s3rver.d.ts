declare module '@20minutes/s3rver' {
	/** As far as it is used here; the package brings no types. */
	export default class S3rver {
		constructor(options: {
			address: string;
			/** 0: a free one. */
			port: number;
			silent: boolean;
			directory: string;
			configureBuckets: { name: string }[];
		});
		run(): Promise<{ port: number }>;
		close(): Promise<void>;
	}
}
