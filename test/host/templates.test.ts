import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import { startMail, type Mail } from '../../sandbox/mail';
import { chain, type WorkflowJson } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { makeData, move } from '../../sandbox/service';
import { eventBody } from '../support/events';
import { savesReports } from '../support/hostVersion';
import { SHARED_HOST, type SharedHost } from '../support/host/start';
import { addressed, importTemplate } from '../support/host/template';
import { POLL_TRIGGER, TRIGGER, useWorld, using, type World } from '../support/host/world';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let mail: Mail;
beforeAll(async () => (mail = await startMail()));
afterAll(() => mail.close());

/** With the mail going to our catcher. */
async function filledIn(world: World, file: string): Promise<WorkflowJson> {
	const smtp = { host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true };
	const credentials = using(await world.n8n.credentials.create('Mail', 'smtp', smtp));
	return importTemplate(world, file, { 'n8n-nodes-base.emailSend': addressed(credentials) });
}

/** A reference stands alone: `SEGOT-1/1` is not in `SEGOT-1/10`. */
const names = (text: string, parcelRef: string) => text.split(/[\s:,]+/).includes(parcelRef);

// Each has a world of its own: an unpublished workflow keeps its place on a queue for a moment.
describe('the template "signed to one e-mail"', () => {
	const world = useWorld();

	it('sends every PDF of a signed set in one e-mail', async () => {
		const { service, publisher, publish } = world();
		await publish(await filledIn(world(), 'signed-to-one-e-mail'));
		const set = service.data.sets.find(({ status }) => status === 'drafted');
		await publisher.publish(move(service.data, set?.setId ?? '', 'sign', Date.now()));
		const message = await mail.waitFor(({ subject }) => subject.endsWith('is SIGNED'), 30_000);
		expect(message.subject).toBe(`Parcel ${set?.parcelRef} is SIGNED`);
		expect(message.attachments).toHaveLength(set?.documents.length ?? 0);
	});
});

describe('the template "changed sets to one e-mail"', () => {
	const world = useWorld();

	it('sends every PDF of a set that was issued since the last look', async () => {
		const { n8n, service } = world();
		const template = await filledIn(world(), 'changed-sets-to-one-e-mail');
		for (const { type, parameters } of template.nodes) {
			if (type === POLL_TRIGGER) parameters['pollTimes'] = { item: [{ mode: 'everyMinute' }] };
		}
		const { id } = await n8n.workflows.create(template);
		await n8n.workflows.publish(id);
		const looked = () => service.requests.some(({ path }) => path.startsWith('/v3/common/sets/search'));
		await waitUntil('the first look', looked);
		await sleep(3_000);
		const set = service.data.sets.find(
			({ status, documents }) => status === 'signed' && documents.length > 1,
		);
		move(service.data, set?.setId ?? '', 'issue', Date.now());
		const message = await mail.waitFor(({ subject }) => subject.endsWith('is ISSUED'), 90_000);
		expect(message.subject).toBe(`Parcel ${set?.parcelRef} is ISSUED`);
		expect(message.attachments).toHaveLength(set?.documents.length ?? 0);
		await n8n.workflows.unpublish(id);
	});
});

/** With an hour of two seconds. */
async function soonerWatch(world: World): Promise<WorkflowJson> {
	const template = await filledIn(world, 'queue-watch');
	for (const { name, parameters } of template.nodes) {
		if (name === 'An hour later') Object.assign(parameters, { amount: 2, unit: 'seconds' });
	}
	return template;
}

describe('the template "queue watch"', () => {
	const world = useWorld();

	it('sends one e-mail when nobody reads the queue for an hour, and none while a trigger does', async () => {
		const { n8n, publisher, publish, queue, queueCredential } = world();
		const { id } = await n8n.workflows.create(await soonerWatch(world()));
		const runOnce = async () =>
			await n8n.executions.finished(await n8n.workflows.run(id, 'Every hour'), 60_000);
		await publisher.publish(eventBody(1));
		const first = await runOnce();
		expect(first.error).toBeUndefined();
		const { subject, text } = await mail.waitFor((it) => it.subject.includes('Nobody reads'), 10_000);
		expect(subject).toBe(`Nobody reads the queue ${queue}`);
		expect(text).toContain(`1 events wait on the queue ${queue}`);
		expect((await runOnce()).nodes).not.toContain('Send one e-mail');

		const listening = await publish(
			chain('Listening', [
				{ name: 'On event', type: TRIGGER, parameters: { queue }, credentials: using(queueCredential) },
			]),
		);
		await n8n.executions.finishedOf(listening.id, 1);
		expect((await runOnce()).nodes).not.toContain('An hour later');
	});
});

describe('the template "queue watch" where another program reads', () => {
	const world = useWorld();

	it('sends one e-mail when events wait for an hour, and takes none', async () => {
		const { n8n, publisher, broker, vhost, queue } = world();
		for (let n = 0; n < 3; n++) await publisher.publish(eventBody(n));
		const reader = await connect(broker.url({ vhost }));
		try {
			// It takes one, and is not done with it.
			const channel = await reader.createChannel();
			await channel.prefetch(1);
			await channel.consume(queue, () => undefined);
			const depth = async () => await broker.queueDepth(queue, vhost);
			await waitUntil('one is taken', async () => (await depth()).unacknowledged === 1);
			const { id } = await n8n.workflows.create(await soonerWatch(world()));
			const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Every hour'), 60_000);
			expect(run.error).toBeUndefined();
			const { subject, text } = await mail.waitFor((it) => it.subject.startsWith('Events wait'), 10_000);
			expect(subject).toBe(`Events wait on the queue ${queue}`);
			expect(text).toContain(`2 events wait on the queue ${queue}, for an hour or longer. Readers: 1.`);
			expect(text).toContain('Is another program reading the queue, or the workflow too slow?');
			expect(await depth()).toMatchObject({ ready: 2, unacknowledged: 1 });
		} finally {
			await reader.close();
		}
	});
});

describe('the template "nightly: what did we miss"', () => {
	const world = useWorld();

	it('lists the changes that no event told of, each once', async () => {
		const { n8n, service, publisher, publish } = world();
		const stored = await publish(await filledIn(world(), 'nightly-what-did-we-miss'));
		const [seen, missed] = service.data.sets.filter(({ status }) => status === 'drafted');
		await publisher.publish(move(service.data, seen?.setId ?? '', 'sign', Date.now() - 3 * HOUR));
		move(service.data, missed?.setId ?? '', 'sign', Date.now() - 3 * HOUR);
		await n8n.executions.finishedOf(stored.id, 1);

		const first = await n8n.executions.finished(await n8n.workflows.run(stored.id, 'Every night'));
		expect(first.error).toBeUndefined();
		const { text } = await mail.waitFor(({ subject }) => subject.includes('without an event'), 10_000);
		expect(names(text, missed?.parcelRef ?? '')).toBe(true);
		expect(names(text, seen?.parcelRef ?? '')).toBe(false);

		const second = await n8n.executions.finished(await n8n.workflows.run(stored.id, 'Every night'));
		expect(second.error).toBeUndefined();
		expect(second.nodes).not.toContain('Send the list');

		// Many events at once: all of them are noted.
		const many = service.data.sets.filter(({ status }) => status === 'signed').slice(0, 40);
		expect(many.length).toBeGreaterThan(10);
		for (const { setId } of many) {
			await publisher.publish(move(service.data, setId, 'issue', Date.now() - 3 * HOUR));
		}
		await n8n.executions.finishedOf(stored.id, 3 + many.length, 60_000);
		const third = await n8n.executions.finished(await n8n.workflows.run(stored.id, 'Every night'));
		expect(third.error).toBeUndefined();
		expect(third.nodes).not.toContain('Send the list');
	});
});

describe('the template "draft waiting too long"', () => {
	// Counted from now: no draft is three days old to the minute.
	const world = useWorld({ data: makeData({ now: Date.now() }) });

	it('chases the drafts of more than three days and no others', async () => {
		const { n8n, service } = world();
		const now = Date.now();
		const drafts = service.data.sets.filter(({ status }) => status === 'drafted');
		const late = drafts.filter(({ modifiedAt }) => modifiedAt < now - 3 * DAY);
		expect(late.length).toBeGreaterThan(0);

		const { id } = await n8n.workflows.create(await filledIn(world(), 'draft-waiting-too-long'));
		const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Every working day at 8'));
		expect(run.error).toBeUndefined();
		const chased = await mail.waitFor((it) => it.subject.includes('wait for approval'), 10_000);
		const { subject, text, html } = chased;
		expect(subject).toBe(`${late.length} drafts wait for approval`);
		expect(drafts.filter(({ parcelRef }) => names(text, parcelRef))).toEqual(late);
		const rows = html.split('<tr').slice(1);
		expect(html).toContain('<table');
		expect(rows).toHaveLength(late.length + 1);
		for (const { parcelRef } of late) {
			expect(rows.filter((row) => row.includes(`>${parcelRef}<`))).toHaveLength(1);
		}
	});
});

const { n8nVersion } = JSON.parse(process.env[SHARED_HOST] ?? '{}') as SharedHost;

// An older n8n has no reports that could start an error workflow.
if (savesReports(n8nVersion))
	describe('the template "alert and replay"', () => {
		const world = useWorld();

		it('sends one e-mail for the report, and runs the event again from it', async () => {
			const { n8n, n8nUrl, service, publisher, publish, queue, queueCredential } = world();
			const alert = await n8n.workflows.create(await filledIn(world(), 'alert-and-replay'));
			await n8n.workflows.publish(alert.id);
			const failing = await publish({
				name: 'Fails',
				nodes: [
					{
						...{ id: 'a', name: 'Event', type: TRIGGER, typeVersion: 1, position: [0, 0] },
						...{ parameters: { queue, options: { attempts: 1 } }, credentials: using(queueCredential) },
					},
					{
						...{
							id: 'b',
							name: 'Fail',
							type: 'n8n-nodes-base.stopAndError',
							typeVersion: 1,
							position: [200, 0],
						},
						parameters: { errorMessage: 'The drive is full' },
					},
				],
				connections: { Event: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } },
				settings: { errorWorkflow: alert.id },
			});
			const set = service.data.sets.find(({ status }) => status === 'issued');
			await publisher.publish(move(service.data, set?.setId ?? '', 'sign', Date.now()));

			const report = await mail.waitFor(({ subject }) => subject.includes('needs a look'), 30_000);
			expect(report.text).toContain('The workflow failed once for the event SIGNED');
			expect(report.text).toContain('The drive is full');
			expect(report.text).toContain(set?.setId);

			const form = new FormData();
			form.set('field-0', report.text);
			const submit = () => fetch(`${n8nUrl}/form/parcel-replay`, { method: 'POST', body: form });
			await waitUntil('the form takes the report', async () => (await submit()).ok);
			const documents = await mail.waitFor(({ subject }) => subject.endsWith('documents'), 30_000);
			expect(documents.subject).toBe(`Parcel ${set?.parcelRef}: ${set?.documents.length} documents`);
			expect(documents.attachments).toHaveLength(set?.documents.length ?? 0);

			await n8n.executions.finishedOf(failing.id, 2);
			expect(mail.messages().filter(({ subject }) => subject.includes('needs a look'))).toHaveLength(1);

			// What the service never sends: somebody else put it on the queue.
			await publisher.publish({ note: 'not an event' } as never);
			const unreadable = await mail.waitFor(({ text }) => text.includes('not a status event'), 30_000);
			expect(unreadable.text).toContain('"note":"not an event"');
			await n8n.workflows.unpublish(alert.id);
		});
	});
