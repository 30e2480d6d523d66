import type { Row } from '../../../service/api/page';
import { RowsOfPass } from '../../../service/changes/rowsOfPass';
import { idKey } from '../../../service/model/set';

const row = (setId: string, status = 'DRAFTED', modifiedDate = '1 June 2026 10:00'): Row => ({
	key: setId,
	value: { setId, status, modifiedDate },
});

it('counts each row of a set, once', () => {
	const rows = new RowsOfPass();
	rows.came([row('A'), row('A', 'SIGNED'), row('B')]);
	rows.came([row('B'), row('C')]);
	expect(rows.count).toBe(4);
});

it('counts a row once that came in its old place and in its new one', () => {
	const rows = new RowsOfPass();
	rows.came([row('A'), row('B')]);
	rows.cameNewer(idKey('A'));
	rows.came([row('A', 'SIGNED', '1 June 2026 11:00')]);
	expect(rows.count).toBe(2);
});

it('counts a row that came in its new place alone', () => {
	const rows = new RowsOfPass();
	rows.came([row('B')]);
	rows.cameNewer(idKey('A'));
	rows.came([row('A', 'SIGNED', '1 June 2026 11:00')]);
	expect(rows.count).toBe(2);
});

it('counts anew in each pass', () => {
	const rows = new RowsOfPass();
	rows.came([row('A')]);
	rows.cameNewer(idKey('A'));
	rows.clear();
	expect(rows.count).toBe(0);
	rows.cameNewer(idKey('A'));
	rows.came([row('A')]);
	expect(rows.count).toBe(1);
});
