import { fatesOf, type QueueLook } from '../../sandbox/control/fate';
import type { SentEvent } from '../../sandbox/control/events';

/** Newest first. */
const sent = (...statuses: string[]) =>
	statuses.map((newStatus, place) => ({
		...{ id: String(place), sentAt: -place, event: { newStatus }, error: null },
	})) as unknown as SentEvent[];
const quiet: QueueLook = { ready: 0, unacknowledged: 0, consumers: 1, asked: ['SIGNED', 'ISSUED'] };
const fates = (events: SentEvent[], look: QueueLook | null) => fatesOf(events, look).map(({ fate }) => fate);

it.each<[string, Partial<QueueLook>, string[], string[]]>([
	['what was done is taken', {}, ['ISSUED', 'Signed'], ['taken', 'taken']],
	['what nobody asked for is not stuck', {}, ['TITLE_HELD', 'Signed'], ['nobody', 'taken']],
	['nothing is unasked for where one asks for all', { asked: null }, ['TITLE_HELD'], ['taken']],
	[
		'the newest wait',
		{ ready: 2, consumers: 0 },
		['ISSUED', 'DRAFTED', 'Signed'],
		['waiting', 'waiting', 'taken'],
	],
	[
		'those before them are worked on',
		{ ready: 1, unacknowledged: 1 },
		['ISSUED', 'TITLE_HELD', 'Signed', 'Signed'],
		['waiting', 'nobody', 'working', 'taken'],
	],
	[
		'nobody listens, and all wait',
		{ ready: 3, consumers: 0, asked: [] },
		['ISSUED', 'Signed'],
		['waiting', 'waiting'],
	],
])('%s', (_, look, statuses, expected) => {
	expect(fates(sent(...statuses), { ...quiet, ...look })).toEqual(expected);
});

it('what did not reach the queue is not counted among what is there', () => {
	const [failed, waiting] = sent('ISSUED', 'Signed') as [SentEvent, SentEvent];
	const look = { ...quiet, ready: 1 };
	expect(fates([{ ...failed, error: 'The broker is away' }, waiting], look)).toEqual(['notSent', 'waiting']);
});

it('says nothing of a queue that cannot be seen', () => {
	expect(fates(sent('Signed'), null)).toEqual(['unknown']);
});
