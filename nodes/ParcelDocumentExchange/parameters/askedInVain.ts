import type { IExecuteFunctions } from 'n8n-workflow';
import { canonicalWord } from '../../../service/model/canonicalWord';
import { comesOnlyFrom } from './othersPapers';
import { ignoresCase, questionsIn, type Question } from './questions';
import { ASKING, KEEPING, givesFiles, quoted } from './stepKinds';

/** A field of the item that comes, or of the one of a step by its name, as n8n writes it when it is dragged. */
const FIELD = /^=\{\{\s*\$(?:json|\(\s*(["'`])(.{1,200}?)\1\s*\)\.item\.json)\.(\w+)\s*\}\}$/;

/** How the service calls the status; the items of a trigger call it so only with Simplify off. */
const ON_THE_WIRE = 'newStatus';

/**
 * Steps behind a trigger that ask whether its event is of a status, in words that an event never has: to n8n `Signed` is not
 * `SIGNED`. The papers of no event go on, or those of each. In words.
 */
export function askedInVain(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string[] {
	const { name: own, parameters } = context.getNode();
	if (parameters?.simplify === false) return [];
	const behind = context.getChildNodes(own, { includeNodeParameters: true });
	const papers = behind.filter((step) => givesFiles(step) && !step.disabled);
	const isAboutPapers = (name: string) =>
		papers.some((step) =>
			[...context.getParentNodes(step.name), ...context.getChildNodes(step.name)].some(
				(one) => one.name === name,
			),
		);
	return behind
		.filter(({ name, type, disabled }) => ASKING.test(type) && !disabled && isAboutPapers(name))
		.flatMap((step) => {
			if (ignoresCase(step.parameters)) return [];
			const getsEvents = () =>
				comesOnlyFrom(
					context,
					step.name,
					own,
					({ type }) => KEEPING.test(type) && !/\.renameKeys$/.test(type),
				);
			const fieldOf = ({ leftValue }: Question) => {
				const [, , named, field] = FIELD.exec(leftValue) ?? [];
				return (named === undefined ? getsEvents() : named === own) ? field : undefined;
			};
			const questions = questionsIn(step.parameters).filter(
				(one) => fieldOf(one) === 'status' || fieldOf(one) === ON_THE_WIRE,
			);
			const isRight = (one: Question, word: string) =>
				fieldOf(one) === 'status' && one.rightValue === canonicalWord(word);
			const vain = questions.find(({ rightValue }) => !questions.some((other) => isRight(other, rightValue)));
			if (!vain) return [];
			const word = JSON.stringify(canonicalWord(vain.rightValue));
			const asked = `The step ${quoted(step)} compares ${fieldOf(vain)} with ${JSON.stringify(vain.rightValue)}`;
			return [
				fieldOf(vain) === 'status'
					? `${asked}, and the events have it as ${word}: to n8n they are never the same. Write ${word} there.`
					: `${asked}, and the events have no such field: the answer is always the same. Drag the field status there, and write ${word}.`,
			];
		});
}
