import { canonicalWord } from '../../../service/model/canonicalWord';
import { documentTypeKey } from '../../../service/model/documentType';
import { behindOf, comesOnlyFrom, givingBehind, leadsTo, type Around } from './ways';
import { allQuestionsIn, ignoresCase, questionsIn, type Question } from './questions';
import { ASKING, keepsNames, quoted, type Items, type Steps } from './stepKinds';
import { takenAlone } from './taken';

/** How the service calls the status; the items of a trigger call it so only with Simplify off. */
const ON_THE_WIRE = 'newStatus';

/**
 * Steps behind a trigger that ask whether its event is of a status, in words that an event never has: to n8n `Signed` is not
 * `SIGNED`. The papers of no event go on, or those of each. In words.
 */
export function askedInVain(context: Around): string[] {
	const { name: own, parameters } = context.getNode();
	if (parameters?.simplify === false) return [];
	const papers = givingBehind(context);
	const isAboutPapers = (name: string) =>
		papers.some((step) => leadsTo(context, name, step.name) || leadsTo(context, step.name, name));
	return behindOf(context)
		.filter(({ name, type, disabled }) => ASKING.test(type) && !disabled && isAboutPapers(name))
		.flatMap((step) => {
			if (ignoresCase(step.parameters)) return [];
			const getsEvents = () => comesOnlyFrom(context, step.name, own, keepsNames);
			const fieldOf = ({ leftValue }: Question) => {
				const { step: named, field } = takenAlone(leftValue) ?? {};
				return (named === undefined ? getsEvents() : named === own) ? field : undefined;
			};
			const questions = allQuestionsIn(step.parameters).filter(
				(one) => fieldOf(one) === 'status' || fieldOf(one) === ON_THE_WIRE,
			);
			const isRight = (one: Question, word: string) =>
				fieldOf(one) === 'status' &&
				one.rightValue === wordFor(one) &&
				canonicalWord(one.rightValue) === canonicalWord(word);
			const vain = questions.find(({ rightValue }) => !questions.some((other) => isRight(other, rightValue)));
			if (!vain) return [];
			const word = JSON.stringify(wordFor(vain));
			const asked = `The step ${quoted(step)} compares ${fieldOf(vain)} with ${JSON.stringify(vain.rightValue)}`;
			if (fieldOf(vain) !== 'status') {
				return [
					`${asked}, and the events have no such field: the answer is always the same. Drag the field status there, and write ${word}.`,
				];
			}
			return [
				isLowered(vain)
					? `${asked}, and there it comes as ${word}: to n8n they are never the same. Write ${word} there.`
					: `${asked}, and the events have it as ${word}: to n8n they are never the same. Write ${word} there.`,
			];
		});
}

/** Whether capitals are made small before it is asked. */
const isLowered = ({ leftValue }: Question) => /toLowerCase/.test(leftValue);

/** How a status has to be written there. */
const wordFor = (question: Question) => {
	const word = canonicalWord(question.rightValue);
	return isLowered(question) ? word.toLowerCase() : word;
};

/** Longer texts are no answers to such a question. */
const LONGEST = 200;

/**
 * Questions about a field of these items that never come true, since n8n compares letter by letter: `Signed` is not
 * `SIGNED`, and a mail behind is never sent, or always, green.
 */
export function neverTheSame(steps: Steps, items: Items): string[] {
	const asking = steps.filter(({ type, disabled }) => ASKING.test(type) && !disabled);
	return asking.flatMap((step) => {
		const { parameters } = step;
		const isAnyCase = ignoresCase(parameters);
		const isSame = (one: string, other: string) =>
			isAnyCase ? one.toUpperCase() === other.toUpperCase() : one === other;
		return questionsIn(parameters).flatMap(({ leftValue, rightValue }) => {
			const compared = takenAlone(leftValue);
			const field = compared?.then === '' ? compared.field : '';
			const texts = items.map(({ json }) => json[field]).filter((value) => typeof value === 'string');
			const values = texts.filter(({ length }) => length <= LONGEST);
			const meant = values.find((value) => documentTypeKey(value) === documentTypeKey(rightValue));
			if (meant === undefined || values.some((value) => isSame(value, rightValue))) return [];
			return [
				`${quoted(step)} compares ${field} with ${JSON.stringify(rightValue)}, and here it is written ${JSON.stringify(meant)}: to n8n they are never the same. Write it there as it is written here.`,
			];
		});
	});
}
