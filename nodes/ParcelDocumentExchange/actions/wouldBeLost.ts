import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { attaching, filing, isMail } from '../parameters/attaching';
import { passesEach } from '../parameters/eachSet';
import { noPapers, papersLost } from '../parameters/noPapers';
import { behindOf, comesOnlyFrom, inFrontOf, leadsTo, ownStep, type Around } from '../parameters/ways';
import { ASKING, KEEPING, OURS, quoted, type Items, type Step } from '../parameters/stepKinds';
import { taken } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import { unattachedBehind } from '../parameters/unattached';
import { isReplacing } from './replacedFiles';

type Context = Around & Pick<IExecuteFunctions, 'getMode'>;

/**
 * Where the papers came, and what stands behind would lose them for certain: a mail would leave without them, or one file
 * would replace another. Not while a person builds the workflow, who is told so beside the output.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseLost(context: Context, items: Items): void {
	if (context.getMode() === 'manual' || !items.some(({ binary }) => binary)) return;
	const [sent] = sentWithout(context);
	const [filed] = sent === undefined ? filedOverEachOther(context, items) : [];
	const told = sent ?? filed;
	if (told === undefined) return;
	throw new ServiceError(
		'invalidInput',
		filed === undefined
			? 'The papers came, and a mail behind would leave without them'
			: 'The papers came, and one file would replace another',
		{ remedy: `Nothing was handed on. ${told}` },
	);
}

/** Behind a trigger of ours, whoever publishes is told; what n8n starts by itself goes on as it did. */
function sentWithout(context: Context): string[] {
	const own = ownStep(context);
	if (inFrontOf(context, own.name).some((step) => OURS.test(step.type) && /Trigger$/.test(step.type)))
		return [];
	const mails = attaching(behindOf(context)).filter(isMail);
	return [...noPapers(context, mails), ...papersLost(context, mails), ...unattachedBehind(context, own)];
}

/** What else tells one from another. */
const MAY_DIFFER = /\$|\b(Date|DateTime|Math|crypto|append)\b/;

function filedOverEachOther(context: Context, items: Items): string[] {
	const { name } = context.getNode();
	const papers = items.filter(({ binary }) => binary).map(({ json }) => json);
	const behind = behindOf(context);
	const placeOf = (step: string): Place => {
		if (step === name) return 'paper';
		if (behind.some((one) => one.name === step && handsOn(one))) return 'paper';
		return leadsTo(context, step, name) ? 'inFront' : undefined;
	};
	const handsOn = (step: Step) =>
		passesEach(step) && KEEPING.test(step.type) && !ASKING.test(step.type) && !CHANGING.test(step.type);
	return filing(behind)
		.filter((drive) => isReplacing(drive) && comesOnlyFrom(context, drive.name, name, handsOn))
		.filter((drive) => namesAlike(drive, papers, placeOf))
		.map(
			(drive) =>
				`${quoted(drive)} gives several PDFs of a set one name: each replaces the one before. Drag the field fileName into the name there.`,
		);
}

const CHANGING = /\.(renameKeys|removeDuplicates|splitInBatches|crypto|textClassifier)$/;

/** Told no name, drives take that of the file; not the newer step of S3. */
const takesNameOfFile = ({ type, typeVersion, parameters }: Step) =>
	parameters?.fileName === '' && !(/\.awsS3$/.test(type) && typeVersion >= 2);

/** Where a step gives an item for each paper, or the same one for all papers of a set. */
type Place = 'paper' | 'inFront' | undefined;

function namesAlike(drive: Step, papers: readonly IDataObject[], placeOf: (step: string) => Place): boolean {
	const { parameters = {} } = drive;
	if (takesNameOfFile(drive) || JSON.stringify(parameters).includes('"append":true')) return false;
	const fields: string[] = [];
	let rest = textsIn(parameters).join('\n');
	for (const { step, which, field, text } of taken(rest)) {
		const place = step === undefined ? 'paper' : placeOf(step);
		if (place === undefined || which === 'place') return false;
		if (place === 'paper' && which === 'linked') fields.push(field);
		rest = rest.replace(text, '');
	}
	if (MAY_DIFFER.test(rest)) return false;
	const names = papers.map((paper) => JSON.stringify([paper.setId, ...fields.map((field) => paper[field])]));
	return new Set(names).size < names.length;
}
