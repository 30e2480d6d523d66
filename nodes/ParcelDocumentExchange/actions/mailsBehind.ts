import type { INode } from 'n8n-workflow';
import {
	ASKING,
	givesFiles,
	isLoop,
	KEEPING,
	OURS,
	quoted,
	type Items,
	type Step,
	type Steps,
} from '../parameters/stepKinds';
import { gaveEachSet, type Given } from '../parameters/stepsInFront';
import { attaching, filing, messaging } from '../parameters/attaching';
import { mostSets } from '../parameters/eachSet';
import { attachedWrong, attachingNothing, haveList, takenByName } from './attachedWrong';
import {
	anyWay,
	behindOf,
	between,
	inFrontOf,
	isWired,
	leadsTo,
	loopsAround,
	mostTaken,
	ownStep,
	parentsOf,
	type Around,
} from '../parameters/ways';
import { asksForPapers } from '../parameters/failuresSent';
import { answeringWithOne, endingWithOne, leftOver, tooFew } from '../parameters/leftOver';
import { inputsWithoutPapers } from './filesLost';
import { isOfMatched, matchesOthers, mixed, takenFromOne } from '../parameters/mixedBehind';
import { replacedFiles } from './replacedFiles';
import { endingLoop } from '../parameters/endingLoop';
import { searchesForAnybody } from './searchesForAnybody';

/** Steps that start a run, write fields, or give rows: what comes from them has no files. */
const WITHOUT_FILES =
	/(Trigger|\.webhook|\.set|\.splitOut|\.aggregate|\.googleSheets|\.microsoftExcel|\.airtable|\.dataTable|\.postgres|\.mySql)$/;

const MERGE = /\.merge$/;

/**
 * Of the mails behind a step that gives files, those that would leave without them, with a part of them, or with those of
 * another parcel, in words; so of what is sent by a chat; of the drives, those that would file them as those of another. By how the workflow is built, so
 * that whoever builds it sees it before a parcel comes to which it happens.
 *
 * @param given what the steps in front gave in this run
 */
export function mailsBehind(context: Around, items: Items, given: readonly Given[] = []): string[] {
	const own = context.getNode();
	const behind = behindOf(context);
	const steps = behind.filter(({ disabled, name }) => !disabled && name !== own.name);
	const mails = attaching(steps);
	const drives = filing(steps);
	const messages = messaging(steps);
	const inFront = inFrontOf(context, own.name);
	const isEachPaper = !haveList(items) && (own.parameters.operation === 'getAllPdfs' || items.length > 1);
	const wayTo = (last: Step) => between(context, steps, last);
	const whole = isEachPaper || haveList(items);
	const around = [
		...new Map([...inFront, ownStep(context), ...behind].map((step) => [step.name, step])).values(),
	];
	const loops = around.filter((step) => isLoop(step) && !step.disabled);
	const fedSeveral = (loop: Step) =>
		mostSets(inFrontOf(context, loop.name)) > 1 ||
		[...given, { name: own.name, items }].some(
			({ name, items: gave }) =>
				gave.length > 1 && leadsTo(context, name, loop.name) && !leadsTo(context, loop.name, name),
		);
	const told = [
		...leftOverInFront(context, inFront, given),
		...loops.filter(fedSeveral).flatMap((loop) => endingLoop(context, loop, around)),
		...attachingNothing(steps, items),
		...(whole ? answeringWithOne(inFront, steps) : []),
		...(isEachPaper && !isOfOneType(own) ? endingWithOne(steps) : []),
		...takenByName(
			steps.filter((step) => !mails.includes(step) && !OURS.test(step.type)),
			{ items, wayTo },
		),
	];
	if (mails.length + drives.length + messages.length === 0) return told;
	const sets = Math.max(setsIn(items), mostSets(inFront));
	const several = sets > 1;
	const { looped, alone } = loopsAround(context, own.name, inFront, behind);
	const ofSets = [own, ...inFront.filter(({ type }) => OURS.test(type)), ...given.filter(gaveEachSet)].map(
		({ name }) => name,
	);
	const inside = new Set([own.name, ...behind.map(({ name }) => name)]);
	/** Whether, past the papers, something of each set comes to a Merge: not rows that are known by what sets have alike, such as the vessel. */
	const isOfEach = (merge: Step) =>
		anyWay(context, merge, (step) => {
			if (inside.has(step.name) || isOfMatched(context, step, merge) || mostTaken(context, step) === 1)
				return false;
			return ofSets.includes(step.name) || undefined;
		});
	const mayMix = (step: Step) => !matchesOthers(step) || (inside.has(step.name) && isOfEach(step));
	const merged = inFront.filter((step) => MERGE.test(step.type) && !step.disabled && !alone.has(step.name));
	const mixedAt = (last: Step, kind: 'mail' | 'drive') =>
		several && !looped.has(last.name) ? mixed(last, [...merged, ...wayTo(last)].filter(mayMix), kind) : [];
	const ofMail = (mail: Step) => [
		...attachedWrong(mail, { own, way: wayTo(mail), items, given }),
		...mixedAt(mail, 'mail'),
		...leavingEmpty(context, own, mail, wayTo(mail), behind),
	];
	const leading = new Set([...mails, ...drives, ...messages].flatMap((last) => [...wayTo(last), last]));
	return [
		...told,
		...mails.flatMap(ofMail),
		...drives.flatMap((drive) => mixedAt(drive, 'drive')),
		...messages.flatMap((message) => mixedAt(message, 'mail')),
		...[...leading].flatMap((step) =>
			leftOver(context, step, { isEachPaper, sets: alone.has(step.name) ? 1 : sets }),
		),
		...replacedFiles(own, drives, isEachPaper, wayTo),
		...searchesForAnybody(context, inFront, steps),
		...(several ? takenFromOne(steps, new Set(ofSets), alone) : []),
	];
}

/** Steps between a trigger of several events and this one that let some of the sets go, which then get no papers. */
function leftOverInFront(context: Around, inFront: Steps, given: readonly Given[]): string[] {
	const ofSets = new Set(given.filter(({ setIds }) => setIds.size > 0).map(({ name }) => name));
	const gotBy = ({ name }: Step) =>
		Math.max(...given.map((one) => (leadsTo(context, one.name, name) ? one.setIds.size : 0)));
	const own = ownStep(context);
	const { alone } = loopsAround(context, own.name, inFront, behindOf(context));
	const several = new Set(given.filter(({ setIds }) => setIds.size > 1).map(({ name }) => name));
	// What is read once may be merged with what came past it.
	const isPassed = ({ name }: Step) =>
		name !== own.name &&
		anyWay(context, own, (one) => (one.name === name ? false : several.has(one.name) || undefined));
	const few = [...inFront, own]
		.filter((step) => !step.disabled && gotBy(step) > 1 && !alone.has(step.name) && !isPassed(step))
		.flatMap((step) => tooFew(context, step, Math.max(gotBy(step), mostSets(inFrontOf(context, step.name)))));
	const leaving = inFront
		.filter(({ name, type, disabled }) => LEAVING.test(type) && !disabled && ofSets.has(name))
		.filter(({ name, parameters }) => {
			const triggers = inFrontOf(context, name).filter(({ type }) => /Trigger$/.test(type));
			return mostSets(triggers) > (Number(parameters?.maxItems ?? 1) || 1);
		})
		.flatMap((step) => leftOver(context, step, { isEachPaper: false, sets: Infinity }));
	return [...few, ...leaving];
}

const LEAVING = /\.(limit|removeDuplicates)$/;

/** Whether one kind of document was chosen, of which a set mostly has one. */
const isOfOneType = ({ parameters }: INode) =>
	Array.isArray(parameters.documentTypes) && parameters.documentTypes.length === 1;

const setsIn = (items: Items) => new Set(items.map(({ json }) => json.setId)).size;

/** Ways by which an item without papers comes to a mail. */
function leavingEmpty(context: Around, own: INode, mail: Step, way: Steps, behind: Steps): string[] {
	const isAsked = way.some(asksForPapers);
	const sends = `${quoted(mail)} would send a mail without papers`;
	const told: string[] = [];
	if (!isAsked && (own.onError === 'continueRegularOutput' || own.continueOnFail === true)) {
		told.push(
			`On Error of this step is Continue: for what fails, ${sends}. Choose Stop Workflow, or put an If between that looks for the field error.`,
		);
	}
	if (own.onError === 'continueErrorOutput' && reaches(context, own.name, isFailures, mail, behind)) {
		told.push(
			`The error output of this step leads to ${quoted(mail)}: for what fails, ${sends}. Lead it to a step of its own.`,
		);
	}
	if (!isAsked && own.alwaysOutputData === true) {
		told.push(
			`Always Output Data is on in the settings of this step: where it finds no document, ${sends}. Switch it off.`,
		);
	}
	for (const compare of way.filter(isComparing)) {
		if (!reaches(context, compare.name, (output) => output > 1, mail, behind)) continue;
		told.push(
			`${quoted(compare)} gives no files by its outputs Different and In B Only: for what comes from there, ${sends}. Lead them elsewhere, or choose Use Input A Version there.`,
		);
	}
	const inside = new Set([own.name, ...behind.map(({ name }) => name)]);
	const isBare = (step: Step) =>
		KEEPING.test(step.type) || WITHOUT_FILES.test(step.type) || (OURS.test(step.type) && !givesFiles(step));
	const bringsNone = (step: Step) =>
		!inside.has(step.name) && [step, ...inFrontOf(context, step.name)].every(isBare);
	for (const step of parentsOf(context, mail.name).filter(bringsNone)) {
		told.push(
			`${quoted(step)} leads to ${quoted(mail)} past this step: for what comes from there, ${sends}. Give it a mail of its own.`,
		);
	}
	for (const merge of way.filter(({ type }) => MERGE.test(type))) {
		const names = inputsWithoutPapers(context, merge, inside);
		for (const step of parentsOf(context, merge.name).filter(bringsNone)) {
			if (!names.includes(step.name)) continue;
			told.push(
				`${quoted(merge)} hands on what ${quoted(step)} gives as it is: for that, ${sends}. Combine by Matching Fields there, by setId, with Keep Matches as the output type.`,
			);
		}
	}
	return told;
}

/** Of two outputs, the second is that of failures. */
const isFailures = (output: number) => output === 1;

const isComparing = ({ type, parameters }: Step) =>
	/\.compareDatasets$/.test(type) && parameters?.resolve !== 'preferInput1';

/** Whether what a step gives by such an output comes to a mail, and no If stands between. */
function reaches(
	context: Around,
	from: string,
	isOutput: (index: number) => boolean,
	mail: Step,
	behind: Steps,
): boolean {
	return behind
		.filter((step) => isWired(context, from, isOutput, step))
		.some(
			(first) =>
				first.name === mail.name || (!ASKING.test(first.type) && leadsTo(context, first.name, mail.name)),
		);
}
