import type { IDataObject } from 'n8n-workflow';
import { FileNames } from '../../../service/model/fileName';
import { idKey } from '../../../service/model/set';
import { EXTENSION } from './download';
import type { Items } from '../parameters/stepKinds';

/**
 * Makes the names of a run's files differ from each other. In the order in which the files come out: which of them came
 * in first is chance, and a name must not be.
 */
export function nameFiles(items: Items, hint: (message: string) => void): void {
	const names = new FileNames();
	for (const { json, binary } of items) {
		for (const [field, file] of Object.entries(binary ?? {})) {
			const facts = factsOf(json, field);
			file.fileName = names.claim(file.fileName ?? `document${EXTENSION}`, EXTENSION);
			facts.fileName = file.fileName;
			if (facts.complete === false)
				hint(`${file.fileName} has no end-of-file mark: it may be cut. Open it before you send it on.`);
		}
	}
}

/** Where an item says what its file is: with several files in one item, under `files`. */
function factsOf(json: IDataObject, field: string): IDataObject {
	const files = Array.isArray(json.files) ? (json.files as IDataObject[]) : [];
	return files.find(({ binaryField }) => binaryField === field) ?? json;
}

const MOST_SHOWN = 100;

/**
 * What to know of files that are the same though they are of different documents: a service, or a gateway that keeps
 * answers, may have sent the paper of another document, or of another set.
 */
export function sameFiles(items: Items): string[] {
	const first = new Map<unknown, IDataObject>();
	const told = new Map<unknown, string>();
	for (const file of items.filter(({ binary }) => binary).flatMap(({ json }) => filesOf(json))) {
		const { sha256 } = file;
		const other = first.get(sha256);
		if (other === undefined) first.set(sha256, file);
		else if (!told.has(sha256) && !isOneDocument(other, file)) told.set(sha256, sentence(other, file));
	}
	return [...told.values()];
}

/** Several in one item stand under `files`. */
function filesOf(json: IDataObject): IDataObject[] {
	const files = Array.isArray(json.files) ? (json.files as IDataObject[]) : [json];
	return files.filter(({ sha256 }) => typeof sha256 === 'string');
}

/** Asked for by several items. */
function isOneDocument(one: IDataObject, other: IDataObject): boolean {
	const [a, b] = [one, other].map(({ documentId }) => idKey(String(documentId)));
	return a === b;
}

function sentence(one: IDataObject, other: IDataObject): string {
	const [a, b] = [one, other].map(({ name, documentId, setId }) => ({
		name: `"${String(name ?? documentId).slice(0, MOST_SHOWN)}"`,
		set: `set ${String(setId)}`,
	})) as [Named, Named];
	const both =
		idKey(a.set) === idKey(b.set)
			? `${a.name} and ${b.name} of ${a.set}`
			: `${a.name} of ${a.set} and ${b.name} of ${b.set}`;
	return `${both} are the same file, byte for byte. Open them before you send them on.`;
}

interface Named {
	name: string;
	set: string;
}
