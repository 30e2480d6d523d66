import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { grouped } from '../../../service/model/grouped';
import { sendingBehind } from '../parameters/attaching';
import { cameInto, cameTo, gaveIn, originsOf, type Came, type OfOwnRun } from '../parameters/came';
import { asksForNoItem, typedAlone } from '../parameters/eachSet';
import {
	ASKING,
	builtOf,
	isCode,
	isLoop,
	KEEPING,
	quoted,
	type Items,
	type Step,
} from '../parameters/stepKinds';
import { isOfAll, matchedAt } from '../parameters/mixedBehind';
import { namesOfSets, type StepOfRun } from '../parameters/stepsInFront';
import { takenIn } from '../parameters/taken';
import { textsIn, TIME } from '../parameters/values';
import { inFrontOf, leadsTo, type Around } from '../parameters/ways';

type Context = Around & OfOwnRun;

/**
 * Where a Merge in front brought together what came of different sets, such as two of one shipment, and what is sent goes by
 * what it took of the other.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseMergedApart(context: Context, given: readonly StepOfRun[]): void {
	const own = context.getNode().name;
	const merges = inFrontOf(context, own).filter(({ type, disabled }) => /\.merge$/.test(type) && !disabled);
	if (merges.length === 0) return;
	const known = namesOfSets(given);
	const used = sendingBehind(context).flatMap(takenIn);
	for (const merge of merges) {
		const fields = used.flatMap(({ step, field }) =>
			step === merge.name || (step !== undefined && step !== own && leadsTo(context, merge.name, step))
				? [field]
				: [],
		);
		const field = fields.length === 0 ? undefined : fieldOfOther(context, merge, fields, known);
		if (field !== undefined) throw ofOther(merge, field);
	}
}

/** A field in which a Merge says of one set what came of another, and what nothing says that came of the set itself. */
function fieldOfOther(
	context: Context,
	merge: Step,
	fields: readonly string[],
	known: ReadonlyMap<string, string>,
): string | undefined {
	const inputs = cameTo(context, merge.name);
	const inFront = inFrontOf(context, merge.name);
	const setsOf = (json: IDataObject) =>
		new Set(textsIn(json).flatMap((text) => known.get(folded(text)) ?? []));
	/**
	 * The sets that an item names, and those of what it came from: a row of one may name another. One that goes by nothing that
	 * came, such as a sender for all, came of none, and the places of items that Code gives are no sign.
	 */
	const setsBehind = (
		{ from, run, items }: Came,
		item: INodeExecutionData,
		seen = [from],
	): ReadonlySet<string> => {
		const own = setsOf(item.json);
		const step = inFront.find(({ name }) => name === from);
		// Of several rows, one may be meant for each.
		const isForAll = step && (typedAlone(step) || (asksForNoItem(step) && items.length === 1));
		if (isForAll || (step && own.size > 0 && isCode(step))) return own;
		const before = cameTo(context, from, run).filter((came) => !seen.includes(came.from));
		const further = originsOf(item, before).flatMap(({ came, origin }) => [
			...setsBehind(came, origin, [...seen, came.from]),
		]);
		return new Set([...own, ...further]);
	};
	const { items: cameOn, isChosen } = cameOnOf(context, merge, inFrontOf(context, context.getNode().name));
	const merged = cameOn.flatMap((item) => {
		const [only, ...more] = setsOf(item.json);
		const { setId } = item.json;
		// A row, say, may name another.
		const set = typeof setId === 'string' ? known.get(folded(setId)) : more.length > 0 ? undefined : only;
		if (set === undefined) return [];
		const others = originsOf(item, inputs).filter(({ came, origin }) => {
			const sets = setsBehind(came, origin);
			return sets.size > 0 && !sets.has(set);
		});
		return [{ set, json: item.json, others }];
	});
	const said = (json: IDataObject, field: string) => JSON.stringify(json[field]);
	const alone = merged.filter(({ others }) => others.length === 0);
	const ownOf = grouped(alone.map(({ set, json }) => [set, json]));
	const indexed = new Map<Items, Map<string, INodeExecutionData[]>>();
	/** Each input is looked through once: it may have a row for each set. */
	const ofEach = (came: Came) => {
		const found =
			indexed.get(came.items) ??
			grouped(came.items.flatMap((item) => [...setsBehind(came, item)].map((set) => [set, item])));
		indexed.set(came.items, found);
		return found;
	};
	/** What came of a set itself with that of another, or had come before Remove Duplicates, say, left it out. */
	const ownIn = (set: string, came: Came): Items => {
		const own = ofEach(came).get(set) ?? [];
		const step = inFront.find(({ name }) => name === came.from);
		if (own.length > 0 || !step || !KEEPING.test(step.type) || ASKING.test(step.type)) return own;
		return isLoop(step) ? [] : cameTo(context, came.from, came.run).flatMap((one) => ownIn(set, one));
	};
	for (const { set, json, others } of merged) {
		if (others.length === 0) continue;
		const own = [
			...(ownOf.get(set) ?? []),
			...[...new Set(others.map(({ came }) => came))].flatMap((came) =>
				ownIn(set, came)
					.filter((row) => mayMatch(merge, came.input, row.json, json))
					.map((row) => row.json),
			),
		];
		const isOfOther = (field: string) => {
			const isSaid = others.some(
				({ origin }) => Object.hasOwn(origin.json, field) && said(origin.json, field) === said(json, field),
			);
			const saying = own.filter((one) => Object.hasOwn(one, field));
			if (TIME.test(said(json, field) ?? '')) return false;
			// One row for several, such as that of a shipment, is meant for all of them.
			if (saying.length === 0) return isSaid && !isChosen;
			return isSaid && !saying.some((one) => said(one, field) === said(json, field));
		};
		const field = fields.find(isOfOther);
		if (field !== undefined) return field;
	}
	return undefined;
}

const isByField = (merge: Step) => builtOf(merge).includes('"combineByFields"');

/**
 * What a Merge gave of which something came to this step, by whatever steps between, and whether it was chosen by what it says:
 * by the Merge, or by those. A loop is to give all of it, in turn. Of all combinations that were taken apart and made anew,
 * nobody can tell which they were.
 */
function cameOnOf(context: Context, merge: Step, inFront: readonly Step[]) {
	const gave = gaveIn(context, merge.name);
	const reached = new Set<INodeExecutionData>();
	let isLost = false;
	const follow = ({ from, run }: Came, items: Items) => {
		if (from === merge.name) return items.forEach((item) => reached.add(item));
		const step = inFront.find(({ name }) => name === from);
		if (!step || !leadsTo(context, merge.name, from)) return;
		const before = cameInto(context, step, run);
		if (isLoop(step)) return before.forEach((came) => follow(came, came.items));
		const found = items.map((item) => originsOf(item, before));
		isLost ||= found.some((origins) => origins.length === 0);
		const origins = grouped(found.flat().map(({ came, origin }) => [came, origin]));
		for (const came of before) follow(came, origins.get(came) ?? []);
	};
	for (const came of cameTo(context, context.getNode().name)) follow(came, came.items);
	const isMatched = isByField(merge) || builtOf(merge).includes('"combineBySql"');
	const known = isOfAll(merge) ? [] : gave;
	const items = isLost || reached.size === 0 ? known : [...reached];
	return { items, isChosen: isMatched || (isOfAll(merge) && items.length < gave.length) };
}

/**
 * Whether a Merge may have taken what came by one of its inputs for that set. What Code gives n8n links by the place, though it
 * be a list of something else that is as long.
 */
function mayMatch(merge: Step, input: number, row: IDataObject, ofSet: IDataObject): boolean {
	return (
		!isByField(merge) ||
		matchedAt(merge, input).every((field) => {
			const [one, other] = [row[field], ofSet[field]];
			return one === undefined || other === undefined || compared(one) === compared(other);
		})
	);
}

/** A Merge may take a number for the text of it. */
export const compared = (value: unknown) => JSON.stringify(typeof value === 'number' ? String(value) : value);

function ofOther(merge: { name: string }, field: string): ServiceError {
	const name = quoted(merge);
	return new ServiceError(
		'invalidInput',
		`${name} brought together what came of different sets, and what is sent goes by it`,
		{
			remedy: `Nothing was handed on: its field ${field} would be that of another parcel. Combine by Matching Fields there, by setId, or by another field that no two sets have alike.`,
		},
	);
}
