import type { INode } from 'n8n-workflow';
import { quoted, type Step, type Steps } from '../parameters/stepKinds';
import { isExpression, textsIn } from '../parameters/values';

/** Drives where a file of the same name replaces the one before, and how they name the field with the name. */
const REPLACING =
	/\.(readWriteFile|writeBinaryFile|s3|awsS3|googleCloudStorage|microsoftSharePoint|microsoftOneDrive|dropbox|nextCloud|ftp|azureStorage|box)$/;
const NAMES = ['fileName', 'path', 'remotePath', 'objectName', 'blobCreate', 'blobName', 'name'];

/** Whether what it puts there replaces a file of that name. */
export const isReplacing = ({ type }: { type: string }): boolean => REPLACING.test(type);

const OF_PAPER = /\b(fileName|documentId|sha256)\b|\$binary|\$itemIndex|\$runIndex|\$now|\$today/;
const OF_SET = /\b(parcelRef|shipmentRef|setId|documentId|parcelReference|sha256|transactionId)\b|\$now/;
const FIELD = /\$json\b/;

/**
 * Drives where one paper would replace another, in words: that of the same set, or that of the next parcel under the same
 * name.
 *
 * @param wayTo the steps between the one that gives the files and a drive
 */
export function replacedFiles(
	own: INode,
	drives: Steps,
	isEachPaper: boolean,
	wayTo: (step: Step) => Steps,
): string[] {
	return drives.flatMap((drive) => {
		if (!isReplacing(drive)) return [];
		if (!isEachPaper) return packedAlike(drive, wayTo(drive));
		const names = namesOf(drive);
		const isOfItem = names.some((text) => FIELD.test(text));
		// A field that a step between writes is whatever stands there.
		const between = isOfItem ? wayTo(drive).flatMap(({ parameters }) => textsIn(parameters)) : [];
		const texts = [...names, ...between];
		if (names.length > 0 && !texts.some((text) => OF_PAPER.test(text))) {
			return [
				`${quoted(drive)} gives several PDFs one name: each replaces the one before. Drag the field fileName into the name there.`,
			];
		}
		const folders = textsIn(drive.parameters);
		if (isNamedByParcel(own) || [...texts, ...folders].some((text) => OF_SET.test(text))) return [];
		return [
			`The File Name of this step says nothing of the parcel, and neither does ${quoted(drive)}: the papers of the next parcel would replace those of this one. Put {parcelRef} into File Name.`,
		];
	});
}

const namesOf = ({ parameters }: Step) =>
	NAMES.flatMap((name) => textsIn(parameters?.[name])).filter((text) => text.trim() !== '');

/** A file that was packed of all papers of a set, and is called the same for each set, wherever it is put. */
function packedAlike(drive: Step, way: Steps): string[] {
	const packing = way.filter(({ type }) => /\.compression$/.test(type));
	if (packing.length === 0) return [];
	const isNamed = namesOf(drive).length > 0;
	// Without a name of its own, a drive takes that of the archive.
	const ofArchive = isNamed ? [] : packing.flatMap(({ parameters }) => textsIn(parameters?.fileName));
	return [...textsIn(drive.parameters), ...ofArchive].some(isExpression)
		? []
		: [
				`${quoted(drive)} gives the packed papers of each parcel one name: those of the next would replace those of this one. Drag parcelRef into the name there.`,
			];
}

function isNamedByParcel({ parameters }: INode): boolean {
	const { fileName } = (parameters.options ?? {}) as { fileName?: unknown };
	if (typeof fileName !== 'string' || fileName.trim() === '') return true;
	return isExpression(fileName) || OF_SET.test(fileName);
}
