import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { sending } from '../parameters/attaching';
import type { OfOwnRun } from '../parameters/came';
import { saidOfField } from '../parameters/eachSet';
import { addressOf } from '../parameters/addressOf';
import { OURS, type Step } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { askedByName, taken, type Built } from '../parameters/taken';
import { isExpression, textsIn, wordsIn } from '../parameters/values';
import { behindOf, parentsOf, type Around } from '../parameters/ways';
import { comesBlind, type Blind } from './rowsBeside';

/** Where papers go: the address of a mail, a folder, a chat, as n8n will work it out behind. */

/** Signs of an address, of a folder or of a chat; fewer stand in any row. */
export const FEWEST = 3;

interface Written {
	text: string;
	/** What of a paper comes to it, as far as that is known. */
	comes?: (paper: IDataObject, place: number) => IDataObject[];
	/** Whether rows are among that, which came past the papers. */
	isOfRows: boolean;
}

/** What tells where papers go by what steps in front gave: alone, or in what Edit Fields behind them wrote for it. */
export function addressesIn(
	context: Around & OfOwnRun,
	given: readonly StepOfRun[],
	blind: readonly Blind[],
): Written[] {
	const own = context.getNode().name;
	const on = behindOf(context).filter(({ disabled }) => !disabled);
	const textsOfStep = (step: Step, built: readonly Built[]): Written[] => {
		const isNext = parentsOf(context, step.name).every(({ name }) => name === own);
		const ofRows = comesBlind(context, blind, step);
		const comes = isNext ? (paper: IDataObject) => [paper] : ofRows;
		return built
			.flatMap(({ parameters }) => textsIn(parameters))
			.map((text) => ({
				text,
				comes: OF_ITS_PLACE.test(text) ? comes : undefined,
				isOfRows: ofRows !== undefined,
			}));
	};
	const edits = on.filter(({ type }) => /\.set$/.test(type));
	const sent = sending(on).flatMap((mail) => textsOfStep(mail, [addressOf(mail)]));
	const written = sent
		.flatMap(({ text }) => taken(text))
		.flatMap(({ step, field }) =>
			edits
				.filter(({ name }) => (step ?? name) === name)
				.flatMap((edit) => textsOfStep(edit, saidOfField(edit, field))),
		);
	return [...sent, ...written].filter(({ text, comes, isOfRows }) => {
		const names = new Set(askedByName({ type: '', parameters: [text] }, ''));
		const steps = given.filter(({ name }) => names.has(name));
		// What a set says, such as its vessel in the path of a folder, is no row's.
		const isOfTable = steps.length === names.size && steps.some(({ type }) => !OURS.test(type));
		const isOfItsPlace = OF_ITS_PLACE.test(comes ? inItsPlace(text, {}, 0) : text);
		return isExpression(text) && (names.size === 0 ? isOfRows : isOfTable) && !isOfItsPlace;
	});
}

/** What n8n works out anew behind the papers. */
const OF_ITS_PLACE = /\$(?:json|input|binary|node|itemIndex|runIndex)\b/;

/** What is written into the step behind, as it reads for one of the papers; in signs that end no expression. */
export function inItsPlace(text: string, paper: IDataObject, place: number): string {
	const json = `JSON.parse(decodeURIComponent("${encodeURIComponent(JSON.stringify(paper))}"))`;
	return text
		.replaceAll(/\$json\b|\$input\s*\.\s*item\s*\.\s*json\b/g, () => json)
		.replaceAll(/\$itemIndex\b/g, String(place));
}

/** The addresses that an expression comes to; of a folder, or a chat, what is looked for in its place. */
export function workedOut(
	context: Pick<IExecuteFunctions, 'evaluateExpression'>,
	text: string,
	index: number,
	lookedFor: (value: string) => string[],
): string[] {
	try {
		return wordsIn(context.evaluateExpression(text.slice(1), index))
			.flatMap((value) => value.match(/[^\s,;<>]+@[^\s,;<>]+/g) ?? lookedFor(value.trim()))
			.filter(({ length }) => length >= FEWEST);
	} catch {
		// n8n knows of no item that it came from.
		return [];
	}
}
