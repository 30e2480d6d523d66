import { addressOf, foldersWritten } from './addressOf';
import { attaching, filing, messaging } from './attaching';
import {
	comesAlike,
	givesAlike,
	mostSets,
	namesOfEach,
	namesOfEachAround,
	passesEach,
	saidOfField,
} from './eachSet';
import { tooFew } from './leftOver';
import {
	allForEach,
	firstForOthers,
	isByPosition,
	isOfAll,
	isOfMatched,
	matchesOthers,
	mayBeMoved,
	mixed,
	mixes,
	oneForOthers,
	placeForOthers,
	saidInFront,
	type OfEach,
} from './mixedBehind';
import {
	anyWay,
	behindOf,
	comesBy,
	comesOnlyFrom,
	givingBehind,
	inFrontOf,
	leadsTo,
	loopsAround,
	mostTaken,
	parentsOf,
	waysInto,
	type Around,
	type InFront,
	type Passes,
} from './ways';
import { asked } from './questions';
import { pickedEntries, plainText, textsIn } from './values';
import { ASKING, builtOf, isCode, joinsFiles, OURS, TABLE, type Step, type Steps } from './stepKinds';
import {
	codeIn,
	filesOfOne,
	inItsTurn,
	taken,
	takenIn,
	takenOfAll,
	takenOfOne,
	writtenOfAll,
	type Built,
} from './taken';

/** Of an event, what one may say for others: a mail that says it is no other parcel's. */
export const SAME = /^(status|action|instance|updatedAt|isSample|seenBy)$/;

type Sets = Pick<OfEach, 'names' | 'isSame'> & {
	/** How many come in one run, or may. */
	count: number;
	/** Whether papers of different sets, which have come, say the same in all of these fields. */
	isShared?(fields: readonly string[]): boolean;
};

/**
 * Mails behind that send the papers of one set as those of another, or those of the first alone, whenever several sets come
 * in one run, and several may: in words. What is not so for certain is told beside the output.
 */
export function othersPapers(context: Around): string[] {
	return givingBehind(context).flatMap((giving) => {
		const inFront = inFrontOf(context, giving.name);
		const names = namesOfEach(context, [giving, ...inFront]);
		if (!names.has(giving.name)) return [];
		const isSame = (field: string) =>
			SAME.test(field) || (field === 'customerId' && isOfOneCustomer(inFront));
		return othersPapersBehind(context, giving, {
			names,
			count: mostSets(inFront),
			isSame: (name, field, to) => {
				const step = inFront.find((one) => one.name === name);
				if (step) return givesAlike(context, step, field, isSame);
				return isSame(field) || (name === undefined && comesAlike(context, to, field, isSame));
			},
		});
	});
}

/** The same behind one step that gives files. */
export function othersPapersBehind(context: Around, giving: Step, sets: Sets): string[] {
	const inFront = inFrontOf(context, giving.name);
	const behind = behindOf(context, giving.name).filter(
		({ disabled, name }) => !disabled && name !== giving.name,
	);
	const { looped, alone } = loopsAround(context, giving.name, inFront, behind);
	/** A table may stand beside, and lead to nothing. */
	const beside = inFront
		.filter(({ name }) => parentsOf(context, name).length === 0)
		.flatMap(({ name }) => behindOf(context, name));
	const around = [...new Map([...behind, ...beside].map((one) => [one.name, one])).values()].filter(
		({ name }) => name !== giving.name && !inFront.some((one) => one.name === name),
	);
	const names = new Set([
		...sets.names,
		...namesOfEachAround(context, new Set([...sets.names, giving.name]), around),
	]);
	const isSame: Sets['isSame'] = (name, field, to) => {
		const step = around.find((one) => one.name === name);
		if (!step) return sets.isSame(name, field, to);
		return givesAlike(context, step, field, (own) => sets.isSame(giving.name, own, to));
	};
	/** What a file is called may name the first of all; in whose folder it is, no other's. */
	const filedForOthers = filing(behind).flatMap((drive) => {
		const mail = { ...drive, ...addressOf(drive) };
		const edits = behind.filter(
			(step) => /\.set$/.test(step.type) && leadsTo(context, step.name, drive.name),
		);
		const steps = [...edits.map((step) => foldersWritten(step, mail)), mail];
		return [
			...saidForOthers(context, { giving, mail, steps }, { names, isSame, alone, count: sets.count }),
			...saidInFront(context, inFront, steps, { names, isSame, alone }),
		];
	});
	const mailed = [...attaching(behind), ...messaging(behind)].flatMap((mail) => {
		const way = behind.filter(({ name }) => name !== mail.name && leadsTo(context, name, mail.name));
		const steps = [...way, mail].filter(({ name }) => !looped.has(mail.name) || looped.has(name));
		return [
			...saidForOthers(context, { giving, mail, steps }, { names, isSame, alone, count: sets.count }),
			...saidInFront(context, inFront, steps, { names, isSame, alone }),
			...saidInFront(context, besideOf(context, giving, mail), steps, { names, isSame, alone }, true),
			...toAllInFront(inFront, mail, { names, isSame, alone }),
			...(looped.has(mail.name)
				? []
				: crossMerged(context, { giving, mail, steps: behind }, { ...sets, alone })),
		];
	});
	return [...mailed, ...filedForOthers];
}

/** Steps that lead to a mail past the papers, such as those of addresses that a Merge brings to them. */
const besideOf = (context: InFront, giving: Step, mail: Step): Step[] =>
	inFrontOf(context, mail.name).filter(
		({ name }) => !leadsTo(context, giving.name, name) && !leadsTo(context, name, giving.name),
	);

/** Steps behind one that gives the papers of several sets, up to a mail. */
interface Way {
	giving: Step;
	mail: Step;
	steps: Steps;
}

/**
 * Steps that an item of each set comes to: one takes the first alone, or goes for all by what one of them says.
 *
 * @param alone the names of those that get one after the other
 */
function saidForOthers(
	context: Around,
	{ giving, mail, steps }: Way,
	{ names, isSame, alone, count }: OfEach & Sets,
): string[] {
	const getsEach = (step: Step) =>
		comesOnlyFrom(context, step.name, giving.name, passesEach) ||
		waysInto(context, step).every(({ name }) => names.has(name));
	if (getsEach(mail)) {
		const few = steps.flatMap((step) => (alone.has(step.name) ? [] : tooFew(context, step, count)));
		if (few.length > 0) return few;
	}
	const isMoved = (name: string, step: Step) =>
		(givesEachPaper(giving) && leadsTo(context, name, giving.name)) || mayBeMoved(context, name, step);
	const inTurn = steps.map((step) => (alone.has(step.name) ? inItsTurn(step) : step));
	return inTurn.flatMap((step) => {
		const isAlone = alone.has(step.name);
		const isOfOthers = (name: string) => names.has(name) && !(isAlone && alone.has(name));
		const saidOf = (part: Built) => {
			const others = takenOfOne(part).filter((one) => !isSame(one.step, one.field, step));
			return { others, named: others.find((one) => one.step !== undefined && isOfOthers(one.step))?.step };
		};
		const comes = (passes: Passes) => comesBy(context, step, giving.name, passes);
		const { others, named = filesOfOne(step).find(isOfOthers) } = saidOf(
			ASKING.test(step.type) ? asked(step) : step,
		);
		if (named !== undefined && comes(mayPassEach)) return [oneForOthers(step, named)];
		const everybody = saidOfAddress(step, mail, step.name).find(
			(all) =>
				(all.step === undefined ? !isAlone : isOfOthers(all.step)) &&
				!saysAlike(all, (one) => isSame(all.step, one, step)),
		);
		if (everybody && getsEach(step)) return [allForEach(step, everybody.step)];
		const placed = takenIn(step).filter((one) => one.which === 'place' && !isSame(one.step, one.field, step));
		if (isAlone) {
			// There is one place: outside the loop, the first stands there in each turn.
			const first = placed.find(({ step: name = '' }) => isOfOthers(name))?.step;
			return first !== undefined && comes(mayPassEach) ? [oneForOthers(step, first)] : [];
		}
		const moved = placed.find(({ step: name = '' }) => names.has(name) && isMoved(name, step))?.step;
		if (moved !== undefined && getsEach(step)) return [placeForOthers(step, moved)];
		const isFirst = others.some((one) => one.step === undefined) || handsFirstOn(step);
		if (isFirst && getsEach(step)) return [firstForOthers(step)];
		// One mail for all is meant, unless it goes to whoever is to get the papers of one.
		if (named === undefined || step !== mail || saidOf(addressOf(mail)).named === undefined) return [];
		if (!comes((one) => mayPassEach(one) || mayJoin(one))) return [];
		const joining = inFrontOf(context, step.name).filter(
			(one) => joinsFiles(one) && leadsTo(context, giving.name, one.name),
		);
		const told = mixed(mail, joining, 'mail');
		return told.length > 0 ? told : [oneForOthers(step, named)];
	});
}

/** Code that gives what the first item says together with files of others, or its files together with what others say. */
const handsFirstOn = (step: Step) =>
	filesOfOne(step).includes('') ||
	(isCode(step) &&
		codeIn(step).some((code) => /(?:\.\.\.|\bjson\s*:)\s*\$input\.first\(\)\.json\s*[,}\n]/.test(code)));

/** Code that says something for each item, and hands each on. */
const FOR_EACH = /"runOnceForEachItem"|\.map\(|\breturn\s+(?:\$input\.all\(\)|items)\s*(?:;|\\n|")/;

/** Steps that hand on an item for each that comes, as far as anybody can tell. */
const mayPassEach = (step: Step) =>
	passesEach(step) ||
	/\.(merge|dateTime|compression|readWriteFile)$/.test(step.type) ||
	(isCode(step) && FOR_EACH.test(builtOf(step)));

/** Steps that may put the files of all items into one. */
const mayJoin = (step: Step) => joinsFiles(step) || isCode(step);

/** Steps in front of the papers by which, behind them, a mail goes for each set to what all say. */
function toAllInFront(inFront: Steps, mail: Step, { names, isSame, alone }: OfEach): string[] {
	return inFront.flatMap((step) => {
		if (step.disabled || !names.has(step.name) || alone.has(step.name)) return [];
		const everybody = saidOfAddress(step, mail).find(
			(all) =>
				(all.step === undefined || names.has(all.step)) &&
				!saysAlike(all, (field) => isSame(all.step, field, step)),
		);
		return everybody ? [allForEach(step, everybody.step)] : [];
	});
}

type OfAll = ReturnType<typeof takenOfAll>[number];

const saysAlike = ({ fields }: OfAll, isAlike: (field: string) => boolean) =>
	fields.length > 0 && fields.every(isAlike);

/**
 * What a step says of all for that by which a mail goes: in its address, or in what Edit Fields or Code writes for it.
 *
 * @param coming the step of which a field is that the mail takes of what comes to it; none of those in front of the papers
 */
function saidOfAddress(step: Step, mail: Step, coming?: string): OfAll[] {
	const address = addressOf(mail);
	if (step === mail) return takenOfAll(address);
	const fields = takenIn(address).filter((one) => (one.step ?? coming) === step.name);
	if (isCode(step)) return fields.flatMap(({ field }) => writtenOfAll(step, field));
	if (!/\.set$/.test(step.type)) return [];
	return fields.flatMap(({ field }) => saidOfField(step, field)).flatMap(takenOfAll);
}

/** Tables that are asked for the rows of each item that comes. */
const asksByEach = (step: Step) => TABLE.test(step.type) && goesByEach(step);

/** Steps that give something for each item that comes, by what it says: a text, or an answer. */
const saysOfEach = (step: Step) =>
	/\.(agent|chainLlm|openAi|html|markdown|httpRequest)$/.test(step.type) && goesByEach(step);

const goesByEach = ({ parameters }: Step) =>
	textsIn(parameters).some((text) =>
		taken(text).some(({ which, field }) => which === 'linked' && !SAME.test(field)),
	);

/** Merges of papers with an item for each set: of all with all, or with all that are alike; by position, where a set has several papers. */
function crossMerged(
	context: Around,
	{ giving, mail, steps: behind }: Way,
	sets: Sets & Pick<OfEach, 'alone'>,
): string[] {
	const inside = new Set([giving.name, ...behind.map(({ name }) => name)]);
	const comesOn = (step: Step) => !ASKING.test(step.type) && passesEach(step);
	const mayGiveEach = (step: Step) =>
		(passesEach(step) || saysOfEach(step)) && mostTaken(context, step) !== 1;
	const isOfEach = (step: Step, merge: Step) => {
		if (inside.has(step.name) || isOfMatched(context, step, merge)) return false;
		if (!OURS.test(step.type) && mayGiveEach(step)) return undefined;
		return sets.names.has(step.name) || namesOfEach(context, [step]).has(step.name);
	};
	/** Whether what comes by two ways from the papers themselves meets: an item for each set by both. */
	const isCrossed = (merge: Step) => {
		const bringsEach = (step: Step) => {
			if (step.name === giving.name) return true;
			const isRowsOfEach = asksByEach(step) && mostTaken(context, step) !== 1;
			return mayGiveEach(step) || isRowsOfEach ? undefined : false;
		};
		const inputs = context.getConnections?.({ name: merge.name }, 'main') ?? [];
		const ofEach = inputs.filter((wires) =>
			wires?.some(({ node }) => {
				const first = behind.find(({ name }) => name === node);
				return node === giving.name || (first && (bringsEach(first) ?? anyWay(context, first, bringsEach)));
			}),
		);
		return ofEach.length > 1;
	};
	return behind
		.filter(({ type, name }) => /\.merge$/.test(type) && !sets.alone.has(name))
		.filter((merge) => {
			const mixesSets = isOfAll(merge) || matchesOthers(merge, sets.isShared);
			if (!mixesSets && !(givesEachPaper(giving) && isByPosition(merge))) return false;
			if (!comesOnlyFrom(context, mail.name, merge.name, comesOn)) return false;
			return anyWay(context, merge, (step) => isOfEach(step, merge)) || (isOfAll(merge) && isCrossed(merge));
		})
		.map((merge) => mixes(merge, mail, 'mail'));
}

/** Whether it gives an item for each paper, whatever its type. */
const givesEachPaper = ({ parameters = {} }: Step) =>
	parameters.operation === 'getAllPdfs' &&
	parameters.onePerSet !== true &&
	typeof parameters.onePerSet !== 'string' &&
	textsIn(parameters.documentTypes).length === 0;

/** Whether all that starts a run is of one customer, which was chosen. */
const isOfOneCustomer = (steps: Steps) =>
	steps.every(({ type, parameters = {} }) => {
		if (!/Trigger$/.test(type)) return true;
		// The poll trigger has them among its filters.
		return [parameters.options, parameters.filters].some((group) => {
			const { customerIds } = (group ?? {}) as { customerIds?: unknown };
			const entries = pickedEntries(customerIds, 'customerId');
			return Array.isArray(entries) && entries.filter((entry) => plainText(entry) !== '').length === 1;
		});
	});
