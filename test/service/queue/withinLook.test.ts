import { withinLook } from '../../../service/queue/peek';
import { manualClock } from '../../support/manualClock';

const MINUTES = 60_000;

/** A copy that comes when it is told to. */
function promised() {
	let come!: (copy: string | undefined) => void;
	const copy = new Promise<string | undefined>((resolve) => (come = resolve));
	return { copy, come };
}

describe('a copy of the next event', () => {
	it('is waited for no longer than a look at the queue, since its giver may be gone', async () => {
		const clock = manualClock();
		const waiting = withinLook(promised().copy, clock);
		const ended = expect(waiting).rejects.toMatchObject({ message: 'No event came within 15 minutes' });
		await clock.advance(15 * MINUTES - 1);
		expect(clock.pending).toBe(1);
		await clock.advance(1);
		await ended;
	});

	it('is given as soon as it comes, and nothing goes on ticking', async () => {
		const clock = manualClock();
		const { copy, come } = promised();
		const waiting = withinLook(copy, clock);
		await clock.advance(MINUTES);
		come('the copy');
		expect(await waiting).toBe('the copy');
		expect(clock.pending).toBe(0);
	});

	it('is no error when the test is stopped', async () => {
		const clock = manualClock();
		const stopped = new AbortController();
		const { copy, come } = promised();
		stopped.signal.addEventListener('abort', () => come(undefined), { once: true });
		const waiting = withinLook(copy, clock);
		stopped.abort();
		expect(await waiting).toBeUndefined();
		expect(clock.pending).toBe(0);
	});
});
