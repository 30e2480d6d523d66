import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { pinnedInFront } from '../../nodes/ParcelDocumentExchange/actions/aboutRun';
import { switchedOff } from '../../nodes/ParcelDocumentExchange/parameters/switchedOff';
import { refuseWithoutPapers } from '../../nodes/ParcelDocumentExchange/trigger/papersOff';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import { startService } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { triggerContext } from '../support/triggerContext';
import { forAll } from '../support/forAll';

/** What n8n hands on from a step that is switched off, or pinned: green, and nothing of it is told by n8n. */

const service = forAll(startService);

const step = (name: string, type: string, parameters: INodeParameters = {}, disabled = false) => ({
	...{ name, type, parameters, disabled, typeVersion: 2.1 },
});
const OURS = 'x.parcelDocumentExchange';
const papers = (disabled: boolean, operation = 'getAllPdfs', name = 'PDFs') =>
	step(name, OURS, { operation, onePerSet: true }, disabled);
const MAIL = step('Mail', 'n8n-nodes-base.emailSend', {
	options: { fileAttachments: '={{ $json.attachments }}' },
});

/** Of steps in a row. */
const childrenIn = (row: ReturnType<typeof step>[]) => (name: string) =>
	row.slice(row.findIndex((one) => one.name === name) + 1);
const parentsIn = (row: ReturnType<typeof step>[]) => (name: string) =>
	row.slice(
		0,
		Math.max(
			0,
			row.findIndex((one) => one.name === name),
		),
	);
/** As a step in front of them sees it. */
const told = (...row: ReturnType<typeof step>[]) =>
	switchedOff({
		...{ getNode: () => ({ name: 'Search' }) as never, getChildNodes: childrenIn(row) },
		getParentNodes: parentsIn(row),
	});

it.each(['getAllPdfs', 'getPdf'])('a mail behind a step that is switched off is told: %s', (operation) => {
	expect(told(papers(true, operation), MAIL)).toEqual([
		'The step "PDFs" is switched off, and "Mail" attaches its files: its mails would leave without papers. Switch "PDFs" on, or switch "Mail" off as well.',
	]);
});

it.each<[string, ReturnType<typeof step>[]]>([
	['a step that is on', [papers(false), MAIL]],
	['a mail that is switched off too', [papers(true), { ...MAIL, disabled: true }]],
	['a mail of words', [papers(true), { ...MAIL, parameters: {} }]],
	['another step that gives the files', [papers(true), papers(false, 'getAllPdfs', 'More'), MAIL]],
	['another in front of it', [papers(false, 'getAllPdfs', 'More'), papers(true), MAIL]],
	['a step that gives no files', [papers(true, 'get'), MAIL]],
])('%s is not', (_, row) => expect(told(...row)).toEqual([]));

describe('a trigger', () => {
	const publish = (mode: string, ...row: ReturnType<typeof step>[]) => {
		const { context, logger } = triggerContext();
		Object.assign(context, {
			getChildNodes: childrenIn(row),
			getParentNodes: parentsIn(row),
			getActivationMode: () => mode,
		});
		refuseWithoutPapers(context);
		return logger.lines.filter((line) => line.startsWith('warn'));
	};

	const node = (mode: string, getPollBudgetMs?: () => number) => {
		const { context, logger } = triggerContext();
		Object.assign(context, {
			...{ getChildNodes: childrenIn([papers(true), MAIL]), getMode: () => 'trigger' },
			getParentNodes: parentsIn([papers(true), MAIL]),
			...{ getActivationMode: () => mode, getPollBudgetMs },
		});
		return { context, logger };
	};

	// What is published again, also after it was refused, n8n calls an update.
	it.each(['activate', 'update'])('refuses to be published, by its node too: %s', async (mode) => {
		expect(() => publish(mode, papers(true), MAIL)).toThrow(/^The step "PDFs" is switched off, and "Mail"/);
		const listening = new ParcelDocumentExchangeTrigger().trigger.call(node(mode).context);
		await expect(listening).rejects.toThrow(/is switched off/);
		const looking = new ParcelDocumentExchangePollTrigger().poll.call(node(mode).context as never);
		await expect(looking).rejects.toThrow(/is switched off/);
	});

	it('goes on with the looks of n8n, which calls those an update as well', async () => {
		const { context, logger } = node('update', () => 36_000);
		await new ParcelDocumentExchangePollTrigger().poll.call(context as never);
		expect(logger.lines.join()).not.toMatch(/is switched off/);
	});

	it('asks n8n the same of the steps around once: for each answer it walks through the workflow, at each start', () => {
		const row = Array.from({ length: 10 }, (_, n) => [
			...[papers(false, 'getAllPdfs', `PDFs ${n}`), { ...MAIL, name: `Mail ${n}` }],
		]).flat();
		const asked: string[] = [];
		const { context } = triggerContext();
		Object.assign(context, {
			...{ getChildNodes: childrenIn(row), getActivationMode: () => 'init' },
			getParentNodes: (name: string, options: object) => {
				asked.push(JSON.stringify([name, options]));
				return parentsIn(row)(name);
			},
		});
		refuseWithoutPapers(context);
		expect(asked.length).toBeGreaterThan(0);
		expect(asked).toHaveLength(new Set(asked).size);
	});

	it('goes on where n8n starts it by itself, with a line in the log', () => {
		for (const mode of ['init', 'leadershipChange'])
			expect(publish(mode, papers(true), MAIL)).toEqual([expect.stringContaining('is switched off')]);
		expect(publish('activate', papers(false), MAIL)).toEqual([]);
	});
});

const pinned = (pins: string[], steps: Parameters<typeof pinnedInFront>[1], behind = [MAIL]) =>
	pinnedInFront(
		{
			getNode: () => ({ name: 'PDFs' }) as never,
			getChildNodes: () => behind,
			runExecutionData: {
				resultData: { pinData: Object.fromEntries(pins.map((name) => [name, []])) },
			},
		},
		steps,
	);
const SEARCH = { name: 'Search', type: OURS, setIds: new Set(['a']), events: [] };

it('a search that is pinned in front of a mail, or a drive, is told, and nothing else that is pinned', () => {
	expect(pinned(['Search'], [SEARCH])).toEqual([
		expect.stringMatching(/^"Search" is pinned: .*"Mail" sends.*Unpin it\.$/),
	]);
	expect(pinned(['Search'], [SEARCH], [step('Drive', 'n8n-nodes-base.googleDrive')])).toHaveLength(1);
	expect(pinned([], [SEARCH])).toEqual([]);
	expect(pinned(['Search'], [SEARCH], [])).toEqual([]);
	expect(pinned(['Search'], [{ ...SEARCH, setIds: new Set<string>() }])).toEqual([]);
	expect(pinned(['Search'], [{ ...SEARCH, type: 'x.parcelDocumentExchangePollTrigger' }])).toEqual([]);
	const event = { ...SEARCH, name: 'Event', events: [{ setId: 'a', parcelReference: null }] };
	expect(pinned(['Search'], [event, SEARCH])).toEqual([]);
});

it('a row that is pinned between a real event and a mail that goes by it is told, and not beside a pinned event', () => {
	const event = { ...SEARCH, name: 'Event', type: 'x.parcelDocumentExchangeTrigger' };
	const ofEvent = { ...event, events: [{ setId: 'a', parcelReference: null }] };
	const row = { ...SEARCH, name: 'Row', setIds: new Set<string>() };
	const mail = (toEmail: string) => [{ ...MAIL, parameters: { ...MAIL.parameters, toEmail } }];
	const goesByIt = mail('={{ $("Row").item.json.email }}');
	expect(pinned(['Row'], [ofEvent, row], goesByIt)).toEqual([
		expect.stringMatching(/^"Row" is pinned: .*Unpin it\.$/),
	]);
	expect(pinned(['Row', 'Event'], [ofEvent, row], goesByIt)).toEqual([]);
	expect(pinned(['Row'], [ofEvent, row], mail('={{ $("Event").item.json.email }}'))).toEqual([]);
});

/** In n8n's own engine, of whose contexts a part is read that they do not promise. */
describe('in n8n', () => {
	const SEARCHED: IDataObject = { resource: 'set', operation: 'search', limit: 2 };
	const mail = {
		name: 'Mail',
		type: 'n8n-nodes-base.emailSend',
		parameters: { options: { fileAttachments: '={{ $json.attachments }}' } },
	};
	const hintsOf = async (...asked: Parameters<typeof runAction>) =>
		(await runAction(...asked)).hints.map(({ message }) => message);

	it('the settings of a mail are seen', async () => {
		const [one, two] = service.data.sets;
		const items = [one, two].map((set) => ({ json: { setId: set!.setId } }));
		const setId = { __rl: true, mode: 'id', value: '={{ $json.setId }}' };
		const asked = { resource: 'document', operation: 'getAllPdfs', setId, lookup: {}, onePerSet: true };
		const run = (executeOnce: boolean) =>
			hintsOf(service.baseUrl, asked, { items, behind: [{ ...mail, ...{ executeOnce } }] });
		expect(await run(true)).toEqual([
			expect.stringContaining('Execute Once is on in the settings of "Mail"'),
		]);
		expect(await run(false)).toEqual([]);
	});

	it('a step of ours that is switched off is told by one in front', async () => {
		const pdfs = { name: 'PDFs', type: OURS, parameters: { operation: 'getAllPdfs' }, ...{ disabled: true } };
		expect(await hintsOf(service.baseUrl, SEARCHED, { behind: [pdfs, mail] })).toEqual([
			expect.stringContaining('"PDFs" is switched off'),
		]);
	});
});
