import { Readable } from 'node:stream';
import { readJson, type HttpAnswer } from '../../../service/api/answer';
import { transportError } from '../../../service/api/transportError';

afterEach(() => jest.restoreAllMocks());

/** How often others have their turn while such an answer is made of its text: before and behind the reading of its JSON. */
async function turnsAround(bytes: number) {
	const text = JSON.stringify({ text: 'x'.repeat(bytes) });
	const answer: HttpAnswer = {
		...{ status: 200, headers: {}, body: Readable.from([Buffer.from(text)], { objectMode: false }) },
		...{ redirected: false, secrets: ['Quay 7'], timeoutMs: 10_000 },
		asError: (error) => transportError(error, 'host'),
	};
	let turns = 0;
	let isOver = false;
	const turn = () => {
		turns++;
		if (!isOver) setImmediate(turn);
	};
	let ended = NaN;
	answer.body.once('end', () => (ended = turns));
	const parse = JSON.parse.bind(JSON);
	let parsed = NaN;
	jest.spyOn(JSON, 'parse').mockImplementation((json) => {
		parsed = turns;
		return parse(json) as unknown;
	});
	turn();
	await readJson(answer);
	isOver = true;
	return { before: parsed - ended, behind: turns - parsed };
}

it('between two steps of a large answer, others have their turn', async () => {
	const { before, behind } = await turnsAround(2 * 1024 * 1024);
	expect(before).toBeGreaterThanOrEqual(1);
	expect(behind).toBeGreaterThanOrEqual(2);
});

it('a small one is read in one go', async () => {
	expect(await turnsAround(1_000)).toEqual({ before: 0, behind: 0 });
});
