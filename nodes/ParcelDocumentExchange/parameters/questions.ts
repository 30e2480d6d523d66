import { documentTypeKey } from '../../../service/model/documentType';
import { isObject } from './shape';
import { isExpression } from './values';

/** One question, as the newer versions of those steps keep it. */
export interface Question {
	leftValue: string;
	rightValue: string;
	operator: { operation: string };
}

/** Whether an If, a Filter or a Switch takes capitals and small letters for the same. */
export const ignoresCase = (parameters: unknown): boolean =>
	/"(ignoreCase":true|caseSensitive":false)/.test(JSON.stringify(parameters ?? {}));

/** The questions whether a field is, or is not, what was typed. */
export function questionsIn(value: unknown): Question[] {
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
