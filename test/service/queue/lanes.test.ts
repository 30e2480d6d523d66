import { readStatusEvent } from '../../../service/model/event';
import { BOUNDS } from '../../../service/queue/bounds';
import { Lanes } from '../../../service/queue/lanes';
import { eventBody } from '../../support/events';
import { manualClock, settled } from '../../support/manualClock';
import { addressOf, recordingLogger, subscriber } from '../../support/subscriber';

it('remembers what a workflow handled that left and returned, however many others are here', async () => {
	const clock = manualClock();
	const lanes = new Lanes({ clock, logger: recordingLogger(), bounds: BOUNDS });
	const address = addressOf({ port: 1 } as never);
	const workflow = (key: string) => subscriber(address, 'events', { key });
	const own = workflow('first');
	const lane = lanes.of(own);
	const unwatch = lane.watch(() => {});
	lane.attach(own);
	const event = readStatusEvent(eventBody(1))!;
	const delivered = { event, redelivered: false, deliveredAt: clock.now() };
	lane.offer(delivered, {
		...{ bytes: 500, returns: undefined, deaths: 0, number: 1, from: {}, overtakes: () => false },
		settle: () => {},
	});
	await settled();
	for (let index = 0; index < 150; index += 1) lanes.of(workflow(`other ${index}`)).watch(() => {});
	unwatch();
	lanes.of(workflow('one more')).watch(() => {});

	const returned = lanes.of(own);

	expect(returned).not.toBe(lane);
	expect(returned.isDoneWith({ ...delivered, redelivered: true })).toBe(true);
});

it('asks of the host who starts runs, and nobody that left: what was refused to that one says nothing of now', () => {
	const lanes = new Lanes({ clock: manualClock(), logger: recordingLogger(), bounds: BOUNDS });
	const address = addressOf({ port: 1 } as never);
	const [here, gone] = ['here', 'gone'].map((key) => {
		const own = subscriber(address, 'events', { key });
		const lane = lanes.of(own);
		lane.watch(() => {});
		lane.attach(own);
		return lane;
	});
	expect(lanes.open).toEqual([here, gone]);
	gone!.detach();
	expect(lanes.open).toEqual([here]);
});
