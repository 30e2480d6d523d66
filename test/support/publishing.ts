import { refuseWithoutPapers } from '../../nodes/ParcelDocumentExchange/trigger/papersOff';
import { wired, type Step } from './stepsBehind';
import { triggerContext } from './triggerContext';

/** What a person is told who publishes a workflow, of which the first step is the trigger; undefined where it is published. */
export function refusalOf(
	steps: Step[],
	once: string[] = [],
	/** Their settings, by their names. */
	settings: Record<string, object> = {},
): string | undefined {
	const { context } = triggerContext();
	Object.assign(context, {
		...wired(steps),
		getActivationMode: () => 'activate',
		getNode: () => steps[0],
		workflow: {
			nodes: { ...settings, ...Object.fromEntries(once.map((name) => [name, { executeOnce: true }])) },
		},
	});
	try {
		refuseWithoutPapers(context);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}
