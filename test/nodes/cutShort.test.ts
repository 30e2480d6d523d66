import type { INodeParameters } from 'n8n-workflow';
import { cutShort } from '../../nodes/ParcelDocumentExchange/actions/cutShort';
import { mail, step, wired } from '../support/stepsBehind';

/** A table that is matched with the sets, and gives no more rows than its limit. */

const OURS = 'x.parcelDocumentExchange';
const READ: INodeParameters = { operation: 'get' };

function hints(rows: number, parameters = READ, isBehind = false, type = 'dataTable') {
	const steps = [
		step('Search', OURS, { operation: 'search' }, [isBehind ? 'PDFs' : 'Merge']),
		step('Rows', type, parameters, ['Merge#2']),
		step('Merge', 'merge', { mode: 'combine', combineBy: 'combineByFields' }, [isBehind ? 'Mail' : 'PDFs']),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, [isBehind ? 'Merge' : 'Mail']),
		mail(),
	];
	const items = Array.from({ length: rows }, () => ({ json: {} }));
	return cutShort({
		...wired(steps),
		getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
		runExecutionData: { resultData: { runData: { Rows: [{ data: { main: [items] }, source: [] }] } } },
	} as never);
}

const TOLD =
	'"Rows" gave 50 rows, which is its limit: sets of which the row comes later would find none, and may get no papers. Switch Return All on there.';

it('who builds is told of a table that gave as many rows as its limit', () => {
	expect(hints(50)).toEqual([TOLD]);
	expect(hints(50, READ, true)).toEqual([TOLD]);
	expect(hints(50, { operation: 'select' }, false, 'postgres')).toEqual([TOLD]);
	expect(hints(20, { ...READ, limit: 20 })).toEqual([TOLD.replace('50', '20')]);
});

it('not of one that gave fewer, or all, or what was asked for each, or of one row', () => {
	expect(hints(49)).toEqual([]);
	expect(hints(50, { ...READ, returnAll: true })).toEqual([]);
	expect(hints(50, { ...READ, filters: '={{ $json.parcelRef }}' })).toEqual([]);
	expect(hints(1, { ...READ, limit: 1 })).toEqual([]);
	expect(hints(50, { operation: 'executeQuery' }, false, 'postgres')).toEqual([]);
	expect(hints(50, READ, false, 'googleSheets')).toEqual([]);
});

function ofLine(rows: number, line: string, sets = 1) {
	const steps = [
		step('Search', OURS, { operation: 'search' }, ['Rows']),
		step('Rows', 'dataTable', READ, ['Find']),
		step('Find', 'code', { jsCode: line }, ['PDFs']),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, ['Mail']),
		mail(),
	];
	const gave = (length: number, previousNode: string) => [
		{ data: { main: [Array.from({ length }, () => ({ json: {} }))] }, source: [{ previousNode }] },
	];
	return cutShort({
		...wired(steps),
		getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
		runExecutionData: {
			resultData: { runData: { Search: gave(sets, 'Start'), Rows: gave(rows, 'Search') } },
		},
	} as never);
}

it('so of one that Code looks through, also where it is read for each set', () => {
	const find =
		'const rows = $("Rows").all();\nreturn $("Search").all().filter((set) => rows.some((row) => row.json.a === set.json.a));';
	expect(ofLine(50, find)).toEqual([TOLD]);
	expect(ofLine(200, find, 4)).toEqual([TOLD]);
	expect(ofLine(50, find, 4)).toEqual([]);
	expect(ofLine(100, find, 4)).toEqual([]);
	expect(ofLine(50, 'return $input.all();')).toEqual([]);
});
