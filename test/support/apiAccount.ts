import type { Readable } from 'node:stream';
import type { Account } from '../../service/api/account';
import { openClient, type Client, type Surroundings } from '../../service/api/client';
import { ServiceError } from '../../service/errors';
import { startFakeService, type FakeService, type FakeServiceOptions } from './fakeService';
import { steppedClock, type SteppedClock } from './steppedClock';

/** Its user name and password hold what careless code breaks on. */
export function apiAccount(baseUrl: string, changes: Partial<Account> = {}): Account {
	return {
		baseUrl,
		loginStyle: 'basic',
		username: 'jörg.desk',
		password: 'Quay 7: Göteborg',
		ignoreSslIssues: false,
		caCertificate: '',
		...changes,
	};
}

export const SET = '22222222-2222-4222-8222-222222222222';
export const DOCUMENT = '44444444-4444-4444-8444-444444444444';

/** A PDF of so many bytes in all; the same number gives the same bytes. */
export function pdfBytes(bytes: number, seed = 1): Buffer {
	const body = Buffer.alloc(bytes);
	let state = seed;
	for (let index = 0; index < bytes; index++) {
		state = (Math.imul(state, 1103515245) + 12345) >>> 0;
		body[index] = state >>> 16;
	}
	body.write('%PDF-1.7\n', 0, 'latin1');
	body.write('\n%%EOF\n', bytes - 7, 'latin1');
	return body;
}

export async function readAll(body: Buffer | Readable): Promise<Buffer> {
	// Its memory is used again afterwards.
	if (Buffer.isBuffer(body)) return Buffer.from(body);
	const pieces: Buffer[] = [];
	for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
	return Buffer.concat(pieces);
}

/** The error of something that must fail. */
export async function errorOf(work: Promise<unknown>): Promise<ServiceError> {
	const outcome = await work.then(
		(value) => new Error(`did not fail, but gave ${JSON.stringify(value)?.slice(0, 200)}`),
		(error: unknown) => error,
	);
	if (!(outcome instanceof ServiceError)) throw outcome;
	// Whatever it is of, a person is told what happened, and what to do: but for who has stopped it.
	expect(outcome.message).toMatch(/\S/);
	if (outcome.code !== 'cancelled') expect(outcome.remedy).toMatch(/\w.*\.$/s);
	return outcome;
}

export interface Bench {
	service: FakeService;
	client: Client;
	clock: SteppedClock;
	/** Every log line. */
	lines: string[];
	/** Another client of the same process: its connections and tokens are shared. */
	open(changes?: Partial<Account>, surroundings?: Partial<Surroundings>): Client;
}

const toClose: FakeService[] = [];

/** A fake service and a client of it, both gone after the test. */
export async function startBench(
	options: FakeServiceOptions = {},
	surroundings: Partial<Surroundings> = {},
	account: Partial<Account> = {},
): Promise<Bench> {
	const service = await startFakeService(options);
	toClose.push(service);
	const clock = steppedClock();
	const lines: string[] = [];
	const log = (message: string, meta?: object) => void lines.push(message + JSON.stringify(meta ?? ''));
	const logger = { debug: log, info: log, warn: log, error: log };
	const open: Bench['open'] = (changes = {}, more = {}) =>
		openClient(apiAccount(service.baseUrl, { ...account, ...changes }), {
			logger,
			clock,
			timeoutMs: 2_000,
			...surroundings,
			...more,
		});
	return { service, client: open(), clock, lines, open };
}

afterEach(async () => {
	await Promise.all(toClose.splice(0).map((service) => service.close()));
});
