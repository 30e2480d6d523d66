import { linkOpener, type OpenLink } from '../../../service/queue/link';
import { queueStatus } from '../../../service/queue/status';
import { manualClock } from '../../support/manualClock';
import { oddConnections } from '../../support/oddChannel';
import { addressOf, recordingLogger } from '../../support/subscriber';

const never = new Promise<never>(() => {});

/** A queue on which three events wait and that two read; `open` says how one comes to its broker. */
function world(open: (link: OpenLink) => OpenLink = (link) => link) {
	const clock = manualClock();
	const { connect, channels, queue } = oddConnections();
	Object.assign(queue, { waiting: 3, readers: 2 });
	const stop = new AbortController();
	const ask = () =>
		queueStatus({
			address: addressOf({ port: 1 } as never),
			...{ queue: 'events', clock, logger: recordingLogger(), signal: stop.signal },
			open: open(linkOpener(connect)),
		});
	const isLeft = () => channels.at(-1)?.asked.at(-1) === 'close';
	return { clock, queue, stop, ask, isLeft };
}

it('tells what waits on a queue and who reads it, and leaves', async () => {
	const { ask, isLeft } = world();
	expect(await ask()).toEqual({ waiting: 3, readers: 2 });
	expect(isLeft()).toBe(true);
});

it('gives up after ten seconds without an answer, and leaves', async () => {
	const { clock, queue, ask, isLeft } = world();
	queue.until.check = never;
	const ended = expect(ask()).rejects.toMatchObject({
		code: 'timeout',
		message: 'The message queue did not answer in time',
	});
	await clock.advance(9_999);
	expect(isLeft()).toBe(false);
	await clock.advance(1);
	await ended;
	expect(isLeft()).toBe(true);
});

it('names a queue that is not there', async () => {
	const { queue, ask } = world();
	queue.refuses.check = new Error('404 (NOT-FOUND) with message "NOT_FOUND - no queue"');
	await expect(ask()).rejects.toMatchObject({ message: 'The queue “events” was not found' });
});

it('ends as soon as the run is stopped, and leaves no connection that opens too late', async () => {
	let opens = () => {};
	const opened = new Promise<void>((resolve) => (opens = resolve));
	let closed = 0;
	const { stop, ask } = world((open) => async (...to) => {
		await opened;
		const link = await open(...to);
		return { ...link, close: async () => void (closed += 1) };
	});
	const ended = expect(ask()).rejects.toMatchObject({ code: 'cancelled' });
	stop.abort();
	await ended;
	opens();
	await new Promise((resolve) => setImmediate(resolve));
	expect(closed).toBe(1);
});

it('fails as opening fails', async () => {
	const { ask } = world(() => async () => {
		throw new Error('connect ECONNREFUSED');
	});
	await expect(ask()).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('lost') });
});
