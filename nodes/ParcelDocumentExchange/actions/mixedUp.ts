import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { othersPapersBehind } from '../parameters/othersPapers';
import type { Step } from '../parameters/stepsInFront';

/**
 * Where the papers of several sets came, and a mail behind would send those of one as those of another, or of the first
 * alone.
 *
 * @param given what the steps in front gave in this run
 * @throws ServiceError `invalidInput`
 */
export function refuseMixedUp(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
	items: readonly INodeExecutionData[],
	given: readonly Pick<Step, 'name' | 'type' | 'setIds' | 'items'>[],
): void {
	const sets = new Set(items.flatMap(({ json, binary }) => (binary ? [json.setId] : [])));
	if (sets.size < 2) return;
	const { name, type, typeVersion, parameters } = context.getNode();
	// Of Edit Fields and Code, what is taken may be the same for all.
	const ofSets = given.filter((step) => step.setIds.size > 1 && !/\.(set|code)$/.test(step.type));
	const own = { name, items: items.map(({ json }) => json) };
	const [told] = othersPapersBehind(
		context,
		{ name, type, typeVersion, parameters, disabled: false },
		{
			names: new Set([own, ...ofSets].map((step) => step.name)),
			isSame: (step, field) => {
				const all = [own, ...ofSets].find((one) => one.name === (step ?? name))?.items ?? [];
				return new Set(all.map((item) => JSON.stringify(item[field]))).size < 2;
			},
		},
	);
	if (told === undefined) return;
	throw new ServiceError(
		'invalidInput',
		`The papers of ${sets.size} sets came, and a mail behind would not keep them apart`,
		{ remedy: `Nothing was handed on. ${told}` },
	);
}
