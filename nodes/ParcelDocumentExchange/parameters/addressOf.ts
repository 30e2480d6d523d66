import { saidOfField } from './eachSet';
import type { Step } from './stepKinds';
import { taken, takenIn } from './taken';
import { isObject, plainText, textsIn } from './values';

/** What tells where a mail goes, or into which folder papers are put. */
const ADDRESS = /^(?:to|cc|bcc|sendTo)|recipient|chatId|channel|folder|^(?:parentId|container|bucketName)$/i;

/** What names a file together with the folders that it is put into: `/customers/{{ … }}/{{ $json.fileName }}`. */
const PATH = /^(?:path|fileName|objectName|blob(?:Name|Create))$/;

/** Where a server takes a folder alone, as it calls the file by its own name; or an address, of which each part may say whose it is. */
const isFolder = (type: string, name: string) =>
	(/\.ssh$/.test(type) && name === 'path') || (/\.httpRequest$/.test(type) && name === 'url');

const FILE = 'fileName';

export function addressOf({ type, parameters = {} }: Step) {
	const options = isObject(parameters.options) ? parameters.options : {};
	const more = isObject(parameters.additionalFields) ? parameters.additionalFields : {};
	const fields = Object.entries({ ...parameters, ...options, ...more }).flatMap(([name, value]) => {
		if (isFolder(type, name))
			return [[name, foldersOf(`${plainText(value)}/`).filter((text) => !text.includes(FILE))]];
		if (PATH.test(name)) return [[name, foldersOf(plainText(value))]];
		return ADDRESS.test(name) ? [[name, value]] : [];
	});
	return { type, parameters: Object.fromEntries(fields) as Step['parameters'] };
}

/**
 * What stands for folders in a path, as expressions: what a slash follows, or another expression at once, as where the folder
 * ends in one; and what gives the whole path, as a step between may have written it.
 */
function foldersOf(path: string): string[] {
	const parts = partsOf(path);
	const end = parts.findLastIndex((part, place) => place % 2 === 0 && part.includes('/'));
	const isAll = parts.length === 3 && /^=?\s*$/.test(parts[0]!) && parts[2]!.trim() === '';
	return parts.flatMap((part, place) => {
		if (place % 2 === 0) return [];
		const isGlued = place + 2 < parts.length && parts[place + 1] === '';
		if (place < end || isGlued) return [`=${part}`];
		const inside = taken(part.slice(0, lastSlashIn(part))).filter(({ field }) => field !== FILE);
		if (inside.length === 0 && isAll && !part.includes(FILE)) return [`=${part}`];
		return inside.map(({ text }) => `={{ ${text} }}`);
	});
}

/** Of Edit Fields, what it writes into the fields by which a drive goes; of a whole path, the folders. */
export function foldersWritten(edit: Step, drive: Step): Step {
	const said = takenIn(drive)
		.filter((one) => (one.step ?? edit.name) === edit.name)
		.flatMap(({ field }) => saidOfField(edit, field).flatMap(({ parameters }) => textsIn(parameters)));
	const folders = said.flatMap((text) => (text.includes(FILE) ? foldersOf(text) : [text]));
	return { ...edit, parameters: { folders } };
}

/** What stands in a text, and at each second place an expression. */
function partsOf(text: string): string[] {
	// Behind the end of the last one there is none: looked for from each beginning, that would take ever longer.
	const closed = text.lastIndexOf('}}') + 2;
	const parts = text.slice(0, closed).split(/(\{\{.*?\}\})/s);
	parts.push(`${parts.pop()}${text.slice(closed)}`);
	return parts;
}

/** What stands in quotation marks, or a sign that a backslash takes its meaning from: it begins none. */
const QUOTED = /\\.|(["'`])(?:(?!\1)[^\\]|\\.)*\1/gs;

/** What takes slashes out of a text. */
const TAKES_OUT = /\.\s*(?:replace(?:All)?|split)\s*\(\s*$/;

/** Where the last slash stands that an expression itself writes into a path; 0 where it writes none. */
function lastSlashIn(expression: string): number {
	const places = [...expression.matchAll(QUOTED)].flatMap(({ 0: text, 1: mark, index }) => {
		const slash = mark === undefined ? -1 : text.lastIndexOf('/');
		const isTakenOut = TAKES_OUT.test(expression.slice(Math.max(0, index - 20), index));
		return slash < 0 || isTakenOut ? [] : [index + slash];
	});
	return Math.max(0, ...places);
}
