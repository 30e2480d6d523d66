import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { idKey, shownText } from '../../../service/model/set';
import type { Items } from '../parameters/stepKinds';
import { othersPapersBehind } from '../parameters/othersPapers';
import {
	behindOf,
	comesBy,
	inFrontOf,
	loopsAround,
	mostTaken,
	ownStep,
	type Around,
} from '../parameters/ways';
import { leavesOne } from '../parameters/eachSet';
import { TIME } from '../parameters/values';
import { gaveEachSet, itemOfStep, type Given } from '../parameters/stepsInFront';

type Context = Around & Pick<IExecuteFunctions, 'getWorkflowDataProxy'>;

/**
 * Where the papers of several sets came, or come one after the other in a loop, and a mail behind would send those of one as
 * those of another, or of the first alone.
 *
 * @param given what the steps in front gave in this run
 * @throws ServiceError `invalidInput`
 */
export function refuseMixedUp(context: Context, items: Items, given: readonly Given[]): void {
	const own = ownStep(context);
	const { name } = own;
	const withPapers = items.filter(({ binary }) => binary);
	if (withPapers.length === 0) return;
	const ids = new Set(withPapers.map(({ json }) => idKey(String(json.setId))));
	// What one of several let go on alone, such as a search with Execute Once behind the rows of a table, is of none of them. Of
	// what gave the sets themselves, Aggregate may have put all into that one.
	const givesEach = (step: Given) =>
		[...step.setIds].some((id) => ids.has(id)) ||
		comesBy(context, own, step.name, (one) => mostTaken(context, one) !== 1 && !leavesOne(one));
	const { alone } = loopsAround(context, name, inFrontOf(context, name), behindOf(context));
	const others = given.filter((step) => step.items.length > 1 && !alone.has(step.name));
	const count = alone.has(name)
		? Math.max(0, ...others.map(({ setIds, items: all }) => setIds.size || all.length))
		: ids.size;
	if (count < 2) return;
	const givenHere = items.map(({ json }) => json);
	/** In a loop, the others come in other rounds; what all have of it came to the loop. */
	const ofRounds = alone.has(name) ? others.flatMap((step) => step.items) : [];
	const ofAll = (field: string) => {
		const saying = ofRounds.filter((item) => Object.hasOwn(item, field));
		return saying.length > 0 ? saying : givenHere;
	};
	const [told] = othersPapersBehind(context, own, {
		count,
		names: new Set([
			...(alone.has(name) ? alone : [name]),
			...others.filter(givesEach).map((step) => step.name),
		]),
		isShared: (fields) => {
			const said = new Map(givenHere.map((json) => [json.setId, fields.map((field) => json[field])]));
			const named = [...said.values()].filter((values) => values.every((value) => shownText(value) !== null));
			return new Set(named.map((values) => JSON.stringify(values))).size < named.length;
		},
		isSame: (asked, field) => {
			const step = others.find((one) => one.name === asked);
			if (!step) return differing(ofAll(field), field) < 2;
			const linked = itemsLinked(context, withPapers, step.name);
			if (alone.has(name) && linked.length === 0) return true;
			// Behind Aggregate and Split Out, n8n knows of no one item.
			const isUnlinked = linked.length === 0 && step.setIds.size > 1;
			const all = alone.has(name) || gaveEachSet(step) || isUnlinked ? step.items : linked;
			return differing(all, field) < 2;
		},
	});
	if (told === undefined) return;
	throw new ServiceError(
		'invalidInput',
		`The papers of ${count} sets came, and a mail behind would not keep them apart`,
		{ remedy: `Nothing was handed on. ${told}` },
	);
}

/** What a step gave for each of the papers, as n8n links items. */
function itemsLinked(context: Context, papers: Items, step: string): readonly IDataObject[] {
	const indexes = new Set(
		papers.flatMap(({ pairedItem }) =>
			typeof pairedItem === 'object' && 'item' in pairedItem ? [pairedItem.item] : [],
		),
	);
	return [...indexes]
		.map((index) => itemOfStep(context, index, step))
		.filter((item): item is IDataObject => item !== undefined);
}

const differing = (items: readonly IDataObject[], field: string) =>
	new Set(items.map((item) => JSON.stringify(item[field]) ?? '').filter((value) => !TIME.test(value))).size;
