import type { INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';
import { recordingLogger } from './subscriber';

interface TriggerContext {
	context: ITriggerFunctions;
	/** What was emitted, in order. */
	emitted: INodeExecutionData[][][];
	/** Errors stored as failed executions. */
	stored: Array<Error & { description?: string }>;
	logger: ReturnType<typeof recordingLogger>;
}

/** As much of n8n's trigger context as the trigger's pure parts look at; the whole of it is tested in a real n8n. */
export function triggerContext(
	parameters: Record<string, unknown> = {},
	{ settings = {}, storesFailures = true }: { settings?: object; storesFailures?: boolean } = {},
): TriggerContext {
	const logger = recordingLogger();
	const emitted: TriggerContext['emitted'] = [];
	const stored: TriggerContext['stored'] = [];
	const context = {
		logger,
		getNode: () => ({
			id: 'node',
			name: 'Parcel Document Exchange Trigger',
			type: 'x',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		}),
		getWorkflow: () => ({ id: 'workflow', name: 'Papers', active: true }),
		getWorkflowSettings: () => settings,
		getCredentials: async () => ({}),
		getMode: () => 'manual',
		getActivationMode: () => 'manual',
		getNodeParameter: (name: string, byDefault: unknown) => parameters[name] ?? byDefault,
		emit: (data: INodeExecutionData[][]) => void emitted.push(data),
		...(storesFailures ? { saveFailedExecution: (error: Error) => void stored.push(error) } : {}),
	};
	return { context: context as unknown as ITriggerFunctions, emitted, stored, logger };
}
