import type { INodeParameters } from 'n8n-workflow';
import { refusePlacedElsewhere } from '../../nodes/ParcelDocumentExchange/actions/placedElsewhere';
import { mail, ofSet, step, wired } from '../support/stepsBehind';

/** What is sent goes by what stands at the same place in a step in front, and a Filter between let one go. */

const OURS = 'x.parcelDocumentExchange';
const PLACED = '={{ $("Search").all()[$itemIndex].json.parcelRef }}@a.example';
const found = ['a', 'b', 'c'].map((setId) => ({
	json: { setId, parcelRef: setId.toUpperCase(), company: 'One' },
}));

interface Placed {
	/** Which of the sets the Filter let through. */
	left?: number[];
	/** What stands in front of the papers, behind the Filter. */
	says?: string;
	toEmail: string;
	/** Between the papers and the mail. */
	between?: string;
}

function refuse({ left = [1, 2], says, toEmail, between }: Placed) {
	const saying: INodeParameters = {
		includeOtherFields: true,
		assignments: { assignments: [{ name: 'email', value: says ?? 'x', type: 'string' }] },
	};
	const steps = [
		step('Search', OURS, { operation: 'search' }, ['Filter']),
		step('Filter', 'filter', {}, ['Says']),
		step('Says', 'set', saying, ['PDFs']),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, [between ? 'Between' : 'Mail']),
		...(between ? [step('Between', between, {}, ['Mail'])] : []),
		mail(undefined, { toEmail }),
	];
	const came = left.map((item, index) => ({ ...found[item]!, pairedItem: { item: index } }));
	const gave = (previousNode: string, items: object[]) => [
		{ data: { main: [items] }, source: [{ previousNode, previousNodeRun: 0 }] },
	];
	const runData = {
		Search: gave('Start', found),
		Filter: gave(
			'Search',
			left.map((item) => ({ ...found[item]!, pairedItem: { item } })),
		),
		Says: gave('Filter', came),
	};
	const papers = left.map((item, index) => ({
		...ofSet(found[item]!.json.setId),
		pairedItem: { item: index },
	}));
	refusePlacedElsewhere(
		{
			...wired(steps),
			getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
			runExecutionData: { resultData: { runData } },
			executeData: { source: { main: [{ previousNode: 'Says' }] } },
		} as never,
		papers,
	);
}

const SAID = '={{ $("Says").item.json.email }}';

it.each<[string, Placed, string]>([
	['in the mail', { toEmail: PLACED }, 'Mail'],
	['in the mail, behind Edit Fields', { toEmail: PLACED, between: 'set' }, 'Mail'],
	['as older workflows say it', { toEmail: '={{ $node["Search"].json.parcelRef }}@a.example' }, 'Mail'],
	['in front of the papers', { toEmail: SAID, says: PLACED }, 'Says'],
])('is refused %s', (_, placed, name) => {
	expect(() => refuse(placed)).toThrow(
		`"${name}" takes what stands at the same place in "Search", and that is another set by now`,
	);
});

it.each<[string, Placed]>([
	['all stand where they stood', { toEmail: PLACED, left: [0, 1, 2] }],
	['those that were left out stood behind them', { toEmail: PLACED, left: [0, 1] }],
	['the set itself says it', { toEmail: '={{ $("Search").item.json.parcelRef }}' }],
	['all say the same', { toEmail: '={{ $("Search").all()[$itemIndex].json.company }}' }],
	['no mail goes by what was said in front', { toEmail: '={{ $json.setId }}', says: PLACED }],
	['another step may have moved them', { toEmail: PLACED, between: 'sort' }],
])('not where %s', (_, placed) => {
	expect(() => refuse(placed)).not.toThrow();
});
