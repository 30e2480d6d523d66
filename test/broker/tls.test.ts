import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { makeCertificates, type Certificates } from '../../sandbox/tls/certificates';
import type { QueueAddress } from '../../service/queue/contract';
import { createHub } from '../../service/queue/hub';
import { tryLogin } from '../../service/queue/peek';
import { systemClock } from '../../service/surroundings';
import { eventBody } from '../support/events';
import { startTestQueue, type TestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';

jest.setTimeout(60_000);

/** One broker asks for a client certificate; the other shows a certificate for another host name. */
let asking: TestQueue;
let elsewhere: TestQueue;
let ours: Certificates;
let strangers: Certificates;
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-tls-'));
	[ours, strangers] = await Promise.all([
		makeCertificates(join(folder, 'ours')),
		makeCertificates(join(folder, 'strangers')),
	]);
	const tls = { caFile: ours.caFile, ...ours.server, clientCertificateNeeded: true };
	[asking, elsewhere] = await Promise.all([
		startTestQueue({ tls }),
		startTestQueue({ tls: { caFile: ours.caFile, ...ours.otherServer } }),
	]);
});
afterAll(async () => {
	await Promise.all([asking?.close(), elsewhere?.close()]);
	await rm(folder, { recursive: true, force: true });
});

/** Everything right for the broker that asks for a client certificate. */
const complete = (changes: Partial<QueueAddress> = {}): QueueAddress =>
	addressOf(asking.broker, {
		tls: true,
		port: asking.broker.tlsPort!,
		caCertificate: ours.ca,
		clientCertificate: ours.client.certificate,
		clientKey: ours.client.key,
		...changes,
	});

const toOtherName = (changes: Partial<QueueAddress> = {}): QueueAddress =>
	addressOf(elsewhere.broker, {
		tls: true,
		port: elsewhere.broker.tlsPort!,
		caCertificate: ours.ca,
		...changes,
	});

const asOneLine = (pem: string) => pem.trim().replace(/\n/g, ' ');

describe('an event comes through', () => {
	it.each<[string, () => TestQueue, () => QueueAddress]>([
		['with an own authority and a client certificate', () => asking, () => complete()],
		[
			'with an encrypted client key',
			() => asking,
			() => complete({ clientKey: ours.encryptedClientKey, passphrase: ours.passphrase }),
		],
		[
			'with every PEM text pasted as one line',
			() => asking,
			() =>
				complete({
					caCertificate: asOneLine(ours.ca),
					clientCertificate: asOneLine(ours.client.certificate),
					clientKey: asOneLine(ours.client.key),
				}),
		],
		[
			'with a certificate for another host name, which is set as the server name',
			() => elsewhere,
			() => toOtherName({ serverName: 'queue.example.com' }),
		],
	])('%s', async (label, service, address) => {
		const queue = await service().declare(label);
		const recording = subscriber(address(), queue);
		const member = await createHub(recordingLogger(), systemClock).subscribe(recording, false);
		await member.untilListening();
		await service().publish(queue, eventBody(1));
		await waitUntil('it ran', () => recording.runs.length === 1);
		await member.leave();
	});
});

describe('two credentials that differ in TLS alone', () => {
	async function rightAndOther() {
		const queue = await asking.declare(`tls-${Math.random()}`);
		const hub = createHub(recordingLogger(), systemClock);
		const address = complete();
		const [right, other] = ['right', 'other'].map((key) =>
			subscriber(key === 'right' ? complete() : address, queue, { key: `${key}:n` }),
		);
		const first = await hub.subscribe(right!, false);
		await first.untilListening();
		return { queue, hub, address, right: right!, other: other!, first };
	}

	it('one that turns wrong does not keep the other from listening again', async () => {
		const { queue, hub, address, right, other, first } = await rightAndOther();
		const second = await hub.subscribe(other, false);
		await second.untilListening();
		address.caCertificate = strangers.ca;
		await asking.broker.closeConnections();
		await asking.publish(queue, eventBody(1));
		await waitUntil('both have it', () => right.runs.length + other.runs.length === 2, {
			deadlineMs: 30_000,
		});
		expect([...right.problems, ...other.problems]).toEqual([]);
		await Promise.all([first.leave(), second.leave()]);
	});

	it('a wrong one is refused although the queue is listened to already', async () => {
		const { hub, address, other, first } = await rightAndOther();
		address.caCertificate = '';
		await expect(hub.subscribe(other, false)).rejects.toMatchObject({ code: 'certificate' });
		await first.leave();
	});

	it('both wrong, each in its way: one report each', async () => {
		const { hub, address, right, other, first } = await rightAndOther();
		const second = await hub.subscribe(other, false);
		Object.assign(address, { caCertificate: strangers.ca });
		Object.assign(await right.readAddress(), { clientCertificate: '', clientKey: '' });
		await asking.broker.closeConnections();
		await waitUntil('both are told', () => right.problems.length + other.problems.length >= 2, {
			deadlineMs: 40_000,
		});
		expect([...right.problems, ...other.problems]).toMatchObject([{ kind: 'outage' }, { kind: 'outage' }]);
		await Promise.all([first.leave(), second.leave()]);
	});
});

describe('is refused with a remedy', () => {
	it.each<[string, () => QueueAddress, string, RegExp]>([
		['no authority', () => complete({ caCertificate: '' }), 'certificate', /CA Certificate/],
		['another authority', () => complete({ caCertificate: strangers.ca }), 'certificate', /CA Certificate/],
		[
			'no client certificate',
			() => complete({ clientCertificate: '', clientKey: '' }),
			'certificate',
			/Client Certificate/,
		],
		[
			'a client certificate of another authority',
			() => complete({ clientCertificate: strangers.client.certificate, clientKey: strangers.client.key }),
			'certificate',
			/Client Certificate/,
		],
		[
			"another certificate's key",
			() => complete({ clientKey: strangers.client.key }),
			'certificate',
			/Client Key|PEM text/,
		],
		['a client certificate without its key', () => complete({ clientKey: '' }), 'invalidInput', /both/],
		[
			'a wrong passphrase',
			() => complete({ clientKey: ours.encryptedClientKey, passphrase: 'wrong' }),
			'certificate',
			/passphrase/,
		],
		[
			'a missing passphrase',
			() => complete({ clientKey: ours.encryptedClientKey }),
			'certificate',
			/passphrase/,
		],
		[
			'an authority that is no PEM text',
			() => complete({ caCertificate: 'my certificate' }),
			'invalidInput',
			/BEGIN CERTIFICATE/,
		],
		['a certificate for another host name', () => toOtherName(), 'certificate', /Server Name/],
		[
			'a wrong server name',
			() => toOtherName({ serverName: 'other.example.com' }),
			'certificate',
			/Server Name/,
		],
		['TLS on the plain port', () => complete({ port: asking.broker.port }), 'network', /TLS off/],
		['no TLS on the TLS port', () => complete({ tls: false }), 'network', /TLS on/],
	])('%s', async (_, address, code, remedy) => {
		const refusal = tryLogin(address(), systemClock, recordingLogger());
		await expect(refusal).rejects.toMatchObject({ code, remedy: expect.stringMatching(remedy) });
	});
});
