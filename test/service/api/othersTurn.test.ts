import { Readable } from 'node:stream';
import { readJson, type HttpAnswer } from '../../../service/api/answer';
import { searchRows } from '../../../service/api/pages';
import { transportError } from '../../../service/api/transportError';
import { silent } from '../../support/silent';

afterEach(() => jest.restoreAllMocks());

/** How often others have their turn while such an answer is made of its text: before and behind the reading of its JSON. */
async function turnsAround(bytes: number, letter = Buffer.from('x')) {
	const text = Buffer.from(JSON.stringify({ text: 'x'.repeat(bytes) }));
	text.fill(letter, 9, 9 + bytes);
	const answer: HttpAnswer = {
		...{ status: 200, headers: {}, body: Readable.from([text], { objectMode: false }) },
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

it.each([
	['Latin 1', Buffer.from('G\u00f6teborg', 'latin1')],
	['UTF-8 that is broken here and there', Buffer.from('G\u00c3\u00b6teborg \u00c3\u00b6 \u00c3', 'latin1')],
])('the letters of a large one are looked up piece by piece: %s', async (_, letters) => {
	const { before } = await turnsAround(4 * 1024 * 1024, letters);
	expect(before).toBeGreaterThanOrEqual(8);
});

it('a small one is read in one go, once the calls that waited for its connection are on their way', async () => {
	expect(await turnsAround(1_000)).toEqual({ before: 2, behind: 0 });
});

/** How often others have their turn while the rows of an answer of so many bytes are named. */
async function turnsWhileNamed(bytes: number) {
	const rows = Array.from({ length: 100 }, (_, place) => ({ key: `${place}`, value: { setId: `${place}` } }));
	let turns = 0;
	let isOver = false;
	const turn = () => {
		turns++;
		if (!isOver) setImmediate(turn);
	};
	setImmediate(turn);
	const page = { offset: 0, total: rows.length, rows, full: false, bytes };
	const pages = searchRows(() => Promise.resolve(page), {
		...{ style: 'query', pageSize: rows.length, width: 1, logger: silent },
	});
	await pages.next();
	isOver = true;
	return turns;
}

it('between rows of a large answer that are named, others have their turn', async () => {
	expect(await turnsWhileNamed(4 * 1024 * 1024)).toBeGreaterThanOrEqual(3);
	expect(await turnsWhileNamed(100_000)).toBe(0);
});
