import { openClient } from '../../service/api/client';
import { Lately } from '../../service/changes/lately';
import { look } from '../../service/changes/look';
import { BEGINNING, type Progress } from '../../service/changes/progress';
import { SetMemory } from '../../service/changes/setMemory';
import { defaultUser } from '../../sandbox/service';
import type { Growth } from '../report';
import type { World } from './world';
import { silent } from '../../test/support/silent';

const MINUTE = 60_000;
/** Long enough for the passes through the whole list, of which a long one has few. */
const HOURS = 6;

/** Searches of the poll trigger's looks, one a minute, at lists in which nothing changes. */
export async function growthOfLooks(world: World, sizes: readonly number[]): Promise<Growth> {
	const beginning: number[] = [];
	const quiet: number[] = [];
	const anHour: number[] = [];
	for (const sets of sizes) {
		const place = await world.place({ sets, pdfBytes: 0, tls: false });
		const client = openClient(
			{
				baseUrl: place.baseUrl,
				loginStyle: 'basic',
				...defaultUser,
				ignoreSslIssues: false,
				caCertificate: '',
			},
			{ logger: silent, timeoutMs: MINUTE, connections: 4 },
		);
		const remembered = new SetMemory(150_000);
		const lately = new Lately();
		const progress: Progress = { ...BEGINNING };
		let now = Date.now();
		const searches = async () => {
			let asked = 0;
			const askPage = client.setPages({}, 'auto');
			now += MINUTE;
			const { changes } = await look(
				async (...page) => {
					asked++;
					return await askPage(...page);
				},
				remembered,
				progress,
				{
					...{ pageSize: 100, mostChanges: 500, width: 4, until: Infinity, zone: 'UTC' },
					...{ now: () => now, lately, wanted: () => true },
				},
			);
			if (changes.length > 0) throw new Error(`${changes.length} changes of ${sets} sets that stand still`);
			return asked;
		};
		let first = 0;
		while (!progress.learnt) first += await searches();
		beginning.push(first);
		const looks: number[] = [];
		for (let n = 0; n < HOURS * 60; n++) looks.push(await searches());
		quiet.push(Math.min(...looks));
		anHour.push(looks.reduce((sum, each) => sum + each, 0) / HOURS);
		await place.close();
	}
	return {
		title: 'What the poll trigger asks of the service',
		along: 'sets',
		unit: 'searches',
		points: sizes.map((size) => ({ label: size.toLocaleString('en'), size })),
		lines: [
			{ by: 'all looks until the list is known', values: beginning },
			{ by: 'a look in which nothing changed', values: quiet },
			{ by: 'an hour of a look a minute, mean of six', values: anHour },
		],
		note: 'Pages of 100, a list in the order of its dates, which is read through once an hour or, when it is long, less often.',
	};
}
