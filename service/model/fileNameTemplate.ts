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

/** What a template names in braces. */
export type Placeholder = keyof FileNameFacts;

/** All of them, in the order in which a person is told of them. */
export const PLACEHOLDERS: readonly Placeholder[] = [
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

/** Characters of a value that are looked at: it may begin with blanks. */
const MOST_LOOKED_AT = 1_000;

/**
 * @param known what a placeholder can stand for here
 * @throws ServiceError `invalidInput` for a placeholder that does not exist, or cannot be known
 */
export function checkTemplate(template: string, known: readonly Placeholder[]): void {
	for (const [whole, inside = ''] of template.matchAll(PLACEHOLDER)) placeholderIn(whole, inside, known);
}

/**
 * The template with its placeholders filled in; not yet a safe file name. A value that is missing takes one separator
 * beside it along, so that no name begins or ends with a bare `_`; one that is a file name itself loses its `.pdf`.
 *
 * @param facts those that can be known at all; one that is left out is no placeholder here
 * @throws ServiceError `invalidInput` for a placeholder that does not exist, or cannot be known
 */
export function fillTemplate(template: string, facts: Partial<FileNameFacts>): string {
	const known = PLACEHOLDERS.filter((placeholder) => facts[placeholder] !== undefined);
	const filled = template
		.replace(PLACEHOLDER, (whole, inside: string) => {
			const { placeholder, length } = placeholderIn(whole, inside, known);
			const value = withoutExtension(
				(facts[placeholder] ?? '').slice(0, MOST_LOOKED_AT).replaceAll(NOTHING, ''),
			);
			return [...value].slice(0, length).join('') || NOTHING;
		})
		.replace(/\0[_\- ]?/g, '');
	return withoutLooseEnd(filled);
}

function placeholderIn(
	whole: string,
	inside: string,
	known: readonly Placeholder[],
): { placeholder: Placeholder; length: number } {
	const [, length, named] = FIRST.exec(inside.trim()) ?? [undefined, undefined, inside.trim()];
	const placeholder = PLACEHOLDERS.find((name) => name.toLowerCase() === named?.toLowerCase());
	if (!placeholder || !known.includes(placeholder))
		throw unusablePlaceholder(whole, known, placeholder !== undefined);
	return { placeholder, length: Math.min(Number(length ?? LONGEST_VALUE), LONGEST_VALUE) };
}

const EXTENSION = '.pdf';

/** `Invoice.pdf` is called `Invoice`: the name of the file gets its extension at its end. */
function withoutExtension(value: string): string {
	let stem = value.trim();
	while (endsInPdf(stem)) stem = stem.slice(0, -EXTENSION.length).trimEnd();
	return stem;
}

/** The separators at the end, where a value is missing behind them. */
function withoutLooseEnd(name: string): string {
	const extension = endsInPdf(name) ? name.slice(-EXTENSION.length) : '';
	let end = name.length - extension.length;
	while (end > 0 && '_- '.includes(name.charAt(end - 1))) end--;
	return name.slice(0, end) + extension;
}

function endsInPdf(text: string): boolean {
	return text.slice(-EXTENSION.length).toLowerCase() === EXTENSION;
}

function unusablePlaceholder(whole: string, known: readonly Placeholder[], exists: boolean): ServiceError {
	const shown = whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
	return new ServiceError(
		'invalidInput',
		exists
			? `The file name uses ${shown}, which is not known from the IDs alone`
			: `The file name uses ${shown}, which does not exist`,
		{
			remedy: `Use these: ${known.map((placeholder) => `{${placeholder}}`).join(' ')}, or the beginning of one, for example {first 8 of documentId}.`,
		},
	);
}
