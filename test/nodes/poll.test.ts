import { deflateRawSync } from 'node:zlib';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { defaultUser, startService, type Service } from '../../sandbox/service';
import { newestSet } from '../../nodes/ParcelDocumentExchange/poll/newestSet';
import { Trouble } from '../../nodes/ParcelDocumentExchange/poll/trouble';
import { ServiceError } from '../../service/errors';
import { PollHost, type PollHostOptions, type PollMemory } from '../support/pollHost';
import { written } from '../support/changingList';
import { reply, startFakeService, type FakeService } from '../support/fakeService';

interface Row {
	setId: string;
	status: string;
	modifiedDate: string;
	parcelRef?: string;
	customer?: string;
}

const SET_OF_ANOTHER: Row = {
	setId: '33333333-3333-4333-8333-333333333333',
	status: 'signed',
	modifiedDate: '20 June 2026 10:00',
};

/** A service with a list that the test holds. */
let service: FakeService;
let rows: Row[];
let isAway: boolean;
/** What the service answers a search with. */
let status: number;
/** The service shows no more sets than so many, and does not say so. */
let isCutAt: number;
/** The service says of each page only how many sets that one has. */
let countsPages: boolean;
/** By which of several customers the service goes. */
let goneBy: (ids: string[]) => string[];
let neverAnswers: (offset: number) => boolean;
/** The service fails at a page. */
let failsAt: (offset: number) => boolean;
beforeEach(async () => {
	rows = Array.from({ length: 30 }, (_, n) => ({
		setId: `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`,
		status: 'drafted',
		modifiedDate: '20 June 2026 10:00',
		parcelRef: `PCL-${n}`,
	}));
	isAway = false;
	status = 200;
	isCutAt = Infinity;
	countsPages = false;
	goneBy = (ids) => ids;
	neverAnswers = () => false;
	failsAt = () => false;
	service = await startFakeService({
		calls: ({ path, body }) => {
			if (isAway) return reply(401, { message: 'away' });
			const query = new URL(path, 'http://x').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit') ?? 100)];
			if (neverAnswers(offset)) return () => {};
			if (failsAt(offset)) return reply(500, { message: 'a broken row' });
			if (status !== 200) return reply(status, { message: 'away for a while' });
			const { status: asked, customerIds } = JSON.parse(body || '{}') as {
				status?: string;
				customerIds?: string[];
			};
			const ids = customerIds && goneBy(customerIds);
			const shown = rows.filter(
				({ customer, ...row }) =>
					(isCutAt === Infinity || !asked || row.status === asked.toLowerCase()) &&
					(!ids || !customer || ids.includes(customer)),
			);
			const listed = shown.slice(0, isCutAt);
			const results = listed.slice(offset, offset + limit);
			return reply(200, {
				code: 200,
				status: 'OK',
				data: {
					...{ offset, limit, count: results.length, results },
					total: countsPages ? results.length : listed.length,
				},
			});
		},
	});
});
afterEach(() => jest.restoreAllMocks());
afterEach(() => service.close());

function host(
	memory: PollMemory,
	parameters: Record<string, unknown> = {},
	more: Partial<PollHostOptions> = {},
) {
	const credentials = { baseUrl: service.baseUrl, loginStyle: 'basic', ...defaultUser };
	return new PollHost({ memory, credentials, parameters, ...more });
}

const told = ({ runs }: PollHost) =>
	runs.flat().map(({ parcelReference, status }) => `${String(parcelReference)} ${String(status)}`);

/** A clock that is ahead of the real one by as much as a test says. */
function passingTime() {
	const passing = { ms: 0 };
	const steady = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => steady() + passing.ms);
	return passing;
}

describe.each(['live', 'durable'] as const)('where n8n keeps what a node remembers %s', (memory) => {
	it('tells a set that goes on before its run is due once, with the status it has then', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		for (const row of rows) row.status = 'signed';
		await n8n.look();
		expect(n8n.runs).toHaveLength(20);
		const first = told(n8n);
		for (const row of rows.slice(20))
			Object.assign(row, { status: 'issued', modifiedDate: '20 June 2026 11:00' });
		for (let n = 0; n < 3; n++) await n8n.look();
		expect(told(n8n).slice(20).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `PCL-${20 + n} ISSUED`));
		expect(first.every((line) => line.endsWith(' SIGNED'))).toBe(true);
	});

	it('starts nothing at first, then one run a look with an item for each changed set', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		rows[3]!.status = 'Signed';
		rows[7]!.status = 'issued';
		await n8n.look();
		expect(n8n.runs).toHaveLength(1);
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-7 ISSUED']);
		expect(n8n.runs[0]![0]).toEqual({
			...{ status: 'SIGNED', parcelReference: 'PCL-3', actor: null, actorCompany: null },
			...{ updatedAt: '2026-06-20T10:00:00.000Z', setId: rows[3]!.setId, customerId: null, action: null },
			...{
				instance: null,
				message: null,
				transactionId: null,
				eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
			},
			...{ attempt: 1, redelivered: false, isSample: false, seenBy: 'search' },
		});
		await n8n.look();
		expect(n8n.runs).toHaveLength(1);
	});

	it('remembers over a restart before the second look what the first one saw', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		n8n.kill();
		rows[4]!.status = 'signed';
		await n8n.start();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 SIGNED']);
	});

	it('remembers over a restart what was there when it was published again', async () => {
		const n8n = host(memory, { statuses: ['ISSUED'], options: { pageSize: 5 } });
		rows.forEach((row, n) => (row.modifiedDate = `20 June 2026 10:${59 - n}`));
		rows[0]!.status = 'issued';
		await n8n.start('activate');
		await n8n.look();
		Object.assign(rows[0]!, { status: 'signed', modifiedDate: '20 June 2026 11:30' });
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		await n8n.publish();
		n8n.kill();
		Object.assign(rows[0]!, { status: 'issued', modifiedDate: '20 June 2026 12:30' });
		await n8n.start();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-0 ISSUED']);
	});

	it('starts nothing after a restart for an old state that a service shows which is behind', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		const before = { ...rows[4]! };
		Object.assign(rows[4]!, { status: 'signed', modifiedDate: '20 June 2026 10:02' });
		await n8n.look();
		const after = { ...rows[4]! };
		n8n.kill();
		Object.assign(rows[4]!, before);
		await n8n.start();
		await n8n.look();
		Object.assign(rows[4]!, after);
		await n8n.look();
		// Without durable cursors, nobody knows after a restart whether the last run was stored.
		const again = memory === 'live' ? ['PCL-4 SIGNED'] : [];
		expect(told(n8n)).toEqual(['PCL-4 SIGNED', ...again]);
		Object.assign(rows[4]!, { status: 'issued', modifiedDate: '20 June 2026 10:03' });
		await n8n.look();
		expect(told(n8n).at(-1)).toBe('PCL-4 ISSUED');
	});

	it('starts nothing, two restarts and an hour later, for an older row of a set that was out of the list meanwhile', async () => {
		const passing = passingTime();
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		const older = { ...rows[4]! };
		Object.assign(rows[4]!, { status: 'signed', modifiedDate: '20 June 2026 10:02' });
		await n8n.look();
		n8n.kill();
		const [newer] = rows.splice(4, 1);
		await n8n.start();
		await n8n.look();
		passing.ms += 70 * 60_000;
		Object.assign(rows[7]!, { status: 'issued', modifiedDate: '20 June 2026 11:12' });
		await n8n.look();
		await n8n.look();
		n8n.kill();
		await n8n.start();
		rows.push(older);
		await n8n.look();
		rows.push(newer!);
		await n8n.look();
		// Without durable cursors, nobody knows after a restart whether the last run was stored.
		const again = memory === 'live' ? ['PCL-8 ISSUED', 'PCL-4 SIGNED'] : [];
		expect(told(n8n)).toEqual(['PCL-4 SIGNED', 'PCL-8 ISSUED', ...again]);
	});

	it.each(['1 January 1970 00:00', '1 January 0001 00:00', '1 January 1900 00:00', '31 December 9999 23:59'])(
		'tells a change at once of a set that had no date until then but %s, as is written for none',
		async (none) => {
			rows[4]!.modifiedDate = none;
			const n8n = host(memory);
			await n8n.start('activate');
			await n8n.look();
			expect(told(n8n)).toEqual([]);
			Object.assign(rows[4]!, { status: 'signed', modifiedDate: '20 June 2026 10:02' });
			await n8n.look();
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-4 SIGNED']);
		},
	);

	it('remembers over a restart what was there, and what was told', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		await n8n.look();
		rows[4]!.status = 'signed';
		await n8n.look();
		n8n.kill();
		rows[5]!.status = 'signed';
		await n8n.start();
		await n8n.look();
		// Without durable cursors, nobody knows after a restart whether the last run was stored.
		const last = memory === 'live' ? ['PCL-4 SIGNED', 'PCL-5 SIGNED'] : ['PCL-5 SIGNED'];
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-4 SIGNED', ...last]);
	});

	it('tells again what n8n could not store, and nothing twice', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		n8n.databaseIsAway = true;
		rows[3]!.status = 'signed';
		await n8n.look();
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		n8n.databaseIsAway = false;
		await n8n.look();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
	});

	it('tells nothing twice though n8n says late that it could not store a run, and another was for a set since', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		n8n.loseNextRunLate = true;
		rows[3]!.status = 'signed';
		rows[4]!.status = 'signed';
		await n8n.look();
		rows[3]!.status = 'issued';
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 ISSUED']);
		for (const isLost of n8n.losses) isLost();
		await n8n.look();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 ISSUED', 'PCL-4 SIGNED']);
	});

	it.each(['none', 'another'])(
		'tells a set whose run n8n was storing for longer than a look, failed to, and was killed before it said so: %s was stored meanwhile',
		async (what) => {
			const n8n = host(memory);
			await n8n.start('activate');
			await n8n.look();
			n8n.loseNextRunLate = true;
			rows[3]!.status = 'signed';
			await n8n.look();
			if (what === 'another') rows[4]!.status = 'signed';
			await n8n.look();
			await n8n.look();
			n8n.kill();
			await n8n.start();
			await n8n.look();
			expect(told(n8n).filter((line) => line.startsWith('PCL-3'))).toEqual(['PCL-3 SIGNED']);
		},
	);

	it('tells nothing again while n8n is storing a run for long, though the clock was set back', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60 * 60_000);
		n8n.runsStayOpen = true;
		rows[3]!.status = 'signed';
		rows[4]!.status = 'signed';
		const looked = n8n.look();
		while (n8n.runs.length === 0) await new Promise(setImmediate);
		n8n.loseNextRunLate = true;
		await looked;
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
		for (const isLost of n8n.losses) isLost();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-4 SIGNED']);
	});

	describe('beside a step that writes over what it remembers', () => {
		const jsCode = "const seen = $getWorkflowStaticData('global'); return items;";
		const said = ({ failures }: PollHost) => failures.map(({ message }) => message);
		const line = '"List" writes with getWorkflowStaticData over what the poll trigger remembers';
		const beside = (parameters: INodeParameters, disabled = false) =>
			host(memory, {}, { steps: [{ name: 'List', parameters, disabled }] });

		it('says so once to who publishes it, and in the log when n8n starts it, only where it is so', async () => {
			const n8n = beside({ jsCode });
			await n8n.start('activate');
			await n8n.look();
			expect(said(n8n)).toEqual(memory === 'live' ? [line] : []);
			await n8n.start();
			await n8n.look();
			expect(said(n8n)).toHaveLength(memory === 'live' ? 1 : 0);
			const logged = n8n.logger.lines.filter((each) => each.includes(line));
			expect(logged).toHaveLength(memory === 'live' ? 2 : 0);
			rows[3]!.status = 'signed';
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
		});

		it('says nothing of other steps, nor of one that is switched off', async () => {
			for (const n8n of [beside({ jsCode: 'return items;' }), beside({ jsCode }, true)]) {
				await n8n.start('activate');
				expect(said(n8n)).toEqual([]);
			}
		});
	});

	it('misses no change in 50 kills, whenever they come', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		for (let kill = 0; kill < 50; kill++) {
			const row = rows[kill % rows.length]!;
			row.status = `step ${kill}`;
			if (kill % 3 === 0) n8n.killAtNextRun = true;
			await n8n.look();
			if (kill % 3 === 1) await n8n.look();
			n8n.kill();
			n8n.killAtNextRun = false;
			await n8n.start();
			await n8n.look();
			expect(told(n8n)).toContain(`PCL-${kill % rows.length} STEP_${kill}`);
		}
		// A set is told twice only around a kill.
		const times = new Map<string, number>();
		for (const line of told(n8n)) times.set(line, (times.get(line) ?? 0) + 1);
		expect(Math.max(...times.values())).toBeLessThanOrEqual(memory === 'live' ? 3 : 1);
	}, 60_000);

	it('tells over many restarts no more than once again what it told before the first', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		await n8n.look();
		for (let night = 0; night < 3; night++) {
			n8n.kill();
			await n8n.start();
			await n8n.look();
		}
		expect(told(n8n)).toEqual(Array<string>(memory === 'live' ? 2 : 1).fill('PCL-3 SIGNED'));
	});

	it.each(['could not store it', 'was killed'])(
		'tells what a run was for that held all sets there are, though they are old: n8n %s',
		async (what) => {
			const all = rows.splice(0);
			const n8n = host(memory);
			await n8n.start('activate');
			await n8n.look();
			rows.push(...all);
			if (what === 'was killed') n8n.killAtNextRun = true;
			else n8n.loseNextRun = true;
			let spent = 7 * 24 * 60 * 60_000;
			const [steady, date] = [performance.now.bind(performance), Date.now.bind(Date)];
			jest.spyOn(performance, 'now').mockImplementation(() => steady() + spent);
			jest.spyOn(Date, 'now').mockImplementation(() => date() + spent);
			// Looks are a week apart, and the list was empty until then.
			for (const row of all) row.modifiedDate = written(Date.now() - 3 * 24 * 60 * 60_000);
			await n8n.look();
			expect(n8n.runs).toEqual([]);
			if (what === 'was killed') {
				n8n.kill();
				await n8n.start();
			}
			spent *= 2;
			await n8n.look();
			await n8n.look();
			jest.restoreAllMocks();
			expect(told(n8n)).toEqual(all.map((_, n) => `PCL-${n} DRAFTED`));
		},
	);

	it.each(['was killed before', 'could not store'])(
		'tells a set that stands at no end, though n8n %s the run for it, soon',
		async (how) => {
			rows.forEach((row, n) => (row.modifiedDate = `20 June 2026 10:${59 - n}`));
			const n8n = host(memory, { options: { pageSize: 10, runs: 'oneForEachSet' } });
			await n8n.start('activate');
			await n8n.look();
			if (memory === 'live') await n8n.publish();
			rows[3]!.status = 'signed';
			rows[15]!.status = 'issued';
			const isFirst = jest.spyOn(n8n.runs, 'push').mockImplementationOnce((...runs) => {
				if (how === 'could not store') n8n.loseNextRun = true;
				else n8n.killAtNextRun = true;
				return Array.prototype.push.apply(n8n.runs, runs);
			});
			await n8n.look();
			expect(isFirst).toHaveBeenCalledTimes(1);
			if (n8n.isDead) await n8n.start();
			for (let looks = 0; looks < 2; looks++) await n8n.look();
			expect(told(n8n).filter((line, at, all) => all.indexOf(line) === at)).toEqual([
				'PCL-3 SIGNED',
				'PCL-15 ISSUED',
			]);
		},
	);

	it('starts a run that n8n could not store once more where its set stands at an end, and does not read the list for it', async () => {
		rows = Array.from({ length: 60 }, (_, n) => ({
			...rows[0]!,
			...{ setId: `set-${n}`, parcelRef: `PCL-${n}`, modifiedDate: `20 June 2026 10:${59 - n}` },
		}));
		const n8n = host(memory, { options: { pageSize: 10 } });
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		n8n.loseNextRun = true;
		await n8n.look();
		const before = service.calls.length;
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
		// Both ends each time, and on from the end where the set stands.
		expect(service.calls.length - before).toBe(3 * 2 + 1);
	});

	it('does not tell a run twice that goes on for hours', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		n8n.runsStayOpen = true;
		rows[3]!.status = 'signed';
		await n8n.look();
		await n8n.look();
		n8n.open.forEach((end) => end());
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
	});

	it('tells nothing twice when it moves to another process of n8n and back', async () => {
		const n8n = host(memory);
		await n8n.start('activate', 1);
		for (let looks = 0; looks < 20; looks++) await n8n.look();
		await n8n.start('init', 2);
		for (const n of [3, 5]) {
			rows[n]!.status = 'signed';
			await n8n.look();
			await n8n.look();
		}
		await n8n.start('init', 1);
		rows[4]!.status = 'signed';
		await n8n.look();
		await n8n.look();
		// Without durable cursors, no process knows whether another one stored its last run.
		const last = memory === 'live' ? ['PCL-5 SIGNED', 'PCL-4 SIGNED'] : ['PCL-4 SIGNED'];
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-5 SIGNED', ...last]);
	});

	it('keeps two nodes of a workflow apart, though somebody gave both one id', async () => {
		const workflow = `by hand, ${memory}`;
		const signed = host(memory, { statuses: ['SIGNED'] }, { workflow, node: 'Signed' });
		const issued = host(memory, { statuses: ['ISSUED'] }, { workflow, node: 'Issued' });
		await signed.start('activate');
		await issued.start('activate');
		rows[3]!.status = 'signed';
		rows[4]!.status = 'issued';
		await Promise.all([signed.look(), issued.look()]);
		expect([told(signed), told(issued)]).toEqual([['PCL-3 SIGNED'], ['PCL-4 ISSUED']]);
	});

	it('starts the runs for which a look had no time left with the next one', async () => {
		rows = Array.from({ length: 60 }, (_, n) => ({
			setId: `set-${n}`,
			status: 'drafted',
			parcelRef: `PCL-${n}`,
			modifiedDate: `20 June 2026 10:${59 - n}`.replace(/:(\d)$/, ':0$1'),
		}));
		const n8n = host(memory, { options: { runs: 'oneForEachSet', pageSize: 5 } });
		await n8n.start('activate');
		await n8n.look();
		const changed = rows.splice(30, 18);
		for (const [n, row] of changed.entries()) {
			Object.assign(row, { status: 'signed', modifiedDate: `21 June 2026 10:${59 - n}` });
		}
		rows.unshift(...changed);
		const passing = passingTime();
		// Each run takes three seconds to start.
		const { push } = n8n.runs;
		n8n.runs.push = (...items) => ((passing.ms += 3_000), push.apply(n8n.runs, items));
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		jest.restoreAllMocks();
		expect(new Set(told(n8n)).size).toBe(18);
		expect(n8n.runs).toHaveLength(18);
	});

	it('tells what the other pages show, though one never answers, and says that the service is slow', async () => {
		let isSilent = false;
		const n8n = host(memory, { options: { pageSize: 5 } });
		await n8n.start('activate');
		await n8n.look();
		rows[2]!.status = 'signed';
		rows[17]!.status = 'signed';
		neverAnswers = (offset) => offset === 10 || isSilent;
		const passing = passingTime();
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const patience = new AbortController();
			setTimeout(() => {
				passing.ms += ms;
				patience.abort();
			}, 200);
			return patience.signal;
		});
		// What had no time in one look is asked for first in the next one, before it is passed over.
		for (let looks = 0; looks < 5; looks++) await n8n.look();
		expect(told(n8n).sort()).toEqual(['PCL-17 SIGNED', 'PCL-2 SIGNED']);
		isSilent = true;
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		jest.restoreAllMocks();
		expect(n8n.failures[0]?.message).toBe('The service took too long for a look at its sets.');
		expect(n8n.logger.lines.join()).not.toContain('was stopped');
	});

	it('tells a change once, though one of the services behind the address is behind', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		const before = rows.map((row) => ({ ...row }));
		Object.assign(rows[3]!, { status: 'signed', modifiedDate: '20 June 2026 10:01' });
		const after = rows;
		for (let looks = 0; looks < 12; looks++) {
			rows = looks % 3 === 1 ? before : after;
			await n8n.look();
		}
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
	});

	it('tells the first set there ever is', async () => {
		const all = rows.splice(0);
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		rows.push(all[0]!);
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-0 DRAFTED']);
	});

	it('of several runs, tells that one again which n8n could not store', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		n8n.loseNextRun = true;
		rows[1]!.status = 'signed';
		rows[2]!.status = 'signed';
		await n8n.look();
		await n8n.look();
		await n8n.look();
		expect(told(n8n).sort()).toEqual(['PCL-1 SIGNED', 'PCL-2 SIGNED']);
	});

	it('of several runs, tells that one after a restart which n8n could not store', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		n8n.loseNextRun = true;
		rows[1]!.status = 'signed';
		rows[2]!.status = 'signed';
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-2 SIGNED']);
		n8n.kill();
		await n8n.start();
		await n8n.look();
		expect(told(n8n).filter((line) => line.startsWith('PCL-1'))).toEqual(['PCL-1 SIGNED']);
	});

	it('begins anew from what was edited into nonsense, and refuses nothing', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		for (const nonsense of [{ told: [null] }, { progress: null }, { at: 'noon' }, { sets: 'x' }]) {
			n8n.edit(nonsense);
			await n8n.start();
			await n8n.look();
		}
		rows[3]!.status = 'signed';
		await n8n.look();
		const anew = expect.stringMatching(/^The poll trigger begins anew$/);
		expect(n8n.failures.map(({ message }) => message)).toEqual(Array.from({ length: 4 }, () => anew));
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
	});

	it.each([
		['version 1', { version: 1 }],
		[
			'version 2',
			{
				version: 2,
				progress: {
					...{ pass: 4, offset: null, learnt: true, order: 'by no date', distrusted: false },
					...{ falls: true, rises: true, lastDate: null, endedAt: 5 },
				},
			},
		],
		['version 3', { version: 3, looks: 9 }],
		['a version to come', { version: 6 }],
		['half of it', { sets: 'Y2Bg' }],
		['another thing', { version: null, scope: 7, sets: {}, told: 'x', progress: [] }],
		['far more than it may be', { sets: 'A'.repeat(5_000_000) }],
		[
			'little that unpacks to far more',
			{ sets: deflateRawSync(Buffer.alloc(20_000_000)).toString('base64') },
		],
	])('says once that it begins anew, and starts nothing for all: %s', async (_, stored) => {
		const n8n = host(memory);
		const said = () =>
			n8n.logger.lines.filter((line) => /^warn .*"Poll" .*"Papers": The poll trigger begins anew/.test(line));
		await n8n.start('activate');
		await n8n.look();
		await n8n.publish();
		expect(said()).toEqual([]);
		n8n.edit(stored);
		n8n.kill();
		isAway = true;
		await n8n.start();
		await n8n.look();
		isAway = false;
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		rows[3]!.status = 'signed';
		await n8n.look();
		await n8n.publish();
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
		expect(said()).toHaveLength(1);
	});

	it('says that it begins anew with a failed execution, once, where somebody edited the credential, whether or not somebody published then', async () => {
		const credentials = { baseUrl: service.baseUrl, loginStyle: 'basic', ...defaultUser };
		const n8n = host(memory, {}, { credentials });
		const said = () => n8n.failures.map(({ message }) => message);
		await n8n.start('activate');
		await n8n.look();
		credentials.password = 'another';
		await n8n.look();
		expect(said()).toEqual([]);
		rows[3]!.status = 'signed';
		credentials.username = 'successor';
		await n8n.look();
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		expect(said()).toEqual([expect.stringMatching(/^The poll trigger begins anew$/)]);
		// Who publishes other filters has changed them a moment ago.
		n8n.parameters.filters = { shipmentRef: 'B' };
		await n8n.publish();
		await n8n.look();
		expect(said()).toHaveLength(1);
		credentials.username = 'another successor';
		await n8n.publish();
		await n8n.publish();
		await n8n.look();
		expect(said()).toHaveLength(2);
	});

	it.each(['init', 'activate'] as const)(
		'says that it begins anew where nobody can read what the look before asked for (%s)',
		async (mode) => {
			const n8n = host(memory);
			await n8n.start('activate');
			await n8n.look();
			await n8n.publish();
			n8n.edit({ version: 6, asked: { of: 'a version to come' } });
			n8n.kill();
			await n8n.start(mode);
			await n8n.look();
			expect(n8n.failures.map(({ message }) => message)).toEqual(['The poll trigger begins anew']);
		},
	);

	it('says nothing of that to who publishes other filters while the service is away', async () => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		status = 500;
		n8n.parameters.filters = { shipmentRef: 'B' };
		await n8n.publish();
		status = 200;
		await n8n.look();
		await n8n.look();
		expect(n8n.failures).toEqual([]);
	});

	it('looks at a whole list without order in each look of a night', async () => {
		const n8n = host(memory, { options: { pageSize: 1 } });
		await n8n.start('activate');
		await n8n.look();
		const passing = passingTime();
		for (const n of [29, 2, 14, 27]) {
			passing.ms += 24 * 60 * 60_000;
			rows[n]!.status = `night ${n}`;
			await n8n.look();
			expect(told(n8n).at(-1)).toBe(`PCL-${n} NIGHT_${n}`);
		}
		jest.restoreAllMocks();
	});

	it('starts more runs where looks are rarer: one a day never came to the others', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		const passing = passingTime();
		await n8n.start('activate');
		for (const status of ['signed', 'issued', 'title held']) {
			await n8n.look();
			for (const row of rows) row.status = status;
			passing.ms += 24 * 60 * 60_000;
		}
		await n8n.look();
		expect(n8n.runs).toHaveLength(3 * rows.length);
		for (const row of rows) row.status = 'transfer drafted';
		await n8n.look();
		expect(n8n.runs).toHaveLength(3 * rows.length + 20);
		jest.restoreAllMocks();
	});

	it.each([
		['a day', 24 * 60, [0, 1, 2, 2]],
		['a minute', 1, [0, 0, 0, 0]],
	])('with a look %s, says that more changes than it has time for', async (_every, minutes, failed) => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		const passing = passingTime();
		await n8n.start('activate');
		await n8n.look();
		// Each run takes two seconds, and a bit.
		const push = n8n.runs.push.bind(n8n.runs);
		n8n.runs.push = (run) => ((passing.ms += 2_100), push(run));
		const failures: number[] = [];
		for (const status of ['signed', 'issued', 'title held', undefined]) {
			for (const row of rows) row.status = status ?? row.status;
			passing.ms += minutes * 60_000;
			await n8n.look();
			failures.push(n8n.failures.length);
		}
		expect(failures).toEqual(failed);
		expect(n8n.failures.map(({ message }) => message)).toEqual(
			failed[2] ? Array(2).fill(expect.stringMatching(/for 16, and 14 wait\.$/)) : [],
		);
		for (const { description } of n8n.failures)
			expect(description).toContain('under Runs, One for All Sets of a Look');
		await n8n.look();
		expect(new Set(told(n8n).filter((line) => line.endsWith('TITLE_HELD'))).size).toBe(rows.length);
		jest.restoreAllMocks();
	});

	it.each([
		['after it', 4 * 60],
		['before it', 23 * 60 + 55],
	])(
		'with a look a day, says that more changes than it has time for, though n8n is restarted each night %s',
		async (_when, minutes) => {
			const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
			const passing = passingTime();
			await n8n.start('activate');
			await n8n.look();
			const push = n8n.runs.push.bind(n8n.runs);
			n8n.runs.push = (run) => ((passing.ms += 6_000), push(run));
			const failures: number[] = [];
			for (const status of ['signed', 'issued', 'title held']) {
				for (const row of rows) row.status = status;
				passing.ms += (24 * 60 - minutes) * 60_000;
				await n8n.look();
				failures.push(n8n.failures.length);
				n8n.kill();
				passing.ms += minutes * 60_000;
				await n8n.start('init');
			}
			expect(failures).toEqual([0, 1, 2]);
			jest.restoreAllMocks();
		},
	);

	it.each([
		[1, 'where it counts those that wait in no look'],
		[10, 'where those that it counts become fewer for a look'],
	])('says once an hour that it never comes to all, with a look each %d minutes, %s', async (minutes) => {
		rows = Array.from({ length: 60 }, (_, n) => ({ ...rows[0]!, setId: `set ${n}` }));
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		const passing = passingTime();
		await n8n.start('activate');
		await n8n.look();
		const push = n8n.runs.push.bind(n8n.runs);
		let runMs = 0;
		n8n.runs.push = (run) => ((passing.ms += runMs), push(run));
		for (const before of [0, 0, 0, 20 * 60, 0, 0, 0, 0]) {
			for (const row of rows) row.status = `after ${passing.ms}`;
			passing.ms += (before + minutes) * 60_000;
			runMs = runMs === 2_100 ? 3_100 : 2_100;
			await n8n.look();
		}
		expect(n8n.failures).toHaveLength(1);
		jest.restoreAllMocks();
	});

	it('does not ask for one run for all where that is chosen, and more sets change than it gives', async () => {
		rows = Array.from({ length: 600 }, (_, n) => ({
			...{ setId: `set ${n}`, status: 'drafted' },
			modifiedDate: written(Date.UTC(2026, 5, 20) - n * 60_000),
		}));
		const n8n = host(memory);
		const passing = passingTime();
		await n8n.start('activate');
		await n8n.look();
		for (let day = 0; day < 4; day++) {
			for (const row of rows) row.status = `day ${day}`;
			passing.ms += 24 * 60 * 60_000;
			await n8n.look();
		}
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/for 500, and more wait\.$/),
		]);
		expect(n8n.failures[0]!.description).toMatch(/more often or filters that match fewer sets\.$/);
		jest.restoreAllMocks();
	});

	it('starts a run for each set where that was chosen', async () => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		for (const row of rows.slice(0, 4)) row.status = 'signed';
		await n8n.look();
		await n8n.look();
		expect(n8n.runs.map((items) => items.length)).toEqual([1, 1, 1, 1]);
	});
});

it('passes statuses and filters only, and gives sets as sent without Simplify', async () => {
	const n8n = host('live', {
		statuses: ['ISSUED'],
		filters: { referenceContains: 'pcl-1' },
		simplify: false,
	});
	await n8n.start('activate');
	rows[1]!.status = 'issued';
	rows[2]!.status = 'issued';
	rows[10]!.status = 'signed';
	await n8n.look();
	expect(n8n.runs).toEqual([[rows[1]]]);
});

describe.each([
	['Vessel', { vesselName: 'Aurora' }, { vesselName: 'MV AURORA' }],
	['Reference Contains', { referenceContains: 'ship-7' }, { shipmentRef: 'SHIP-7' }],
	['Company', { company: 'harbour' }, { destinationName: 'Harbour Trading' }],
])('the filter %s, which is compared here', (_which, filters, filledIn) => {
	const modified = (row: Row, fields: object) => Object.assign(row, fields, { modifiedDate: later() });
	const later = () => `20 June 2026 11:${String(minute++).padStart(2, '0')}`;
	let minute: number;
	let n8n: PollHost;
	beforeEach(async () => {
		minute = 10;
		rows.forEach((row, n) => Object.assign(row, { transactionId: `transaction ${n}` }));
		n8n = host('live', { filters });
		await n8n.start('activate');
		await n8n.look();
	});

	it('tells a set once what it asks for is filled in, with the status that it has', async () => {
		modified(rows[4]!, { status: 'signed' });
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		modified(rows[4]!, filledIn);
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 SIGNED']);
		modified(rows[4]!, {});
		modified(rows[5]!, {});
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 SIGNED']);
		modified(rows[4]!, { status: 'issued' });
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 SIGNED', 'PCL-4 ISSUED']);
	});

	it.each([
		['came', () => rows[rows.push({ ...rows[4]!, setId: 'new' }) - 1]],
		['was modified', () => rows[4]],
	])('tells a set of which that is filled in within the minute in which it %s, once', async (_how, first) => {
		const row = modified(first()!, {});
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		Object.assign(row, filledIn);
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
		Object.assign(row, { vesselName: null, shipmentRef: null, destinationName: null });
		await n8n.look();
		Object.assign(row, filledIn);
		await n8n.look();
		modified(row, {});
		await n8n.look();
		expect(n8n.runs).toHaveLength(1);
	});

	it('tells a set that is filled in within its minute, also while changes that were left are looked for', async () => {
		n8n = host('live', { filters, options: { runs: 'oneForEachSet', pageSize: 15 } });
		await n8n.start('activate');
		await n8n.look();
		const row = modified(rows[0]!, {});
		for (const other of rows.slice(1, 26)) modified(other, filledIn);
		await n8n.look();
		expect(n8n.runs).toHaveLength(20);
		Object.assign(row, filledIn);
		for (let n = 0; n < 3; n++) await n8n.look();
		expect(told(n8n)).toHaveLength(26);
		expect(told(n8n)).toContain('PCL-0 DRAFTED');
	});

	it('tells a set that is filled in within its minute, also where the look that sees it has no time left', async () => {
		n8n = host('live', { filters, options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		const row = modified(rows[29]!, {});
		await n8n.look();
		const passing = passingTime();
		const push = n8n.runs.push.bind(n8n.runs);
		n8n.runs.push = (run) => ((passing.ms += 20_000), push(run));
		Object.assign(row, filledIn);
		for (const other of rows.slice(0, 3)) modified(other, filledIn);
		await n8n.look();
		expect(n8n.runs).toHaveLength(2);
		await n8n.look();
		expect(told(n8n).sort()).toEqual(['PCL-0 DRAFTED', 'PCL-1 DRAFTED', 'PCL-2 DRAFTED', 'PCL-29 DRAFTED']);
	});

	it('tells none again because it was not shown for a moment, also while changes that were left are looked for', async () => {
		n8n = host('live', { filters, options: { runs: 'oneForEachSet', pageSize: 15 } });
		await n8n.start('activate');
		await n8n.look();
		const row = modified(rows[0]!, filledIn);
		await n8n.look();
		for (const other of rows.slice(1, 26)) modified(other, filledIn);
		Object.assign(row, { vesselName: null, shipmentRef: null, destinationName: null });
		await n8n.look();
		expect(n8n.runs).toHaveLength(21);
		await n8n.look();
		modified(row, filledIn);
		for (let n = 0; n < 3; n++) await n8n.look();
		expect(told(n8n).filter((line) => line === 'PCL-0 DRAFTED')).toHaveLength(1);
		expect(n8n.runs).toHaveLength(26);
	});

	it.each([
		['was edited', false],
		['asks for something else by its expression', true],
	])(
		'tells no set that came before the filter %s, and has what that one asks for',
		async (_how, byItself) => {
			const other = { company: 'nobody' };
			n8n = host(
				'live',
				{ filters: other },
				{ typed: { filters: byItself ? '={{ $vars.filters }}' : other } },
			);
			await n8n.start('activate');
			await n8n.look();
			modified(rows[4]!, filledIn);
			await n8n.look();
			Object.assign(n8n.parameters, { filters });
			if (byItself) await n8n.look();
			else {
				Object.assign(n8n.typed, { filters });
				await n8n.publish();
			}
			await n8n.look();
			expect(n8n.runs).toEqual([]);
			modified(rows[4]!, {});
			await n8n.look();
			expect(n8n.runs).toEqual([]);
		},
	);

	it('says so where expressions ask the service for other sets, and compare them with something else, at once', async () => {
		const typed = Object.fromEntries(Object.keys(filters).map((name) => [name, '={{ $vars.part }}']));
		n8n = host(
			'live',
			{ filters: { ...filters, shipmentRef: 'A' } },
			{ typed: { filters: { ...typed, shipmentRef: '={{ $vars.ref }}' } } },
		);
		await n8n.start('activate');
		await n8n.look();
		const others = Object.keys(filters).map((name) => [name, 'another part']);
		Object.assign(n8n.parameters, { filters: { ...Object.fromEntries(others), shipmentRef: 'B' } });
		await n8n.look();
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringContaining('An expression in the filters asks the service for other sets'),
		]);
	});

	it('tells a set that has no transaction once, also where it has one later', async () => {
		delete (rows[4] as { transactionId?: string }).transactionId;
		modified(rows[4]!, {});
		await n8n.look();
		modified(rows[4]!, filledIn);
		await n8n.look();
		modified(rows[4]!, { transactionId: 'transaction 4' });
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
		modified(rows[4]!, { transactionId: 'another transaction' });
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED', 'PCL-4 DRAFTED']);
	});

	it('tells none again because it was not shown when the filter was edited', async () => {
		const row = modified(rows[4]!, filledIn);
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
		Object.assign(row, { vesselName: null, shipmentRef: null, destinationName: null });
		const edited = Object.fromEntries(Object.entries(filters).map(([name, part]) => [name, part!.slice(1)]));
		Object.assign(n8n.parameters, { filters: edited });
		Object.assign(n8n.typed, { filters: edited });
		await n8n.publish();
		await n8n.look();
		Object.assign(row, filledIn);
		await n8n.look();
		await n8n.look();
		expect(n8n.runs).toHaveLength(1);
	});

	it('tells a set that has no transaction, and none of it again', async () => {
		delete (rows[4] as { transactionId?: string }).transactionId;
		modified(rows[4]!, {});
		await n8n.look();
		modified(rows[4]!, filledIn);
		await n8n.look();
		modified(rows[4]!, {});
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
	});

	it('tells none because it was not shown for a moment, or was edited', async () => {
		Object.assign(rows[4]!, filledIn);
		await n8n.look();
		const { modifiedDate } = rows[4]!;
		Object.assign(rows[4]!, { ...filledIn, modifiedDate: null });
		await n8n.look();
		Object.assign(rows[4]!, { vesselName: null, shipmentRef: null, destinationName: null, modifiedDate });
		await n8n.look();
		Object.assign(rows[4]!, filledIn);
		await n8n.look();
		n8n.parameters['filters'] = { referenceContains: 'PCL-' };
		await n8n.publish();
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		rows[6]!.status = 'signed';
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-6 SIGNED']);
	});
});

describe('with the filter Vessel, a row without a date', () => {
	let n8n: PollHost;
	const shownAs = async (fields: object) => {
		Object.assign(rows[4]!, fields);
		await n8n.look();
	};
	beforeEach(async () => {
		Object.assign(rows[4]!, { transactionId: 'one' });
		n8n = host('live', { filters: { vesselName: 'Aurora' } });
	});

	it('tells of another transaction', async () => {
		Object.assign(rows[4]!, { vesselName: 'Aurora', modifiedDate: null });
		await n8n.start('activate');
		await shownAs({ transactionId: 'two' });
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
	});

	it.each([
		['is taken away', {}],
		['is another one', { vesselName: 'Borealis' }],
	])('starts no run where it comes first once the filter %s', async (_which, filters) => {
		Object.assign(rows[4]!, { vesselName: 'Borealis' });
		await n8n.start('activate');
		await n8n.look();
		const { modifiedDate } = rows[4]!;
		n8n.parameters['filters'] = filters;
		Object.assign(rows[4]!, { modifiedDate: null });
		await n8n.publish();
		await shownAs({});
		await shownAs({ modifiedDate });
		expect(n8n.runs).toEqual([]);
		await shownAs({ transactionId: 'two', modifiedDate: '20 June 2026 11:00' });
		expect(told(n8n)).toEqual(['PCL-4 DRAFTED']);
	});
});

it('tells each set for which what a filter compares is filled in, whatever its transaction', async () => {
	const row = rows[0]!;
	const at = (modifiedDate: string, vesselName?: string) =>
		Array.from({ length: 1_000 }, (_, n) => ({
			...{ ...row, setId: `${row.setId}-${n}`, modifiedDate },
			...{ transactionId: `transaction ${n}`, ...(vesselName && { vesselName }) },
		}));
	rows = at('20 June 2026 10:00');
	const n8n = host('live', { filters: { vesselName: 'Aurora' } });
	await n8n.start('activate');
	await n8n.look();
	rows = at('20 June 2026 11:00', 'Aurora');
	for (let looks = 0; looks < 4; looks++) await n8n.look();
	expect(new Set(n8n.runs.flat().map(({ setId }) => setId)).size).toBe(1_000);
});

it('knows soon after a filter that is compared here was edited which sets it lets in', async () => {
	rows.forEach((row, n) =>
		Object.assign(row, {
			...{
				transactionId: `transaction ${n}`,
				vesselName: 'Aurora',
				modifiedDate: `20 June 2026 10:${59 - n}`,
			},
		}),
	);
	const options = { pageSize: 5 };
	const typed = { filters: { vesselName: 'Aurora' } };
	const n8n = host('live', { options, filters: typed.filters }, { typed });
	await n8n.start('activate');
	for (let looks = 0; looks < 3; looks++) await n8n.look();
	typed.filters = { vesselName: 'Borealis' };
	n8n.parameters['filters'] = typed.filters;
	await n8n.publish();
	for (let looks = 0; looks < 3; looks++) await n8n.look();
	expect(n8n.runs).toEqual([]);
	const [row] = rows.splice(15, 1);
	rows.unshift(Object.assign(row!, { vesselName: 'Borealis', modifiedDate: '20 June 2026 11:10' }));
	await n8n.look();
	expect(told(n8n)).toEqual(['PCL-15 DRAFTED']);
});

it('starts nothing for sets that the service gives beyond what it was asked for', async () => {
	const n8n = host('live', { filters: { shipmentRef: 'SHIP-1' } });
	const shipped = rows as Array<Row & { shipmentRef?: string }>;
	shipped.forEach((row, n) => (row.shipmentRef = `SHIP-${n}`));
	await n8n.start('activate');
	for (const row of shipped) row.status = 'signed';
	await n8n.look();
	expect(told(n8n)).toEqual(['PCL-1 SIGNED']);
});

it('says that there may be more sets than a round number, which the service shows in a narrower search alone', async () => {
	const one = rows[0]!;
	rows = Array.from({ length: 600 }, (_, n) => ({
		...one,
		setId: `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`,
		status: n % 2 === 0 ? 'drafted' : 'signed',
	}));
	isCutAt = 500;
	const n8n = host('live');
	await n8n.start('activate');
	for (let looks = 0; looks < 6; looks++) await n8n.look();
	expect(n8n.failures.map(({ message }) => message)).toEqual([
		'The service shows 500 sets and may count no further: there may be more.',
	]);
});

describe('a service that goes by some of several customers alone', () => {
	const customers = [1, 2, 3].map((n) => `11111111-1111-4111-8111-11111111111${n}`);
	const LEFT_OUT =
		/^The service shows sets of customer 11\S+ that it leaves out where several customers are asked for\.$/;
	const looking = async (looks: number, pageSize = 100) => {
		rows.forEach((row, n) => (row.customer = customers[n % customers.length]));
		const n8n = host('live', { filters: { customerIds: customers }, options: { pageSize } });
		await n8n.start('activate');
		for (let look = 0; look < looks; look++) await n8n.look();
		return n8n;
	};

	it.each([
		['the first', 1, 100],
		['the first, whose sets fill pages', 1, 5],
		['the last', -1, 100],
	])('is told of as by a search: %s', async (_which, end, pageSize) => {
		goneBy = (ids) => (end > 0 ? ids.slice(0, 1) : ids.slice(-1));
		const { failures } = await looking(5, pageSize);
		expect(failures.map(({ message }) => message)).toEqual([expect.stringMatching(LEFT_OUT)]);
		expect(failures[0]?.description).toContain('Nothing is started for those.');
	});

	it('is told of where the first has no set at all', async () => {
		goneBy = (ids) => ids.slice(0, 1);
		rows = [];
		const n8n = await looking(3);
		rows.push({ ...SET_OF_ANOTHER, customer: customers[1] });
		const passing = passingTime();
		for (let look = 0; look < 4; look++) {
			passing.ms += 61 * 60_000;
			await n8n.look();
		}
		jest.restoreAllMocks();
		expect(n8n.failures[0]?.message).toMatch(LEFT_OUT);
	});

	it('costs three searches an hour, and is not suspected where it goes by all', async () => {
		const { failures } = await looking(0);
		const before = service.calls.length;
		expect(failures).toEqual([]);
		const n8n = await looking(9);
		expect(n8n.failures).toEqual([]);
		expect(service.calls.length - before).toBe(10 + customers.length);
	});
});

it('masks the account in what it says', async () => {
	await service.close();
	service = await startFakeService({ calls: () => reply(404, { message: `no ${defaultUser.password}` }) });
	const n8n = host('live');
	await n8n.start('activate');
	for (let looks = 0; looks < 3; looks++) await n8n.look();
	const [failure] = n8n.failures;
	expect(failure?.message).toContain('It said: "no ***"');
	expect(JSON.stringify(failure)).not.toContain(defaultUser.password);
});

it('begins anew for another account or other filters of the service: no flood', async () => {
	const n8n = host('live', { filters: { shipmentRef: 'A' } });
	await n8n.start('activate');
	n8n.parameters.filters = { shipmentRef: 'B' };
	rows.push({
		setId: '33333333-3333-4333-8333-333333333333',
		status: 'signed',
		modifiedDate: '20 June 2026 10:00',
	});
	await n8n.publish();
	await n8n.look();
	expect(n8n.runs).toEqual([]);
});

describe.each(['live', 'durable'] as const)(
	'filters that change while a beginning is left in place (%s)',
	(memory) => {
		const begun = async (changedSince = '2026-06-20T00:00:00Z', older: string[] = []) => {
			const typed = { options: { changedSince } };
			const parameters = { filters: { customerIds: ids.slice(0, 1) }, options: { changedSince } };
			const n8n = host(memory, parameters, { typed });
			rows.splice(3);
			rows.push({ ...rows[0]!, setId: `${ids[0]}`, parcelRef: 'PCL-OLD', modifiedDate: '1 June 2026 10:00' });
			rows.push({ ...rows[0]!, setId: `${ids[1]}`, parcelRef: 'PCL-OTHER', customer: ids[1]! });
			await n8n.start('activate');
			await n8n.look();
			const begins = ['PCL-0', 'PCL-1', 'PCL-2', ...older];
			expect(told(n8n)).toEqual(begins.map((reference) => `${reference} DRAFTED`));
			n8n.runs.splice(0);
			return { n8n, typed };
		};
		const ids = [1, 2, 3].map((n) => `11111111-1111-4111-8111-11111111111${n}`);

		it('start runs for what they newly let in and what changed, and for nothing again', async () => {
			const { n8n } = await begun();
			n8n.parameters.filters = { customerIds: ids };
			rows[1]!.status = 'signed';
			await n8n.publish();
			await n8n.look();
			expect(told(n8n).sort()).toEqual(['PCL-1 SIGNED', 'PCL-OTHER DRAFTED']);
		});

		it('there and back, and over a restart, start nothing again', async () => {
			const { n8n } = await begun();
			n8n.parameters.filters = { customerIds: ids.slice(1) };
			for (const row of rows.slice(0, 3)) row.customer = ids[0]!;
			await n8n.publish();
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-OTHER DRAFTED']);
			rows[2]!.status = 'issued';
			n8n.parameters.filters = { customerIds: ids.slice(0, 1) };
			n8n.kill();
			await n8n.start('activate');
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-OTHER DRAFTED', 'PCL-2 ISSUED']);
		});

		it('start a run again for one that n8n could not store', async () => {
			const { n8n } = await begun();
			rows[0]!.status = 'signed';
			n8n.loseNextRun = true;
			await n8n.look();
			n8n.parameters.filters = { customerIds: ids };
			await n8n.publish();
			await n8n.look();
			expect(told(n8n).sort()).toEqual(['PCL-0 SIGNED', 'PCL-OTHER DRAFTED']);
		});

		it.each([2000, 2010, 2015])('start nothing again, however long ago it is: %d', async (year) => {
			const { n8n } = await begun(`${year}-01-01T00:00:00Z`, ['PCL-OLD']);
			n8n.parameters.filters = { customerIds: ids };
			await n8n.publish();
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-OTHER DRAFTED']);
		});

		it('start nothing for what a service shows at first as it was before, or not yet', async () => {
			const { n8n } = await begun();
			const before = rows.slice(1).map((row) => ({ ...row }));
			Object.assign(rows[2]!, { status: 'signed', modifiedDate: '20 June 2026 10:02' });
			const after = rows;
			await n8n.look();
			n8n.parameters.filters = { customerIds: ids };
			rows = before;
			await n8n.publish();
			await n8n.look();
			rows = after;
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-2 SIGNED', 'PCL-OTHER DRAFTED']);
			Object.assign(rows[2]!, { status: 'issued', modifiedDate: '20 June 2026 10:03' });
			await n8n.look();
			expect(told(n8n).at(-1)).toBe('PCL-2 ISSUED');
		});

		it.each<[string, Partial<Row>]>([
			['date', { modifiedDate: 'soon' }],
			['status', { status: '' }],
		])('start nothing for a set that is shown without its %s for a while', async (_, partial) => {
			const { n8n } = await begun();
			const whole = { ...rows[0]! };
			Object.assign(rows[0]!, partial);
			await n8n.look();
			if (partial.modifiedDate) Object.assign(rows[0]!, whole);
			n8n.parameters.filters = { customerIds: ids };
			await n8n.publish();
			Object.assign(rows[0]!, whole);
			await n8n.look();
			await n8n.look();
			expect(told(n8n)).toEqual(['PCL-OTHER DRAFTED']);
		});

		it('start a run for what changed, though its date cannot be read just then', async () => {
			const { n8n } = await begun();
			Object.assign(rows[0]!, { status: 'signed', modifiedDate: 'soon' });
			n8n.parameters.filters = { customerIds: ids };
			await n8n.publish();
			rows[0]!.modifiedDate = '20 June 2026 10:02';
			await n8n.look();
			await n8n.look();
			expect(told(n8n).sort()).toEqual(['PCL-0 SIGNED', 'PCL-OTHER DRAFTED']);
		});

		it('start nothing again for a set whose date could not be read when it was told', async () => {
			const { n8n } = await begun();
			rows[3] = { ...rows[0]!, setId: ids[2]!, parcelRef: 'PCL-NEW', modifiedDate: 'soon' };
			await n8n.look();
			rows[3].modifiedDate = '20 June 2026 10:02';
			n8n.parameters.filters = { customerIds: ids };
			await n8n.publish();
			await n8n.look();
			expect(told(n8n).sort()).toEqual(['PCL-NEW DRAFTED', 'PCL-OTHER DRAFTED']);
		});

		it('start all runs that another beginning asks for', async () => {
			const { n8n, typed } = await begun();
			n8n.parameters.filters = { customerIds: ids };
			typed.options = { changedSince: '2026-05-20T00:00:00Z' };
			n8n.parameters.options = typed.options;
			await n8n.publish();
			await n8n.look();
			expect(told(n8n)).toHaveLength(5);
		});
	},
);

it.each(['first', 'second'])(
	'keeps over a restart what two triggers of a workflow remember, though they were published one after the other: the %s one told last',
	async (last) => {
		const shared = { workflow: `two, ${last}`, ofWorkflow: {} };
		const signed = host('live', { statuses: ['SIGNED'] }, { ...shared, node: 'Signed' });
		const issued = host('live', { statuses: ['ISSUED'] }, { ...shared, node: 'Issued' });
		const both = [signed, issued];
		const looks = async () => {
			for (const each of last === 'first' ? [...both].reverse() : both) await each.look();
		};
		await signed.start('activate');
		await signed.look();
		await issued.start('activate', 1);
		for (const n of [1, 2, 3]) {
			rows[n]!.status = 'signed';
			rows[n + 10]!.status = 'issued';
			await looks();
		}
		const before = [
			['PCL-1', 'PCL-2', 'PCL-3'],
			['PCL-11', 'PCL-12', 'PCL-13'],
		];
		const references = () => both.map(({ runs }) => runs.flat().map((item) => item['parcelReference']));
		expect(references()).toEqual(before);
		for (const each of both) each.kill();
		rows[4]!.status = 'signed';
		rows[14]!.status = 'issued';
		// n8n reads what it stored once for both.
		const stored = JSON.parse(JSON.stringify(shared.ofWorkflow)) as object;
		await signed.start();
		Object.assign(shared.ofWorkflow, stored);
		await issued.start('init', 2);
		for (const each of both) await each.look();
		const [ofSigned = [], ofIssued = []] = references().map((all) => all.slice(3).sort());
		expect([
			ofSigned.filter((each) => each !== 'PCL-3'),
			ofIssued.filter((each) => each !== 'PCL-13'),
		]).toEqual([['PCL-4'], ['PCL-14']]);
	},
);

it('begins anew with a name that the node had before, and tells nothing of what it told in between', async () => {
	const shared = { workflow: 'named back', ofWorkflow: {} };
	const named = (node: string) =>
		host('live', {}, { ...shared, node, steps: [{ name: node, parameters: {} }] });
	const before = named('Changed');
	await before.start('activate');
	rows[1]!.status = 'signed';
	await before.look();
	const between = named('Renamed');
	await between.start('activate', 1);
	rows[2]!.status = 'signed';
	await between.look();
	for (const process of [1, 2]) {
		const again = named('Changed');
		await again.start('activate', process);
		rows[2 + process]!.status = 'signed';
		await again.look();
		expect(told(again)).toEqual([`PCL-${2 + process} SIGNED`]);
		await named('Renamed').start('activate', process);
	}
});

it('forgets neither what a node of another kind keeps, nor where it does not know all of them', async () => {
	const ofWorkflow = { 'node:List': { sets: 'mine' }, global: { sets: 'mine' } };
	const shared = { workflow: 'with a list', ofWorkflow };
	await host('live', {}, { ...shared, node: 'Former' }).start('activate');
	await host('live', {}, { ...shared, node: 'Unknown' }).start('activate');
	expect(Object.keys(ofWorkflow).sort()).toEqual(['global', 'node:Former', 'node:List', 'node:Unknown']);
	const steps = [{ name: 'Changed', parameters: {} }];
	await host('live', {}, { ...shared, node: 'Changed', steps }).start('activate');
	expect(Object.keys(ofWorkflow).sort()).toEqual(['global', 'node:Changed', 'node:List']);
});

it('goes on where the same customers are chosen in another order', async () => {
	const ids = [1, 2, 3].map((n) => `11111111-1111-4111-8111-11111111111${n}`);
	const n8n = host('live', { filters: { customerIds: ids } });
	await n8n.start('activate');
	await n8n.look();
	n8n.parameters.filters = { customerIds: [...ids].reverse() };
	rows[3]!.status = 'signed';
	await n8n.publish();
	expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
});

describe.each(['live', 'durable'] as const)('filters that hold an expression (%s)', (memory) => {
	const typed = { filters: { otherFilters: '={{ { since: $now.toISO() } }}' } };

	it('which asks for other sets in each look: a person hears of it, at once and hourly', async () => {
		const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed });
		await n8n.start('activate');
		for (let n = 1; n < 9; n++) {
			n8n.parameters.filters = { otherFilters: { since: String(n) } };
			rows[n]!.status = 'signed';
			await n8n.look();
		}
		expect(n8n.runs).toEqual([]);
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			'An expression in the filters asks the service for other sets than in the look before.',
		]);
		expect(n8n.failures[0]?.description).toContain('look it up in the service');
	});

	it('which asks for other sets after each restart: a person hears of it', async () => {
		const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed });
		await n8n.start('activate');
		for (let night = 1; night < 4; night++) {
			n8n.kill();
			n8n.parameters.filters = { otherFilters: { since: String(night) } };
			rows[night]!.status = 'signed';
			await n8n.start();
			await n8n.look();
			expect(n8n.failures.at(-1)?.message).toMatch(/^An expression in the filters asks the service/);
			expect(n8n.failures).toHaveLength(night);
		}
	});

	it.each([1, 3])(
		'which asks for other sets while the service is away for %d looks: a person hears of it when it is back',
		async (looks) => {
			const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed });
			await n8n.start('activate');
			await n8n.look();
			n8n.parameters.filters = { otherFilters: { since: '1' } };
			status = 500;
			for (let look = 0; look < looks; look++) await n8n.look();
			status = 200;
			for (let look = 0; look < 3; look++) await n8n.look();
			expect(n8n.failures.map(({ message }) => message)).toEqual([
				...(looks === 3 ? [expect.stringContaining('HTTP 500')] : []),
				expect.stringMatching(/^An expression in the filters asks the service/),
			]);
		},
	);

	it('which asks for other sets after a restart, and n8n is restarted again: a person hears of it', async () => {
		const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed });
		await n8n.start('activate');
		n8n.parameters.filters = { otherFilters: { since: '1' } };
		for (let restart = 0; restart < 2; restart++) {
			n8n.kill();
			await n8n.start();
		}
		await n8n.look();
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^An expression in the filters asks the service/),
		]);
	});

	it('which comes to the same: nobody hears of anything, nor when a person edits them', async () => {
		const edited: IDataObject = { ...typed };
		const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed: edited });
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		await n8n.look();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED']);
		edited.filters = { otherFilters: '={{ { since: 1 } }}' };
		n8n.parameters.filters = { otherFilters: { since: '1' } };
		await n8n.publish();
		await n8n.look();
		expect(n8n.failures).toEqual([]);
	});

	it('which asks for other sets by the time somebody publishes again: it begins anew, and a person hears of it', async () => {
		const n8n = host(memory, { filters: { otherFilters: { since: '0' } } }, { typed });
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		n8n.parameters.filters = { otherFilters: { since: '1' } };
		await n8n.publish();
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		expect(n8n.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^The poll trigger begins anew$/),
		]);
	});
});

it.each([36_000, 10_000, 5_000])(
	'of a page that never answers, n8n gives a look %d ms: it ends in time, and tells what the others show',
	async (budgetMs) => {
		const n8n = host('durable', { options: { pageSize: 5 } }, { budgetMs });
		await n8n.start('activate');
		await n8n.look();
		rows[2]!.status = 'signed';
		neverAnswers = (offset) => offset === 10;
		let waited = 0;
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			waited = Math.max(waited, ms);
			const patience = new AbortController();
			setTimeout(() => patience.abort(), 200);
			return patience.signal;
		});
		await n8n.look();
		jest.restoreAllMocks();
		expect(waited).toBeLessThan(budgetMs * 0.85);
		expect(told(n8n)).toEqual(['PCL-2 SIGNED']);
	},
);

describe('a service that is to be left alone', () => {
	const askedIn = async (minutes: number, account: Partial<typeof defaultUser> = {}) => {
		const credentials: Record<string, unknown> = {
			baseUrl: service.baseUrl,
			loginStyle: 'basic',
			...defaultUser,
			...account,
		};
		const n8n = host('live', {}, { credentials });
		await n8n.start('init');
		const passing = passingTime();
		const requests = () => service.calls.length + service.logins.length;
		const before = requests();
		for (let minute = 1; minute <= minutes; minute++) {
			passing.ms = minute * 60_000;
			await n8n.look();
		}
		const asked = requests() - before;
		return { n8n, asked, credentials, requests };
	};
	afterEach(() => jest.restoreAllMocks());

	it('as it said with HTTP 429: for an hour at most', async () => {
		await service.close();
		service = await startFakeService({
			calls: () => reply(429, { message: `Slow down, ${defaultUser.password}` }, { 'retry-after': '7200' }),
		});
		const { n8n, asked } = await askedIn(180);
		expect(asked).toBeLessThanOrEqual(4);
		expect(n8n.failures.length).toBeGreaterThanOrEqual(2);
		expect(n8n.failures[0]?.message).toContain('HTTP 429');
		expect(JSON.stringify(n8n.failures)).not.toContain(defaultUser.password);
		expect(n8n.logger.lines.join()).not.toContain(defaultUser.password);
	});

	it('after a refused login: few wrong passwords in a night, and a mended one is tried at once', async () => {
		await service.close();
		let isWrong = true;
		service = await startFakeService({
			logins: () =>
				isWrong ? reply(401, { message: `wrong: ${defaultUser.password}` }) : reply(200, { token: 'a.b.c' }),
		});
		const { n8n, asked, credentials, requests } = await askedIn(10 * 60, { username: 'clerk' });
		expect(asked).toBeLessThanOrEqual(16);
		expect(n8n.failures.length).toBeGreaterThanOrEqual(9);
		expect(JSON.stringify(n8n.failures)).not.toContain(defaultUser.password);
		isWrong = false;
		credentials.password = 'another one';
		const before = requests();
		await n8n.look();
		expect(requests()).toBeGreaterThan(before);
	});
});

it('says of a test event that the service is slow, not that somebody stopped it', async () => {
	neverAnswers = () => true;
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
	const context = host('live').manualContext();
	await expect(newestSet(context)).rejects.toThrow('The service took too long for a look at its sets.');
	jest.restoreAllMocks();
});

describe('trouble', () => {
	it('never refuses publishing because the service is away, and tells it when it stays away', async () => {
		const port = service.baseUrl;
		await service.close();
		const n8n = new PollHost({
			memory: 'live',
			credentials: { baseUrl: port, loginStyle: 'basic', ...defaultUser },
		});
		await n8n.start('activate');
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		expect(n8n.failures).toHaveLength(1);
		service = await startFakeService();
	}, 60_000);

	it('with one page of the list alone is told when it lasts, and not once that page has come', async () => {
		let isBroken = false;
		failsAt = (offset) => isBroken && offset === 10;
		const n8n = host('live', { options: { pageSize: 10 } });
		await n8n.start('activate');
		await n8n.look();
		isBroken = true;
		for (let looks = 0; looks < 6; looks++) await n8n.look();
		expect(n8n.failures.map(({ message }) => message)).toEqual([expect.stringContaining('HTTP 500')]);
		isBroken = false;
		for (let looks = 0; looks < 3; looks++) await n8n.look();
		isBroken = true;
		await n8n.look();
		expect(n8n.failures).toHaveLength(1);
	}, 60_000);

	it('that is over at once is not told, however long changes that were left are looked for', async () => {
		rows.push(...rows.map((row) => ({ ...row, setId: row.setId.replace(/^2/, '3') })));
		for (const row of rows.slice(40)) row.modifiedDate = '1 May 2026 10:00';
		let isBroken = false;
		failsAt = (offset) => isBroken && offset === 50;
		const n8n = host('live', { options: { pageSize: 10, runs: 'oneForEachSet' } });
		await n8n.start('activate');
		for (let looks = 0; looks < 10; looks++) {
			await n8n.look();
			const status = ['signed', 'issued', 'drafted'][looks % 3];
			for (const row of rows.slice(0, 40))
				Object.assign(row, { status, modifiedDate: `20 June 2026 11:${looks + 10}` });
			isBroken = looks % 3 === 2;
		}
		expect(n8n.failures).toEqual([]);
		expect(n8n.logger.lines.filter((line) => line.includes('HTTP 500'))).toHaveLength(3);
	}, 60_000);

	it('is told when it lasts, hourly, and anew when it comes again', () => {
		const trouble = new Trouble();
		const away = new ServiceError('network', 'away');
		const minutes = Array.from({ length: 130 }, (_, minute) => minute);
		const told = minutes.filter((minute) => trouble.isToBeTold(away, minute * 60_000));
		expect(told).toEqual([2, 62, 122]);
		trouble.isOver();
		expect([131, 132, 133].map((minute) => trouble.isToBeTold(away, minute * 60_000))).toEqual([
			...[false, false, true],
		]);
		trouble.isOver();
		expect(trouble.isToBeTold(new ServiceError('unauthorized', 'wrong password'), 0)).toBe(true);
	});

	it('that a person has to mend is told though other trouble was told just before, and hourly as well', () => {
		const trouble = new Trouble();
		const [away, wrong, bad] = (['network', 'unauthorized', 'invalidInput'] as const).map(
			(code) => new ServiceError(code, 'trouble'),
		);
		const minutes = Array.from({ length: 60 }, (_, minute) => minute);
		const told = minutes.flatMap((minute) =>
			[away, wrong, bad].filter((error) => trouble.isToBeTold(error, minute * 60_000)),
		);
		expect(told).toEqual([wrong, bad, away]);
	});

	it.each([30, 60, 24 * 60])('is told at the second look where they are %d minutes apart', (minutes) => {
		const trouble = new Trouble();
		const away = new ServiceError('network', 'away');
		const looks = [0, 1, 2, 3].map((look) => trouble.isToBeTold(away, look * minutes * 60_000));
		expect(looks.slice(0, 2)).toEqual([false, true]);
		trouble.isOver();
		expect(trouble.isToBeTold(away, 9 * minutes * 60_000)).toBe(false);
	});

	it('is told again after an hour, though somebody has set the clock back by a day', () => {
		const trouble = new Trouble();
		const wrong = new ServiceError('unauthorized', 'wrong password');
		expect(trouble.isToBeTold(wrong)).toBe(true);
		const [day, hour] = [24 * 60 * 60_000, 61 * 60_000];
		const [date, steady] = [Date.now(), performance.now()];
		jest.spyOn(Date, 'now').mockReturnValue(date - day + hour);
		jest.spyOn(performance, 'now').mockReturnValue(steady + hour);
		expect(trouble.isToBeTold(wrong)).toBe(true);
		jest.restoreAllMocks();
	});

	it('refuses publishing for a wrong password and for a filter with nothing in it, and never at the start of n8n', async () => {
		isAway = true;
		await expect(host('live').start('activate')).rejects.toThrow();
		await expect(host('live').start('init')).resolves.toBeUndefined();
		isAway = false;
		await expect(host('live', { options: { runs: 'all' } }).start('activate')).rejects.toThrow(
			'Runs holds none of its two choices',
		);
		// One text: n8n shows no other. It names nothing that this panel does not have.
		await expect(host('live', { filters: { shipmentRef: '' } }).start('activate')).rejects.toThrow(
			/^"Shipment Reference" was chosen and is empty\. More would come than was asked for\. Give it a value, or take it away\.$/,
		);
		await expect(host('live', { filters: { customerIds: ['a', ''] } }).start('activate')).rejects.toThrow(
			/^"Customer or Counterparty Names or IDs" holds an entry that is empty\. Less .* Give it a value, or take it away\.$/,
		);
		// As this panel has it: on the others, the field is called Status.
		await expect(host('live', { filters: { status: '' } }).start('activate')).rejects.toThrow(
			/^"Search Status" was chosen and is empty\./,
		);
		// Nothing more would come of this one.
		await expect(host('live', { options: { changedSince: '' } }).start('activate')).rejects.toThrow(
			/^"Start With Sets Changed Since" was chosen and is empty\. The first look would start nothing\. Give it a value, or take it away\. A date/,
		);
	}, 30_000);

	it.each([[{}], [{ item: [] }]])(
		'refuses publishing without a poll time: n8n would show it as published, and never look (%j)',
		async (pollTimes) => {
			await expect(host('live', { pollTimes }).start('activate')).rejects.toThrow(
				'There is no poll time. Nothing would ever be looked for. Press Add Poll Time.',
			);
		},
	);

	it('refuses publishing where Statuses lets nothing through that Search Status asks for, and only there', async () => {
		const published = async (statuses: string[], status: string) =>
			await host('live', { statuses, filters: { status } }).start('activate');
		await expect(published(['SIGNED', 'ISSUED'], 'Drafted')).rejects.toThrow(
			'"Statuses" lets none of the sets through that "Search Status" asks for. No run would ever start. Take Search Status away',
		);
		// What these ask for, the interface does not say.
		for (const [statuses, status] of [
			[[], 'DRAFTED'],
			[['SIGNED'], 'signed'],
			[['SIGNED', 'DRAFTED'], 'DRAFTED'],
			[['SIGNED'], 'ACTIVE'],
			[['OTHER'], 'DRAFTED'],
			[['LOST'], 'DRAFTED'],
		] as const)
			await published([...statuses], status);
	});

	it('takes what is no memory for none', async () => {
		const n8n = host('durable');
		await n8n.start('activate');
		await n8n.look();
		Object.assign(n8n as unknown as { database: object }, { database: { version: 1, scope: 'x', sets: 7 } });
		await n8n.look();
		expect(n8n.failures).toEqual([]);
		expect(n8n.runs).toEqual([]);
	});
});

it('looks never overlap', async () => {
	const n8n = host('live');
	await n8n.start('activate');
	const before = service.calls.length;
	await Promise.all([n8n.look(), n8n.look(), n8n.look()]);
	expect(service.calls.length - before).toBe(1);
});

it.each(['live', 'durable'] as const)(
	'a look that n8n held up until it was given up tells and remembers nothing any more (%s)',
	async (memory) => {
		const n8n = host(memory);
		await n8n.start('activate');
		await n8n.look();
		rows[3]!.status = 'signed';
		const release = n8n.holdUpCredential();
		const heldUp = n8n.look();
		await new Promise(setImmediate);
		const passing = passingTime();
		await n8n.look();
		expect(n8n.runs).toEqual([]);
		passing.ms = 301_000;
		await n8n.look();
		rows[4]!.status = 'signed';
		await n8n.look();
		release();
		await heldUp;
		rows[5]!.status = 'signed';
		await n8n.look();
		jest.restoreAllMocks();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-4 SIGNED', 'PCL-5 SIGNED']);
	},
);

it.each(['live', 'durable'] as const)(
	'what a look has read that was given up is read again, to the end of the list (%s)',
	async (memory) => {
		countsPages = true;
		const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
		rows = Array.from({ length: 150 }, (_, n) => ({
			...rows[0]!,
			modifiedDate: `${today} 00:00`,
			setId: `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`,
			parcelRef: `PCL-${n}`,
		}));
		const passing = passingTime();
		/** Of each look, when it is waited for no longer. */
		const overs: Array<() => void> = [];
		jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
			const patience = new AbortController();
			overs.push(() => patience.abort());
			return patience.signal;
		});
		const silences: Array<() => void> = [];
		let silentFrom = 30;
		neverAnswers = (offset) => {
			if (offset >= silentFrom) silences.shift()?.();
			return offset >= silentFrom;
		};
		const comesToSilence = async () => await new Promise<void>((resolve) => silences.push(resolve));
		const n8n = host(memory, { options: { pageSize: 5 } });
		const first = [comesToSilence(), n8n.start('activate')];
		await first[0];
		overs.at(-1)!();
		await first[1];
		silentFrom = 100;
		const heldUp = [comesToSilence(), n8n.look()];
		await heldUp[0];
		passing.ms += 301_000;
		silentFrom = Infinity;
		await n8n.look();
		overs.at(-2)!();
		await heldUp[1];
		for (let looks = 0; looks < 5; looks++) await n8n.look();
		jest.restoreAllMocks();
		expect(told(n8n)).toEqual([]);
		rows[140]!.status = 'signed';
		for (let looks = 0; looks < 5; looks++) await n8n.look();
		expect(told(n8n)).toEqual(['PCL-140 SIGNED']);
	},
);

it.each(['live', 'durable'] as const)(
	'a look that is given up between two runs leaves the others to the next one (%s)',
	async (memory) => {
		const n8n = host(memory, { options: { runs: 'oneForEachSet' } });
		await n8n.start('activate');
		await n8n.look();
		for (const n of [3, 4, 5]) rows[n]!.status = 'signed';
		n8n.runsStayOpen = true;
		const release = n8n.holdUpCredential();
		const heldUp = n8n.look();
		await new Promise(setImmediate);
		let spent = 295_000;
		const steady = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => steady() + spent);
		let next: Promise<void> | undefined;
		const { push } = n8n.runs;
		n8n.runs.push = (...items) => {
			spent += 6_000;
			next ??= n8n.look();
			return push.apply(n8n.runs, items);
		};
		release();
		await heldUp;
		await next;
		await n8n.look();
		jest.restoreAllMocks();
		expect(told(n8n)).toEqual(['PCL-3 SIGNED', 'PCL-4 SIGNED', 'PCL-5 SIGNED']);
	},
);

it('agrees with the stand-in of the service', async () => {
	const real: Service = await startService();
	try {
		const n8n = new PollHost({
			memory: 'live',
			credentials: { baseUrl: real.baseUrl, loginStyle: 'basic', ...defaultUser },
		});
		await n8n.start('activate');
		await n8n.look();
		expect(n8n.failures).toEqual([]);
		expect(n8n.runs).toEqual([]);
	} finally {
		await real.close();
	}
});
