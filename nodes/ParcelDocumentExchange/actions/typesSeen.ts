import { documentTypeKey } from '../../../service/model/documentType';
import { shownText, type DocumentEntry } from '../../../service/model/set';

/** The types of documents that the sets of a run have, known once every input item has had a look at its set. */
export class TypesSeen {
	private readonly seen = new Map<string, string>();
	private readonly toLook: Set<number>;
	private tell = () => {};
	private readonly told = new Promise<void>((resolve) => (this.tell = resolve));

	constructor(itemCount: number) {
		this.toLook = new Set(Array.from({ length: itemCount }, (_, itemIndex) => itemIndex));
	}

	/** Nothing more comes from that item. */
	looked(itemIndex: number): void {
		this.toLook.delete(itemIndex);
		if (this.toLook.size === 0) this.tell();
	}

	saw(documents: readonly DocumentEntry[]): void {
		for (const { docType } of documents) {
			const key = documentTypeKey(docType);
			if (!this.seen.has(key)) this.seen.set(key, shownText(docType) ?? '');
		}
	}

	/** Those of the chosen types that no set of the run has, and the types there are. Waits for the other items only if it must. */
	async missing(
		chosen: readonly string[],
		signal: AbortSignal,
	): Promise<{ missing: string[]; known: string[] }> {
		const missing = () => chosen.filter((type) => !this.seen.has(documentTypeKey(type)));
		if (missing().length > 0 && !signal.aborted) {
			await Promise.race([
				this.told,
				new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
			]);
		}
		// What has no type cannot be chosen.
		return { missing: missing(), known: [...this.seen.values()].filter((type) => type !== '') };
	}
}
