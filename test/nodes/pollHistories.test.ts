import { createRandom } from '../../sandbox/service/random';
import type { AskPage } from '../../service/api/page';
import { systemClock } from '../../service/surroundings';
import { cases } from '../support/fuzz';
import { PollHistory, type Pages } from '../support/pollHistory';

let mockAskPage: AskPage;
jest.mock('../../nodes/ParcelDocumentExchange/adapters/credentials', () => ({
	API_CREDENTIAL: 'parcelDocumentExchangeApi',
	clientOf: async () => ({
		setPages: () => async (offset: number, limit: number) => await mockAskPage(offset, limit),
		narrower: () => ({ showMore: async () => 'no', customerLeftOut: async () => undefined }),
		masked: (sentence: string) => sentence,
	}),
}));

/** The first seed, for who looks for more. */
const SEED = Number(process.env['PARCEL_POLL_SEED'] ?? process.env['PARCEL_FUZZ_SEED'] ?? 1);
const HISTORIES = Number(process.env['PARCEL_POLL_HISTORIES'] ?? cases(40));

/**
 * They were seen red: a run that n8n could not store was never told; an old state was told since the clock had gone on by a
 * day at a restart, the older of two rows since the newer one came on no page of three passes, and a set that was there at
 * first since another of its minute stood in its place.
 */
const SEEN_RED = [2_162, 2_057, 5_295, 20_189];

jest.setTimeout(60_000 + HISTORIES * 1_000);

afterEach(() => jest.restoreAllMocks());

/**
 * Sets that were there at first, behind pages of which each one or most were left out, started a run later; and changes there
 * were never told. An older row of a set was told after a restart.
 */
const SEEN_RED_WITH_SETS_LEFT_OUT = [730_043, 1_296, 1_839, 2_021, 1_081];

/**
 * The same where filters change: sets that a copy behind did not show in the first look with them started a run again, and a
 * change while the list was read with them was never told; and a state before that of a lost run was told again.
 */
const SEEN_RED_WITH_OTHER_FILTERS = [12, 279, 50_196];

it.each<[string, boolean, number[], Pages]>([
	['whatever happens to the sets, the service and n8n', false, SEEN_RED, 'as asked'],
	[
		'though filters change, and a time to begin with is left in place',
		true,
		SEEN_RED_WITH_OTHER_FILTERS,
		'as asked',
	],
	['where the service shows the last page again behind it', false, [], 'the last one again behind it'],
	[
		'where the service leaves sets out of its pages',
		false,
		SEEN_RED_WITH_SETS_LEFT_OUT,
		'with sets left out',
	],
	['where the service counts the sets of each page alone', false, [], 'each counted alone'],
	['where sets change while a look reads their list', false, [], 'of a list that moves'],
])('tells each change once and nothing else, %s', async (_, refilters, seenRed, pages) => {
	const wrong: object[] = [];
	const seeds = Array.from({ length: HISTORIES }, (_, n) => SEED + n);
	for (const seed of [...seenRed, ...seeds]) {
		const history = new PollHistory(createRandom(seed), refilters, pages);
		mockAskPage = history.askPage;
		jest.spyOn(systemClock, 'now').mockImplementation(() => history.now + history.skew);
		jest.spyOn(Date, 'now').mockImplementation(() => history.now + history.skewOfDates);
		jest.spyOn(systemClock, 'after').mockImplementation((_, callback) => {
			const waiting = setImmediate(callback);
			return () => clearImmediate(waiting);
		});
		await history.run();
		if (history.wrong.length > 0) wrong.push({ seed, ...history.traits, wrong: history.wrong.slice(0, 5) });
	}
	expect(wrong).toEqual([]);
});
