import { Completing } from '../../nodes/ParcelDocumentExchange/actions/completing';
import type { Look, Looks } from '../../nodes/ParcelDocumentExchange/actions/looks';
import { Patience } from '../../nodes/ParcelDocumentExchange/actions/patience';
import { SetFinder, type Wanted } from '../../nodes/ParcelDocumentExchange/actions/setFinder';
import { defaultUser, draftSet, startService, type Service } from '../../sandbox/service';
import { openClient } from '../../service/api/client';
import { growsFaster } from '../support/doubling';
import { steppedClock, type SteppedClock } from '../support/steppedClock';
import { silent } from '../support/silent';

let service: Service;
let clock: SteppedClock;
let stop: AbortController;
beforeEach(async () => {
	service = await startService({ documentsInSearch: 'narrow' });
	clock = steppedClock();
	stop = new AbortController();
});
afterEach(() => service.close());

function finder() {
	const account = {
		...defaultUser,
		baseUrl: service.baseUrl,
		loginStyle: 'basic' as const,
		ignoreSslIssues: false,
		caCertificate: '',
	};
	const client = openClient(account, { logger: silent, timeoutMs: 5_000 });
	return new SetFinder(async () => client, { clock, signal: stop.signal, random: () => 0.5 });
}

const wanted = (setId: string, more: Partial<Wanted> = {}): Wanted => ({
	setId,
	filters: {},
	paging: { style: 'query', pageSize: 100 },
	waitMs: 0,
	...more,
});

it('waits in growing pauses, and no longer than asked', async () => {
	const search = finder().find(wanted('00000000-0000-4000-8000-00000000abcd', { waitMs: 30_000 }));
	await expect(search).rejects.toMatchObject({ code: 'notFound' });
	expect(clock.pauses).toEqual([1_500, 3_000, 6_000, 11_250, 8_250]);
	expect(clock.pauses.reduce((sum, wait) => sum + wait, 0)).toBe(30_000);
});

it('gives the set as soon as the search shows it, with what is left of the wait', async () => {
	const { set } = draftSet(service.data, Date.now());
	const [place] = service.data.sets.splice(service.data.sets.indexOf(set), 1);
	service.data.version++;
	clock.onPause = (pauses) => {
		if (pauses === 2) service.data.put(place!);
	};
	const found = await finder().find(wanted(set.setId, { waitMs: 60_000 }));
	expect(found.set.setId).toBe(set.setId);
	expect(found.set.documents).toHaveLength(set.documents.length);
	expect(found.leftMs).toBe(60_000 - 4_500);
});

it('waits for the documents of a set that has none yet, searching for that set alone', async () => {
	const set = service.data.sets[200]!;
	const documents = set.documents;
	set.documents = [];
	clock.onPause = (pauses) => {
		if (pauses === 3) set.documents = documents;
	};
	const found = await finder().find(wanted(set.setId, { waitMs: 60_000 }));
	expect(found.set.documents).toHaveLength(documents.length);
	expect(clock.pauses).toHaveLength(3);
	// The first page, the last and the middle one to find it, then one narrow search at once and one after each pause.
	expect(service.counters.byRoute.search).toBe(3 + 1 + 3);
});

it('gives a set without documents when the wait is over', async () => {
	const set = service.data.sets[0]!;
	set.documents = [];
	const found = await finder().find(wanted(set.setId, { waitMs: 5_000 }));
	expect(found).toMatchObject({ set: { documents: [] }, leftMs: 0 });
});

it('refuses each one when its own wait is over, and goes on for the others', async () => {
	const { set } = draftSet(service.data, Date.now());
	service.data.sets.shift();
	service.data.version++;
	clock.onPause = (pauses) => {
		if (pauses === 3) service.data.put(set);
	};
	const look = finder();
	const outcomes = await Promise.allSettled([
		look.find(wanted('00000000-0000-4000-8000-00000000abcd', { waitMs: 2_000 })),
		look.find(wanted(set.setId, { waitMs: 60_000 })),
		look.find(wanted(service.data.sets[5]!.setId)),
	]);
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

it('shares one scan among those who ask together, and begins a new one later', async () => {
	const look = finder();
	const last = service.data.sets.slice(-3);
	for (const set of last) set.shipmentRef = '';
	await Promise.all(last.map(({ setId }) => look.find(wanted(setId))));
	// The first page and the last one.
	expect(service.counters.byRoute.search).toBe(2);
	await look.find(wanted(last[0]!.setId));
	expect(service.counters.byRoute.search).toBe(4);
});

it('hands an error of the search to all who ask', async () => {
	const look = finder();
	const filters = { instance: 'NOWHERE' };
	const outcomes = await Promise.allSettled(
		service.data.sets.slice(0, 3).map(({ setId }) => look.find(wanted(setId, { filters }))),
	);
	for (const outcome of outcomes) {
		expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'rejected' } });
	}
	expect(service.counters.byRoute.search).toBe(1);
});

it('stops waiting when the run is stopped', async () => {
	clock.onPause = (pauses) => {
		if (pauses === 2) stop.abort();
	};
	const search = finder().find(wanted('00000000-0000-4000-8000-00000000abcd', { waitMs: 3_600_000 }));
	await expect(search).rejects.toMatchObject({ code: 'cancelled' });
	expect(clock.pauses).toHaveLength(2);
});

it('compares the rows of a set of two looks in time that grows as they do', async () => {
	const rowsFrom = (first: number, rows: number) =>
		Array.from({ length: rows }, (_, at) => ({
			setId: 'a',
			documents: [{ documentId: String(first + at) }],
		}));
	const lookAt = (first: number, rows: number): Look => ({
		rows: new Map([['a', rowsFrom(first, rows)]]),
		whole: true,
	});
	const complete = (size: number) => async () => {
		const rows = size / 16;
		const looks = { through: () => Promise.resolve(lookAt(rows, rows)) } as unknown as Looks;
		const look = { ...lookAt(0, rows), whole: false };
		const patience = new Patience(0, { clock: steppedClock(), signal: new AbortController().signal });
		const found = await new Completing(looks, look, {}, { style: 'auto', pageSize: 100 }).found(
			'a',
			false,
			patience,
		);
		expect(found.set.documents).toHaveLength(rows);
	};
	await complete(4_000)();
	expect(await growsFaster(complete)).toBeUndefined();
}, 300_000);
