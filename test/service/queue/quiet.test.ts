import { Quiet } from '../../../service/queue/quiet';
import { manualClock } from '../../support/manualClock';

function world() {
	const clock = manualClock();
	let over = 0;
	const quiet = new Quiet(clock, () => void (over += 1));
	return { clock, quiet, over: () => [quiet.over, over] };
}

it.each([
	['a second and a half after somebody published', false, 1_500],
	['five seconds after the host brought one up', true, 5_000],
])('is over %s', async (_, patient, ms) => {
	const { clock, quiet, over } = world();
	quiet.joined(patient);
	await clock.advance(ms - 1);
	expect(over()).toEqual([false, 0]);
	await clock.advance(1);
	expect(over()).toEqual([true, 1]);
});

it('begins anew with each that joins, at the longer wait once the host is starting', async () => {
	const { clock, quiet, over } = world();
	quiet.joined(true);
	await clock.advance(4_000);
	quiet.joined(false);
	await clock.advance(4_999);
	expect(over()).toEqual([false, 0]);
	await clock.advance(1);
	expect(over()).toEqual([true, 1]);
});

it('lasts a minute at most', async () => {
	const { clock, quiet, over } = world();
	for (let second = 0; second < 60; second += 4) {
		quiet.joined(true);
		await clock.advance(4_000);
	}
	expect(over()).toEqual([true, 1]);
});

it('never is over when nobody is there any more', async () => {
	const { clock, quiet, over } = world();
	quiet.joined(false);
	quiet.cancel();
	await clock.advance(60_000);
	expect(over()).toEqual([false, 0]);
});
