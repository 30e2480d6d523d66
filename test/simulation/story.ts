import { bodyOf } from './history/bodies';
import { knows, type History, type Step, type WorkflowPlan } from './history/history';
import type { Ledger } from './ledger';
import type { Violation } from './laws/law';

/** A history as a person reads it: what there was, what happened, and what became of the event it is about. */
export function storyOf(history: History, ledger: Ledger, violations: readonly Violation[]): string {
	const [first] = violations;
	const lines = [
		`Seed ${history.seed}. The law ${first?.law ?? '(none)'}: ${first?.says ?? 'all is well'}.`,
		...violations.slice(1, 6).map(({ law, says }) => `Also ${law}: ${says}.`),
		'',
		`The queue is ${queueWords(history)}.`,
		...history.workflows.map(workflowWords),
		hostWords(history),
		...boundsWords(history),
		'',
		'What was done:',
		...sendsTogether(history).map((line) => `  ${line}`),
		'',
		first?.event === undefined ? 'What came of it:' : `The life of event ${first.event}:`,
		...lifeOf(ledger, first?.event).map((line) => `  ${line}`),
	];
	return lines.join('\n');
}

function queueWords({ queue }: History): string {
	const more = [
		queue.rabbit && `on RabbitMQ ${queue.rabbit}`,
		queue.deliveryLimit !== undefined && `at most ${queue.deliveryLimit} deliveries`,
		queue.maxLength !== undefined && `holds ${queue.maxLength} messages`,
		queue.messageTtlMs !== undefined && `messages expire after ${queue.messageTtlMs / 1000} s`,
		queue.latencyMs && `frames travel ${queue.latencyMs[0]} to ${queue.latencyMs[1]} ms`,
		queue.deadLettersReturn && 'what is rejected comes back to it',
	].filter(Boolean);
	return [queue.type, ...more].join(', ');
}

function workflowWords({
	name,
	published,
	statuses,
	options,
	runMs,
	executionTimeout,
	credential,
}: WorkflowPlan): string {
	const chosen = statuses.length > 0 ? statuses.join(' and ') : 'every status';
	const set = Object.entries(options).map(([option, value]) => `${option} ${String(value)}`);
	const limit = executionTimeout === undefined ? [] : [`time limit ${executionTimeout} s`];
	return [
		`Workflow ${name} (${published ? 'published' : 'not published yet'}) asks for ${chosen}; runs take ${runMs[0]} to ${runMs[1]} ms`,
		...set,
		...limit,
		...(knows(credential) ? [] : ['with a wrong password']),
		...(credential.vhost === undefined ? [] : [`on virtual host ${credential.vhost}`]),
	].join('; ');
}

function hostWords({ host }: History): string {
	const { startGapMs, closeGapMs, concurrency, startFailure, reports, cutsOffRuns } = host;
	const places = concurrency > 0 ? `, ${concurrency} runs at once in all` : '';
	const failure = startFailure === 'rejects' ? '' : `; a start that fails is told so: ${startFailure}`;
	const store = reports === undefined ? '' : `; a report is ${reports}`;
	const end = cutsOffRuns ? '; its end cuts off what runs, and says so' : '';
	return `n8n starts a workflow every ${startGapMs} ms, closes one every ${closeGapMs} ms${places}${failure}${store}${end}.`;
}

function boundsWords({ bounds = {} }: History): string[] {
	const set = Object.entries(bounds).map(([name, value]) => `${name} ${value}`);
	return set.length === 0 ? [] : [`The hub has shorter bounds: ${set.join(', ')}.`];
}

/** Sends at one moment are one line. */
function sendsTogether(history: History): string[] {
	const lines: string[] = [];
	let sends: number[] = [];
	const flush = (at: number) => {
		if (sends.length === 0) return;
		lines.push(`${clockTime(at)}  sent: ${sends.map((event) => eventWords(history, event)).join(', ')}`);
		sends = [];
	};
	let last = -1;
	for (const step of history.steps) {
		if (step.do !== 'send' || step.at !== last) flush(last);
		last = step.at;
		if (step.do === 'send') sends.push(step.event);
		else lines.push(`${clockTime(step.at)}  ${happeningWords(step)}`);
	}
	flush(last);
	return lines;
}

function eventWords({ events }: History, number: number): string {
	const event = events.find((each) => each.number === number);
	if (!event) return `event ${number}`;
	const kind = event.odd ?? (event.poison ? 'poison' : undefined);
	const changes = event.changes
		? ` ${JSON.stringify(event.changes, (_, value: unknown) => value ?? null)}`
		: '';
	const size = event.kilobytes === undefined ? '' : `, ${event.kilobytes} kB`;
	const spelling = event.spelling && event.spelling !== 'plain' ? ` ${event.spelling}` : '';
	const place = event.vhost === undefined ? '' : `, ${event.vhost}`;
	return `${number} (set ${event.set}${spelling} ${event.status}${kind ? `, ${kind}` : ''}${size}${place}${changes})`;
}

function happeningWords(step: Step): string {
	const facts = Object.entries(step)
		.filter(([name]) => name !== 'at' && name !== 'do')
		.map(([name, value]) =>
			name.endsWith('Ms')
				? `${name.slice(0, -2)} ${Number(value) / 1000} s`
				: `${name} ${JSON.stringify(value)}`,
		);
	return [step.do, ...facts].join(', ');
}

const MOST_NAMED = 20;

/** In their order in the batch. */
const batchWords = (events: readonly number[]) =>
	events.length > MOST_NAMED ? `${events.slice(0, MOST_NAMED).join(', ')} …` : events.join(', ');

/** Everything about one event, or the reports and warnings when the violation is about none. */
function lifeOf(ledger: Ledger, event: number | undefined): string[] {
	const moments: Array<{ at: number; text: string }> = [];
	const say = (at: number | undefined, text: string) => {
		if (at !== undefined) moments.push({ at, text });
	};
	for (const message of ledger.messages.filter((each) => each.event === event)) {
		say(message.sentAt, 'sent to the queue');
		say(message.at, `${message.fate}, delivered ${message.deliveries} times`);
	}
	for (const run of ledger.runs.filter(({ events }) => event !== undefined && events.includes(event))) {
		const batch = run.events.length > 1 ? ` with the events ${batchWords(run.events)}` : '';
		say(run.handedAt, `run ${run.id} of workflow ${run.workflow}${batch}, process ${run.life}`);
		say(run.endedAt, `run ${run.id} ${run.outcome ?? ''}`);
	}
	for (const report of ledger.reports) {
		if (event !== undefined && report.events.length > 0 && !report.events.includes(event)) continue;
		const stored = report.stored ? '' : ' (not stored: the database was away)';
		say(report.at, `report of workflow ${report.workflow}: ${report.text.split('\n')[0] ?? ''}${stored}`);
	}
	for (const { at, level, text, life } of ledger.logs) {
		if (level === 'info' || level === 'warn') say(at, `log of process ${life}: ${text}`);
	}
	const inOrder = moments.sort((a, b) => a.at - b.at);
	const shown =
		inOrder.length > 30
			? [...inOrder.slice(0, 20), { at: inOrder[20]?.at ?? 0, text: '…' }, ...inOrder.slice(-9)]
			: inOrder;
	return shown.map(({ at, text }) => `${clockTime(at)}  ${text}`);
}

/** `0:01:02.345`, from the beginning. */
function clockTime(ms: number): string {
	const two = (value: number, digits = 2) => String(value).padStart(digits, '0');
	const whole = Math.floor(ms);
	return `${Math.floor(whole / 3_600_000)}:${two(Math.floor(whole / 60_000) % 60)}:${two(Math.floor(whole / 1000) % 60)}.${two(whole % 1000, 3)}`;
}

/** The history byte for byte: its plan and the bodies it sends. */
export function writtenOut(history: History): string {
	return JSON.stringify([history, history.events.map((event) => bodyOf(event).toString('base64'))]);
}
