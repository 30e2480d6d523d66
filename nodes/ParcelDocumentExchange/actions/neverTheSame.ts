import type { INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';
import { documentTypeKey } from '../../../service/model/documentType';
import { isObject } from '../parameters/shape';
import { ASKING, quoted } from '../parameters/stepKinds';
import { isExpression } from '../parameters/values';

/** The field of an item that is compared, as n8n writes it when it is dragged. */
const FIELD = /^=\{\{\s*(?:\$json|\$\(.{1,200}?\)\.item\.json)\.(\w+)\s*\}\}$/;

/** One question, as the newer versions of those steps keep it. */
interface Question {
	leftValue: string;
	rightValue: string;
	operator: { operation: string };
}

/** Longer texts are no answers to such a question. */
const LONGEST = 200;

/**
 * Questions about a field of these items that never come true, since n8n compares letter by letter: `Signed` is not
 * `SIGNED`, and a mail behind is never sent, or always, green.
 */
export function neverTheSame(
	steps: readonly NodeTypeAndVersion[],
	items: readonly INodeExecutionData[],
): string[] {
	const asking = steps.filter(({ type, disabled }) => ASKING.test(type) && !disabled);
	return asking.flatMap((step) => {
		const { parameters } = step;
		const ignoresCase = /"(ignoreCase":true|caseSensitive":false)/.test(JSON.stringify(parameters ?? {}));
		const isSame = (one: string, other: string) =>
			ignoresCase ? one.toUpperCase() === other.toUpperCase() : one === other;
		return questionsIn(parameters).flatMap(({ leftValue, rightValue }) => {
			const field = FIELD.exec(leftValue)?.[1] ?? '';
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

function questionsIn(value: unknown): Question[] {
	if (isQuestion(value)) return [value];
	return value !== null && typeof value === 'object' ? Object.values(value).flatMap(questionsIn) : [];
}

function isQuestion(value: unknown): value is Question {
	if (!isObject(value) || !isObject(value.operator)) return false;
	const { leftValue, rightValue, operator } = value;
	if (typeof leftValue !== 'string' || typeof rightValue !== 'string') return false;
	return (
		!isExpression(rightValue) &&
		documentTypeKey(rightValue) !== '' &&
		/^(notE|e)quals$/.test(String(operator.operation))
	);
}
