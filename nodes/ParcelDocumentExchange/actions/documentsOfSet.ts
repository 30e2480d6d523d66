import { ServiceError } from '../../../service/errors';
import { fileNameKey, withIdBehind } from '../../../service/model/fileName';
import { fileNameFacts } from '../../../service/model/fileNameTemplate';
import { folded } from '../../../service/model/folded';
import {
	idKey,
	shownStatus,
	shownText,
	type DocumentEntry,
	type SetResult,
} from '../../../service/model/set';
import { EXTENSION, fileNameOf } from './download';
import { secondsText } from './patience';

const MOST_NAMED = 5;

/**
 * The file names of a set's documents, the same in every run. Documents that would share a name carry the
 * beginning of their id, so that it does not depend on their order which of them is called how; all of it where ids begin
 * alike, as those do that are made of the time.
 */
export function fileNamesOf(
	template: string,
	set: SetResult,
	documents: readonly DocumentEntry[],
): ReadonlyMap<DocumentEntry, string> {
	const plain = documents.map((document) => fileNameOf(template, fileNameFacts(set, document)));
	const withId = (length?: number) => (place: number) =>
		withIdBehind(plain[place] ?? '', documents[place]?.documentId ?? '', EXTENSION, length);
	const names = whereShared(whereShared(plain, withId()), withId(Infinity));
	return new Map(documents.map((document, place) => [document, names[place] ?? '']));
}

/** The names, those that are given more than once in another form. */
function whereShared(names: readonly string[], other: (place: number) => string): string[] {
	const keys = names.map(fileNameKey);
	const times = new Map<string, number>();
	for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
	return names.map((name, place) => (times.get(keys[place] ?? '') === 1 ? name : other(place)));
}

/** A document that stands twice in a set, its id in capitals or not, is one file. */
export function eachOnce(documents: readonly DocumentEntry[]): ReadonlyMap<unknown, DocumentEntry> {
	const once = new Map<unknown, DocumentEntry>();
	for (const document of documents) {
		const key = documentKey(document);
		if (!once.has(key)) once.set(key, document);
	}
	return once;
}

/** What tells documents apart; one without an ID is like no other. */
export const documentKey = (document: DocumentEntry): unknown =>
	document.documentId === null ? document : idKey(document.documentId);

/** Of documents that stand in the set under other names too: there may be another paper behind each, and there is one ID. */
export function severalNames(
	listed: readonly DocumentEntry[],
	once: ReadonlyMap<unknown, DocumentEntry>,
): readonly string[] {
	const calledAs = (entry: DocumentEntry) =>
		[entry.name, entry.docType].map((text) => folded(shownText(text) ?? '')).join('\n');
	const others = new Map<DocumentEntry, DocumentEntry>();
	for (const entry of listed) {
		const first = once.get(documentKey(entry)) ?? entry;
		if (first !== entry && calledAs(first) !== calledAs(entry)) others.set(first, entry);
	}
	return [...others]
		.slice(0, MOST_NAMED)
		.map(
			([first, other]) =>
				`${nameOf(first)} and ${nameOf(other)} have one ID, ${first.documentId ?? ''}: they came as one file. Ask the service whether a paper is missing.`,
		);
}

const nameOf = ({ name, docType }: DocumentEntry) =>
	JSON.stringify([name, docType].map(shownText).filter(Boolean).join(', ').slice(0, 100));

/** What has no type is none of the chosen ones, and may be of one of them all the same. */
export function withoutType(setId: string, untyped: readonly DocumentEntry[]): string {
	const names = untyped.slice(0, MOST_NAMED).map(nameOf).join(', ');
	return `Set ${setId} has documents without a type, ${untyped.length} of them left out, since types are chosen: ${names}.`;
}

/** In place of the documents of a set that has none. */
export function noDocuments(setId: string, waitMs: number): ServiceError {
	const waited = waitMs > 0 ? `, also not after waiting ${secondsText(waitMs)}` : '';
	return new ServiceError('notFound', `The search shows no document of set ${setId}${waited}`, {
		remedy:
			'The set may have no documents yet: raise Wait Up To in the options, or start from a later status such as SIGNED.',
	});
}

/** What is worth knowing of a set beside each of its documents: a folder is named after it, and a mail. */
export function factsOfSet(set: SetResult) {
	return {
		parcelRef: shownText(set.parcelRef),
		shipmentRef: shownText(set.shipmentRef),
		status: shownStatus(set),
		vesselName: shownText(set.vesselName),
		billOfLadingDate: shownText(set.billOfLadingDate),
	};
}
