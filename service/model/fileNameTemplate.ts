import { ServiceError } from '../errors';
import { shownStatus, shownText, type DocumentEntry, type SetResult } from './set';

/** What a file name can be made of: null where the service has nothing. */
export interface FileNameFacts {
	setId: string | null;
	documentId: string | null;
	parcelRef: string | null;
	shipmentRef: string | null;
	docType: string | null;
	name: string | null;
	status: string | null;
	billOfLadingDate: string | null;
	vesselName: string | null;
}

/** The facts of one document of a set. */
export function fileNameFacts(set: SetResult, document: DocumentEntry): FileNameFacts {
	return {
		setId: set.setId,
		documentId: document.documentId,
		parcelRef: shownText(set.parcelRef),
		shipmentRef: shownText(set.shipmentRef),
		docType: shownText(document.docType),
		name: shownText(document.name),
		status: shownStatus(set),
		billOfLadingDate: shownText(set.billOfLadingDate),
		vesselName: shownText(set.vesselName),
	};
}

export const PLACEHOLDERS: ReadonlyArray<keyof FileNameFacts> = [
	'setId',
	'documentId',
	'parcelRef',
	'shipmentRef',
	'docType',
	'name',
	'status',
	'billOfLadingDate',
	'vesselName',
];

/** `{name}`, or the beginning of one: `{first 8 of documentId}`. */
const PLACEHOLDER = /\{([^{}]*)\}/g;
const FIRST = /^first\s+(\d{1,3})\s+of\s+(\S+)$/i;

/** Stands for a value that is missing until the separator beside it has gone with it. */
const NOTHING = '\u0000';

/** One long value may not push the others out of the name. */
const LONGEST_VALUE = 80;

/**
 * The template with its placeholders filled in; not yet a safe file name. A value that is missing takes one separator
 * beside it along, so that no name begins or ends with a bare `_`.
 *
 * @param facts those that can be known at all; one that is left out is no placeholder here
 * @throws ServiceError `invalidInput` for a placeholder that does not exist, or cannot be known
 */
export function fillTemplate(template: string, facts: Partial<FileNameFacts>): string {
	return template
		.replace(PLACEHOLDER, (whole, inside: string) => {
			const [, length, named] = FIRST.exec(inside.trim()) ?? [undefined, undefined, inside.trim()];
			const placeholder = PLACEHOLDERS.find((known) => known.toLowerCase() === named?.toLowerCase());
			const fact = placeholder && facts[placeholder];
			if (fact === undefined) throw unusablePlaceholder(whole, facts, placeholder !== undefined);
			const value = (fact ?? '').trim().replaceAll(NOTHING, '');
			const kept = Math.min(Number(length ?? LONGEST_VALUE), LONGEST_VALUE);
			return [...value].slice(0, kept).join('') || NOTHING;
		})
		.replace(/\0[_\- ]?/g, '')
		.replace(/[_\- ]+(\.pdf)?$/i, '$1');
}

function unusablePlaceholder(whole: string, facts: Partial<FileNameFacts>, exists: boolean): ServiceError {
	const known = PLACEHOLDERS.filter((placeholder) => placeholder in facts);
	return new ServiceError(
		'invalidInput',
		exists
			? `The file name uses ${whole}, which is not known from the IDs alone`
			: `The file name uses ${whole}, which does not exist`,
		{
			remedy: `Use these: ${known.map((placeholder) => `{${placeholder}}`).join(' ')}, or the beginning of one, for example {first 8 of documentId}.`,
		},
	);
}
