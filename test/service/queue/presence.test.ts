import { BOUNDS } from '../../../service/queue/bounds';
import type { Subscription } from '../../../service/queue/contract';
import { LeftLately } from '../../../service/queue/presence';
import { manualClock } from '../../support/manualClock';

const subscription = (key: string) => ({ key, queue: 'events' }) as Subscription;

it('who left may return to its own queue, not to another one of that name', () => {
	const leftLately = new LeftLately(manualClock(), BOUNDS);
	const [known, neverLetIn] = [subscription('a'), subscription('b')];
	leftLately.left(known, 'broker/here/events');
	leftLately.left(neverLetIn, undefined);
	expect(leftLately.to('events', 'broker/here/events')).toEqual([known, neverLetIn]);
	expect(leftLately.to('events', 'broker/elsewhere/events')).toEqual([neverLetIn]);
	expect(leftLately.to('other', 'broker/here/other')).toEqual([]);
});

it('who left may return for three minutes, and is no longer awaited when its next version is here', async () => {
	const clock = manualClock();
	const leftLately = new LeftLately(clock, BOUNDS);
	leftLately.left(subscription('a'), 'here');
	leftLately.left(subscription('b'), 'here');
	leftLately.came(subscription('a'));
	expect(leftLately.to('events', 'here')).toEqual([subscription('b')]);
	await clock.advance(BOUNDS.returnMs);
	expect(leftLately.to('events', 'here')).toEqual([]);
});
