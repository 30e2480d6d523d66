import type { INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';
import { documentTypeKey } from '../../../service/model/documentType';
import { ignoresCase, questionsIn } from '../parameters/questions';
import { ASKING, quoted } from '../parameters/stepKinds';
import { takenAlone } from '../parameters/taken';

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
