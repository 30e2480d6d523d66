import { BOUNDS, type Bounds } from '../../../service/queue/bounds';
import { decode } from '../../../service/queue/decode';
import type { Lane } from '../../../service/queue/lane';
import { Latecomers } from '../../../service/queue/latecomers';
import { eventBody } from '../../support/events';

/** A start in which workflows come one by one; what each was told. */
function start(bounds: Partial<Bounds> = {}) {
	const told: unknown[] = [];
	let goesOn = true;
	const latecomers = new Latecomers({
		bounds: { ...BOUNDS, ...bounds },
		starting: () => goesOn,
		onLate: (_lane, events, why) => void told.push([why, ...events.map(({ raw }) => raw['step'])]),
	});
	const workflow = (wants = true, where: 'runs' | 'here' | 'away' = 'away') =>
		({ wants: () => wants, whereIs: () => where }) as unknown as Lane;
	const event = (step: number) => {
		const decoded = decode(Buffer.from(JSON.stringify(eventBody(step, { step }))));
		if (!('event' in decoded)) throw new Error('No event');
		return decoded.event;
	};
	const isOver = () => void (goesOn = false);
	return { latecomers, told, workflow, event, isOver };
}

it('tells who starts late what others had handled or missed before, once', () => {
	const { latecomers, told, workflow, event } = start();
	latecomers.add(event(1), 10, [workflow()], 'late');
	latecomers.add(event(2), 10, [workflow()], 'dropped');
	latecomers.add(event(3), 10, [workflow()], 'late');
	latecomers.add(event(3), 10, [workflow()], 'late');
	const late = workflow();
	latecomers.started(late);
	latecomers.started(late);
	expect(told).toEqual([
		['late', 1, 3],
		['dropped', 2],
	]);
});

it('tells nothing to who had it, does not ask for it, or has it from elsewhere', () => {
	const { latecomers, told, workflow, event } = start();
	const first = workflow();
	const second = workflow();
	latecomers.add(event(1), 10, [first], 'late');
	latecomers.add(event(1), 10, [second], 'late');
	for (const each of [first, second, workflow(false), workflow(true, 'runs'), workflow(true, 'here')])
		latecomers.started(each);
	expect(told).toEqual([]);
});

it('remembers nothing when all have started', () => {
	const { latecomers, told, workflow, event, isOver } = start();
	latecomers.add(event(1), 10, [], 'late');
	latecomers.clear();
	isOver();
	latecomers.add(event(2), 10, [], 'late');
	latecomers.started(workflow());
	expect(told).toEqual([]);
});

it.each<[string, Partial<Bounds>]>([
	['events', { givenBackEvents: 2 }],
	['bytes', { givenBackBytes: 25 }],
])('remembers so many %s, and none of one that was forgotten', (_, bounds) => {
	const { latecomers, told, workflow, event } = start(bounds);
	for (const step of [1, 2, 3]) latecomers.add(event(step), 10, [], 'late');
	latecomers.started(workflow());
	latecomers.clear();
	latecomers.add(event(4), 10, [], 'late');
	latecomers.started(workflow());
	expect(told).toEqual([
		['late', 1, 2],
		['late', 4],
	]);
});
