import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';
import type { PagingStyle, SetFilters } from '../../../service/api/client';
import { contradicted } from '../../../service/api/contradiction';
import { ServiceError } from '../../../service/errors';
import { canonicalWord } from '../../../service/model/canonicalWord';
import { callSettings, paging, timeZone } from '../parameters/callOptions';
import { readComparedHere, type ComparedHere } from '../search/comparedHere';
import { Filters } from '../parameters/filters';
import { readSetFilters } from '../search/setFilters';
import { filterTexts } from '../parameters/values';
import { fingerprint } from './fingerprint';

export interface PollSettings {
	/** Canonical; none for every status. */
	statuses: string[];
	/** What the service is asked for. */
	filters: SetFilters;
	compared: ComparedHere;
	paging: { style: PagingStyle; pageSize: number };
	timeoutSeconds: number;
	zone: string;
	simplify: boolean;
	oneRunPerSet: boolean;
	/** Milliseconds since 1970: the first look starts a run for what changed since then. */
	since?: number;
	/** The same as it was typed, which does not change with the time. */
	sinceTyped?: string;
}

/** @throws ServiceError `invalidInput` naming the field */
export function readPollSettings(context: IPollFunctions): PollSettings {
	checkPollTimes(context.getNodeParameter('pollTimes', undefined));
	const options = fields(context.getNodeParameter('options', {}));
	const rule = { ignored: false, forModel: false, ofTrigger: true };
	const filters = new Filters(fields(context.getNodeParameter('filters', {})), rule, context.getTimezone());
	const beginning = new Filters(
		options.changedSince === undefined ? {} : { changedSince: options.changedSince },
		{ ...rule, otherwise: 'The first look would start nothing.' },
		context.getTimezone(),
	);
	const statuses = filterTexts(context.getNodeParameter('statuses', []), 'Statuses').map(canonicalWord);
	const sent = readSetFilters(filters);
	checkStatuses(statuses, sent);
	return {
		statuses,
		filters: sent,
		compared: readComparedHere(filters, Date.now()),
		paging: paging(options),
		timeoutSeconds: callSettings(options).timeoutSeconds,
		zone: timeZone(options),
		simplify: context.getNodeParameter('simplify', true) !== false,
		oneRunPerSet: runsOf(options.runs) === 'oneForEachSet',
		since: beginning.instant('changedSince'),
		sinceTyped: typedSince(context.getNode()),
	};
}

/**
 * n8n publishes a workflow that a program stored with an empty list of them, shows it as published, and never looks. Its
 * editor stores nothing where the last one is taken away, which stands for every minute (`commonPollingParameters`).
 */
function checkPollTimes(value: unknown): void {
	if (value === undefined) return;
	const { item } = fields(value);
	if (Array.isArray(item) && item.length > 0) return;
	throw new ServiceError('invalidInput', 'There is no poll time', {
		remedy: 'Nothing would ever be looked for. Press Add Poll Time.',
	});
}

/** As from who means sets that were drafted and are signed now. */
function checkStatuses(statuses: readonly string[], { status: asked }: SetFilters): void {
	const isNone = statuses.every((status) => contradicted({ status: asked }, { status }) !== undefined);
	if (statuses.length === 0 || !isNone) return;
	throw new ServiceError(
		'invalidInput',
		'"Statuses" lets none of the sets through that "Search Status" asks for',
		{
			remedy:
				'No run would ever start. Take Search Status away: a set that comes to one of the statuses starts a run, whichever it had before.',
		},
	);
}

function typedSince({ parameters }: INode): string | undefined {
	const { changedSince } = fields(parameters['options']);
	return changedSince === undefined ? undefined : fingerprint([changedSince]).slice(0, 16);
}

const RUNS = ['oneForAll', 'oneForEachSet'] as const;

function runsOf(value: unknown): (typeof RUNS)[number] {
	const known = RUNS.find((runs) => runs === (value ?? 'oneForAll'));
	if (known) return known;
	throw new ServiceError('invalidInput', 'Runs holds none of its two choices', {
		remedy: 'Choose one of the list.',
	});
}

function fields(value: unknown): IDataObject {
	return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as IDataObject) : {};
}
