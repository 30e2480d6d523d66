import type { INodeParameters } from 'n8n-workflow';
import { refuseRanForOthers } from '../../nodes/ParcelDocumentExchange/actions/ranForOthers';
import { mail, step, wired } from '../support/stepsBehind';

/** Two branches that lead to the papers each by itself, and a mail that asks which of them has run. */

const OURS = 'x.parcelDocumentExchange';
const ASKING = '={{ $("A").isExecuted ? $("A").first().json.email : $("B").first().json.email }}';

interface Asked {
	from: 'A' | 'B';
	/** Which of the branches have run. */
	ran?: string[];
	/** Around all of it. */
	isLooped?: boolean;
	toEmail?: string;
	/** What stands in the branches. */
	branch?: INodeParameters;
	/** A step where the branches come together, in front of the papers. */
	said?: { type: string; email: string };
	/** What was typed into each branch. */
	typed?: Record<'A' | 'B', string>;
}

function refuse({
	from,
	ran = ['A', 'B'],
	isLooped = false,
	toEmail = ASKING,
	branch = {},
	said,
	typed,
}: Asked) {
	const steps = [
		step('Search', OURS, { operation: 'search' }, [isLooped ? 'Loop' : 'If']),
		...(isLooped ? [step('Loop', 'splitInBatches', {}, [], ['If'])] : []),
		step('If', 'if', {}, ['A'], ['B']),
		...['A', 'B'].map((name) => step(name, 'set', branch, [said ? 'Said' : 'PDFs'])),
		...(said ? [step('Said', said.type, { email: said.email }, ['PDFs'])] : []),
		step('PDFs', OURS, { operation: 'getAllPdfs', onePerSet: true }, ['Mail']),
		{ ...mail(undefined, { toEmail }), to: isLooped ? [['Loop']] : [] },
	];
	const gave = (previousNode: string, previousNodeRun = 0, json = {}) => ({
		data: { main: [[{ json }]] },
		source: [{ previousNode, previousNodeRun }],
	});
	const runData = {
		Search: [gave('Start')],
		Loop: [gave('Search'), gave('Mail')],
		If: isLooped ? [gave('Loop'), gave('Loop', 1)] : [gave('Search')],
		...Object.fromEntries(
			ran.map((name) => {
				const json = typed && { email: typed[name as 'A' | 'B'], status: name };
				return [name, [gave('If', isLooped && name === from ? 1 : 0, json)]];
			}),
		),
		Said: [gave('A'), gave('B')],
		PDFs: [gave('A')],
		Mail: [gave('PDFs')],
	};
	refuseRanForOthers({
		...wired(steps),
		getNode: () => ({ name: 'PDFs', type: OURS, typeVersion: 1, parameters: {} }),
		runExecutionData: { resultData: { runData } },
		executeData: {
			source: {
				main: [
					said ? { previousNode: 'Said', previousNodeRun: from === 'A' ? 0 : 1 } : { previousNode: from },
				],
			},
		},
	} as never);
}

it.each([false, true])('what came by the other one is refused, in a loop: %s', (isLooped) => {
	expect(() => refuse({ from: 'B', isLooped })).toThrow(
		/^"Mail" asks whether "A" has run, and it has, for other sets than those that came now/,
	);
});

it('not what came by that one, nor where no other ran, nor what asks for nothing of the kind', () => {
	expect(() => refuse({ from: 'A' })).not.toThrow();
	expect(() => refuse({ from: 'A', isLooped: true })).not.toThrow();
	expect(() => refuse({ from: 'B', ran: ['B'] })).not.toThrow();
	expect(() => refuse({ from: 'B', toEmail: '={{ $("B").first().json.email }}' })).not.toThrow();
	expect(() => refuse({ from: 'B', toEmail: '={{ $("Search").isExecuted }}' })).not.toThrow();
});

it.each([false, true])('so is what a step in front says of it, in a loop: %s', (isLooped) => {
	const toEmail = '={{ $("Said").item.json.email }}';
	const refused = (from: 'A' | 'B', type = 'set', email = ASKING) =>
		refuse({ from, isLooped, toEmail, said: { type, email } });
	expect(() => refused('B')).toThrow(
		/^"Said" asks whether "A" has run, and it has, for other sets than those that came now/,
	);
	expect(() => refused('A')).not.toThrow();
	expect(() => refused('B', 'set', '={{ $json.email }}')).not.toThrow();
	expect(() => refused('B', 'set', '={{ $("Search").isExecuted }}')).not.toThrow();
	if (!isLooped) expect(() => refused('B', 'filter')).not.toThrow();
});

const BRANCH = {
	assignments: {
		assignments: [{ name: 'email', value: '={{ $json.parcelRef }}@example.com', type: 'string' }],
	},
	includeOtherFields: true,
};
const TYPED = {
	assignments: { assignments: [{ name: 'email', value: 'desk@example.com', type: 'string' }] },
	includeOtherFields: true,
};
const FIRST = '={{ $("A").first().json.email }}';

it.each([false, true])('nor does the first of the other branch say it, in a loop: %s', (isLooped) => {
	const refused = (toEmail: string, from: 'A' | 'B' = 'B', branch: INodeParameters = BRANCH) =>
		refuse({ from, isLooped, toEmail, branch });
	for (const toEmail of [FIRST, '={{ $("A").all()[0].json.email }}', '={{ $("A").last().json["email"] }}']) {
		expect(() => refused(toEmail)).toThrow(
			/^"Mail" takes the first of "A", which ran for other sets than those that came now/,
		);
	}
	expect(() => refused(FIRST, 'A')).not.toThrow();
	expect(() => refused('={{ $("A").item.json.email }}')).not.toThrow();
	expect(() => refused('={{ $("Search").first().json.email }}')).not.toThrow();
	expect(() => refused('={{ $("A").first().json.status }}')).not.toThrow();
	// What was typed there is the same for all; in a loop, what stands behind has run for the sets of before.
	expect(() => refused(FIRST, 'B', TYPED)).not.toThrow();
	expect(() => refused('={{ $("PDFs").first().json.email }}')).not.toThrow();
});

it.each([false, true])('nor what each branch has typed for its own sets, in a loop: %s', (isLooped) => {
	const typed = { A: 'a@example.com', B: 'b@example.com' };
	const refused = (more: Partial<Asked>) => () =>
		refuse({ from: 'B', isLooped, toEmail: FIRST, branch: TYPED, typed, ...more });
	for (const toEmail of [FIRST, '={{ $node["A"].json.email }}', '={{ $items("A")[0].json.email }}'])
		expect(refused({ toEmail })).toThrow(/^"Mail" takes the first of "A", which ran for other sets/);
	expect(refused({ from: 'A' })).not.toThrow();
	expect(refused({ typed: { ...typed, B: typed.A } })).not.toThrow();
	expect(refused({ toEmail: '={{ $("A").first().json.status }}' })).not.toThrow();
});

it('so does what a step in front takes of it', () => {
	const toEmail = '={{ $("Said").item.json.email }}';
	expect(() => refuse({ from: 'B', toEmail, branch: BRANCH, said: { type: 'set', email: FIRST } })).toThrow(
		/^"Said" takes the first of "A", which ran for other sets/,
	);
});
