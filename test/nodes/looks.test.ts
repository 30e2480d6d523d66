import { Looks } from '../../nodes/ParcelDocumentExchange/actions/looks';
import type { Client, Paging } from '../../service/api/client';
import type { SetResult } from '../../service/model/set';

it('a set of any number of rows is given without those that are past', async () => {
	const rowOf = (row: number): SetResult => ({
		...{ setId: 'set-1', modifiedDate: row === 0 ? '1 March 2026 10:00' : '2 March 2026 10:00' },
		documents: [{ documentId: `paper-${row}` }],
	});
	const rows = Array.from({ length: 200_000 }, (_, row) => rowOf(row));
	const client = {
		async *lookThroughSets(_filters: object, { onPast }: Paging) {
			yield rows;
			onPast?.((row) => row === rows[0]);
		},
	} as unknown as Client;
	const looks = new Looks(() => Promise.resolve(client), new AbortController().signal);
	const paging = { style: 'auto', pageSize: 100 } as const;
	const look = await looks.through({}, paging, new Set(['set-1']), () => false);
	expect(look.failure).toBeUndefined();
	expect(look.rows.get('set-1')).toHaveLength(rows.length - 1);
});
