import type { Problem, RunOutcome } from '../../../service/queue/contract';
import { viewOf, watched } from '../../../service/queue/watch';
import { systemClock } from '../../../service/surroundings';
import { addressOf, subscriber } from '../../support/subscriber';

it('says that all places are taken until a run has ended, however it ended', async () => {
	const address = addressOf({ host: '127.0.0.1', port: 5672 } as never);
	const outcome: RunOutcome = { kind: 'failed', reason: 'stopped' };
	const own = subscriber(address, 'full', { run: () => Promise.resolve(outcome) });
	const { subscription, end } = watched(own, systemClock);
	await subscription.readAddress();
	const waits: Problem = {
		...{ kind: 'waits', cause: 'unknown', reason: 'all places for runs are taken (1)' },
		...{ since: 0, nextTryInMs: 0, placesTaken: 1 },
	};
	const paused = () => viewOf(address, 'full').triggers.map((view) => view.paused?.reason);
	subscription.report(waits);
	expect(paused()).toEqual([waits.reason]);
	await subscription.run([], { number: 1 } as never);
	expect(paused()).toEqual([undefined]);
	end();
});
