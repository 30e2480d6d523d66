import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControl, type Control } from '../../sandbox/control';
import { startMail, type Mail } from '../../sandbox/mail';
import { waitUntil } from '../../sandbox/process/waitUntil';
import {
	makeData,
	startService,
	type ParcelSet,
	type Service,
	type StatusEvent,
} from '../../sandbox/service';
import { talk } from './talk';

const PASSWORD = 'Quay7-of-the-owner';
let service: Service;
let mail: Mail;
let control: Control;
let folder: string;
let outputFolder: string;
let published: StatusEvent[];
let publishing: () => Promise<void>;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-control-'));
	outputFolder = join(folder, 'output');
	await mkdir(outputFolder);
	published = [];
	publishing = () => Promise.resolve();
	service = await startService({ data: makeData({ sets: 120 }) });
	mail = await startMail();
	const publish = async (event: StatusEvent) => {
		await publishing();
		published.push(event);
	};
	const links = {
		n8n: 'http://localhost:5678/',
		signIn: { email: 'owner@example.com', password: PASSWORD },
	};
	control = await startControl({ service, mail, outputFolder, publish, links, everyMs: 20 });
});
afterEach(async () => {
	await Promise.all([control.close(), mail.close(), service.close()]);
	await rm(folder, { recursive: true, force: true });
});

const at = (path: string) => control.url + path;
const keyOf = (it: Control) => new URL(it.ownUrl).hash.replace('#key=', '');
/** As the page does that was opened with its key. */
const fetch = (url: string, init: RequestInit = {}) =>
	globalThis.fetch(url, { ...init, headers: { 'x-key': keyOf(control), ...(init.headers as object) } });
const json = async <T>(path: string, init?: RequestInit) => (await (await fetch(at(path), init)).json()) as T;
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
	fetch(at(path), {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
const drafted = () => service.data.sets.find((set) => set.status === 'drafted') as ParcelSet;

/** The status of a request that fetch would not send as it stands: its own path or its own Host. */
function rawStatus(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
	const { hostname, port } = new URL(control.url);
	return new Promise((resolve, reject) => {
		const shown = { 'x-key': keyOf(control), ...headers };
		request({ hostname, port, path, headers: shown }, (response) => resolve(response.resume().statusCode))
			.on('error', reject)
			.end();
	});
}

describe('the page', () => {
	test.each([
		['', 'text/html'],
		['page.css', 'text/css'],
		['page.js', 'text/javascript'],
		['ask.js', 'text/javascript'],
		['list.js', 'text/javascript'],
		['detail.js', 'text/javascript'],
		['results.js', 'text/javascript'],
		['element.js', 'text/javascript'],
	])('/%s is served as %s under a policy that runs its own scripts only', async (path, type) => {
		const response = await globalThis.fetch(at(path));
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toContain(type);
		expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
	});

	test('tells the password of n8n to whom the terminal gave its key', async () => {
		expect(keyOf(control).length).toBeGreaterThan(20);
		const { signIn } = await json<{ signIn: object }>('api/links');
		expect(signIn).toEqual({ email: 'owner@example.com', password: PASSWORD });
	});

	test('holds the password and the key nowhere else', async () => {
		const key = keyOf(control);
		for (const path of ['', 'page.js', 'ask.js', 'api/sets', `api/links?key=${key}`, 'api/nowhere']) {
			const answer = await globalThis.fetch(at(path));
			const told = JSON.stringify([await answer.text(), ...answer.headers]);
			expect(told).not.toContain(PASSWORD);
			if (!path.includes(key)) expect(told).not.toContain(key);
		}
	});

	test('has another key each time', async () => {
		const another = await startControl({ service, mail, outputFolder, publish: publishing });
		await another.close();
		expect(keyOf(another)).not.toBe(keyOf(control));
	});

	test('is told by its address and not by a name: localhost leads a browser to ::1 first, where another user of the machine may listen and be given the key', () => {
		for (const url of [control.url, control.ownUrl]) expect(isIP(new URL(url).hostname)).not.toBe(0);
	});

	test('knows where n8n is', async () => {
		expect(await json('api/links')).toMatchObject({ n8n: 'http://localhost:5678/', outputFolder });
	});
});

describe('sets', () => {
	interface Found {
		total: number;
		sets: Array<{ setId: string }>;
	}

	test('are listed newest first, as many as asked', async () => {
		const { total, sets } = await json<Found>('api/sets?show=7');
		expect(total).toBe(120);
		expect(sets.map((set) => set.setId)).toEqual(service.data.sets.slice(0, 7).map((set) => set.setId));
	});

	test.each<[string, (set: ParcelSet) => string]>([
		['a parcel reference in small letters', (set) => set.parcelRef.toLowerCase()],
		['a part of a shipment reference', (set) => set.shipmentRef.slice(4)],
		['an id', (set) => set.setId],
		['two words of different fields', (set) => `${set.parcelRef} ${set.cargoName}`],
		[
			'a company without its accents',
			(set) => set.consignee.customerName.normalize('NFD').replace(/\p{M}/gu, ''),
		],
	])('are found by %s', async (_label, text) => {
		const wanted = service.data.sets.find((set) => set.consignee.customerName.includes('Ö')) as ParcelSet;
		const { sets } = await json<Found>(`api/sets?show=500&search=${encodeURIComponent(text(wanted))}`);
		expect(sets.map((set) => set.setId)).toContain(wanted.setId);
		expect(sets.length).toBeLessThan(120);
	});

	test.each(['show=0', 'show=501', 'show=x', `search=${'x'.repeat(101)}`, 'search=a&search=b'])(
		'a list by %s is refused',
		async (query) => {
			expect((await fetch(at(`api/sets?${query}`))).status).toBe(400);
		},
	);

	test('show their documents and their next step', async () => {
		const set = drafted();
		expect(await json(`api/sets/${set.setId}`)).toMatchObject({
			parcelRef: set.parcelRef,
			status: 'drafted',
			next: 'sign',
			documents: set.documents,
		});
	});

	test('a document opens in the browser, with the bytes that the service sends', async () => {
		const set = drafted();
		const document = set.documents[0];
		const response = await fetch(at(`api/sets/${set.setId}/documents/${document?.documentId}`));
		expect(response.headers.get('content-type')).toBe('application/pdf');
		expect(response.headers.get('content-disposition')).toMatch(
			/^inline; filename\*=UTF-8''Bill%20of%20lading/,
		);
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(document && bytes.equals(await service.pdf(set, document))).toBe(true);
	});
});

describe('a step', () => {
	test('moves the set and puts its event on the queue', async () => {
		const set = drafted();
		const response = await post(`api/sets/${set.setId}/steps`, { step: 'sign' });
		expect(await response.json()).toMatchObject({ set: { status: 'signed' }, sent: { error: null } });
		expect(set.status).toBe('signed');
		expect(published).toMatchObject([{ newStatus: 'Signed', action: 'Sign', setId: set.setId }]);
	});

	test('whose event the queue does not take is said, and the event can be sent again', async () => {
		publishing = () => Promise.reject(new Error('no broker'));
		const answer = await (await post(`api/sets/${drafted().setId}/steps`, { step: 'issue' })).json();
		const { sent } = answer as { sent: { id: string; error: string } };
		expect(sent.error).toBe('no broker');
		publishing = () => Promise.resolve();
		expect(await (await post(`api/events/${sent.id}/again`, {})).json()).toMatchObject({
			sent: { error: null },
		});
		expect(published).toMatchObject([{ newStatus: 'ISSUED' }]);
	});

	test.each([
		['an unknown step', () => `api/sets/${drafted().setId}/steps`, { step: 'burn' }, 400],
		['no step', () => `api/sets/${drafted().setId}/steps`, {}, 400],
		['an unknown set', () => 'api/sets/nobody/steps', { step: 'sign' }, 404],
		['a body too large', () => `api/sets/${drafted().setId}/steps`, { step: 'x'.repeat(20_000) }, 413],
		['an unknown event', () => 'api/events/none/again', {}, 404],
	])('with %s is refused and publishes nothing', async (_label, path, body, status) => {
		const response = await post(path(), body);
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ message: expect.any(String) });
		expect(published).toEqual([]);
	});

	test('a new set can be drafted', async () => {
		const { set } = (await (await post('api/sets', {})).json()) as { set: { setId: string } };
		expect(service.data.sets[0]?.setId).toBe(set.setId);
		expect(published).toMatchObject([{ newStatus: 'DRAFTED', setId: set.setId }]);
	});
});

describe('another user of this machine', () => {
	/** Each that shows something of the sandbox, of n8n or of the folder, or does something. */
	async function routes(): Promise<[method: string, path: string][]> {
		await writeFile(join(outputFolder, 'invoice.pdf'), '%PDF-private');
		await talk(mail.port, ['EHLO a', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', MAIL]);
		const { setId, documents } = drafted();
		const mailed = `api/mails/${mail.messages()[0]?.id}`;
		return [
			...['api/links', 'api/changes', 'api/sets', `api/sets/${setId}`].map((path) => ['GET', path]),
			['GET', `api/sets/${setId}/documents/${documents[0]?.documentId}`],
			...['', '/html', '/attachments/0'].map((rest) => ['GET', mailed + rest]),
			...['GET', 'HEAD'].map((method) => [method, 'api/files/invoice.pdf']),
			...['%61pi/files/invoice.pdf', 'api/%66iles/invoice.pdf', 'api/files/nothing.pdf'].map((path) => [
				'GET',
				path,
			]),
			['POST', 'api/sets'],
			['POST', `api/sets/${setId}/steps`],
			['POST', 'api/events/none/again'],
		] as [string, string][];
	}
	const MAIL = 'Subject: Hi\r\nContent-Type: text/html\r\n\r\n<p>Hi\r\n.';

	test('is shown nothing, and gives no order: neither without a key nor with any other', async () => {
		const key = keyOf(control);
		const others = ['', 'undefined', key.slice(1), `${key.slice(1)}x`, `${key}x`, `${key}, ${key}`];
		const asked = [{}, ...others.map((other) => ({ 'x-key': other }))];
		for (const [method, path] of await routes()) {
			for (const headers of asked as Record<string, string>[]) {
				const answer = await globalThis.fetch(at(path), { method, headers });
				expect([path, headers, answer.status]).toEqual([path, headers, 403]);
				expect(await answer.text()).not.toMatch(/private|"sets"|output/);
			}
			for (const query of ['pass=', `pass=undefined&key=${key}`, `pass=${key}`, 'pass=a&pass=b']) {
				expect((await globalThis.fetch(`${at(path)}?${query}`, { method })).status).toBe(403);
			}
		}
		expect(published).toEqual([]);
	});

	test('who has seen the address of a file sees no more than papers: no password, no order', async () => {
		const { pass } = await json<{ pass: string }>('api/links');
		expect(pass).not.toBe(keyOf(control));
		for (const [method, path] of await routes()) {
			const answer = await globalThis.fetch(`${at(path)}?pass=${pass}`, { method });
			if (method === 'GET') expect([200, 404]).toContain(answer.status);
			else expect(answer.status).toBe(403);
			if (path === 'api/changes') await answer.body?.cancel();
			else expect(await answer.text()).not.toMatch(new RegExp(`${PASSWORD}|${pass}|${keyOf(control)}`));
		}
		expect(published).toEqual([]);
	});

	test('gets no cookie of it: a browser would send that to the ports of others, too', async () => {
		for (const path of ['', 'api/links'])
			expect((await fetch(at(path))).headers.get('set-cookie')).toBeNull();
	});
});

describe('another web site', () => {
	test('cannot press a button', async () => {
		const path = `api/sets/${drafted().setId}/steps`;
		const foreign = await post(path, { step: 'sign' }, { origin: 'https://elsewhere.example' });
		expect(foreign.status).toBe(403);
		expect(published).toEqual([]);
		const own = await post(path, { step: 'sign' }, { origin: new URL(control.url).origin });
		expect(own.status).toBe(200);
	});

	test.each([
		['cross-site', 'empty', 403],
		['cross-site', 'iframe', 403],
		['cross-site', 'script', 403],
		['same-site', 'empty', 403],
		['cross-site', 'document', 200],
		['same-site', 'document', 200],
		['same-origin', 'empty', 200],
		['none', 'document', 200],
	])(
		'that loads something of it (%s, %s) gets %i, and holds no live connection',
		async (site, place, status) => {
			const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': place };
			expect(await rawStatus('/api/links', headers)).toBe(status);
			if (status === 403) expect(await rawStatus('/api/changes', headers)).toBe(status);
		},
	);

	test.each([
		['rebound.example', 403],
		['rebound.example:80', 403],
		['localhost', 200],
		['127.0.0.1:4000', 200],
		['[::1]:4000', 200],
	])('whose name is %s gets %i', async (host, status) => {
		expect(await rawStatus('/api/links', { host })).toBe(status);
	});
});

describe('files of the output folder', () => {
	test('are opened when they can be shown, and saved otherwise', async () => {
		await mkdir(join(outputFolder, '2026', 'ÅSA'), { recursive: true });
		await writeFile(join(outputFolder, '2026', 'ÅSA', 'Bill (1).pdf'), '%PDF-');
		await writeFile(join(outputFolder, 'page.html'), '<script>alert(1)</script>');
		const pdf = await fetch(at(`api/files/2026/${encodeURIComponent('ÅSA')}/Bill%20(1).pdf`));
		expect(pdf.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''Bill%20%281%29.pdf");
		expect(await pdf.text()).toBe('%PDF-');
		const html = await fetch(at('api/files/page.html'));
		expect(html.headers.get('content-type')).toBe('application/octet-stream');
		expect(html.headers.get('content-disposition')).toMatch(/^attachment/);
	});

	test.each([
		'/api/files/../secret.txt',
		'/api/files/%2e%2e/secret.txt',
		'/api/files/..%2fsecret.txt',
		'/api/files/inside/..%2f..%2f..%2fsecret.txt',
		'/api/files/%2fetc%2fpasswd',
		'/api/files//etc/passwd',
		'/api/files/link.txt',
		'/api/files/linked/secret.txt',
		'/api/files/%00',
		'/api/files/',
		'/api/files/inside',
		'/api/files/missing.pdf',
		'/api/files/.key',
		'/api/files/.keys/secret.txt',
	])('nothing else can be read: %s', async (path) => {
		await writeFile(join(folder, 'secret.txt'), 'secret');
		await mkdir(join(outputFolder, 'inside'));
		await symlink(join(folder, 'secret.txt'), join(outputFolder, 'link.txt'));
		await symlink(folder, join(outputFolder, 'linked'));
		await mkdir(join(outputFolder, '.keys'));
		await writeFile(join(outputFolder, '.key'), 'secret');
		await writeFile(join(outputFolder, '.keys', 'secret.txt'), 'secret');
		expect(await rawStatus(path)).toBe(404);
	});
});

describe('mails', () => {
	const raw = [
		'Subject: Signed',
		'Content-Type: multipart/mixed; boundary=cut',
		'',
		'--cut',
		'Content-Type: text/html',
		'',
		'<script>alert(1)</script>',
		'--cut',
		'Content-Type: text/html',
		'Content-Disposition: attachment; filename="copy.pdf"',
		'',
		'%PDF-1.7',
		'--cut--',
		'.',
	].join('\r\n');

	beforeEach(async () => {
		await talk(mail.port, ['EHLO a', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', raw]);
	});
	const idOf = () => mail.messages()[0]?.id;

	test('are shown without running what is in them', async () => {
		expect(await json(`api/mails/${idOf()}`)).toMatchObject({ subject: 'Signed', hasHtml: true });
		const html = await fetch(at(`api/mails/${idOf()}/html`));
		expect(html.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
	});

	test('their files are sent by their names, whatever the sender says they are', async () => {
		const response = await fetch(at(`api/mails/${idOf()}/attachments/0`));
		expect(response.headers.get('content-type')).toBe('application/pdf');
		expect((await response.text()).trim()).toBe('%PDF-1.7');
	});

	test.each(['1', '-1', 'length', '1e0'])('the attachment %s is not there', async (place) => {
		expect((await fetch(at(`api/mails/${idOf()}/attachments/${place}`))).status).toBe(404);
	});

	test('an unknown message is not there', async () => {
		expect((await fetch(at('api/mails/none'))).status).toBe(404);
	});
});

describe('the live page', () => {
	/** The newest content of each part, as an open page hears it. */
	async function openPage() {
		const response = await fetch(at('api/changes'));
		const parts: Record<string, unknown> = {};
		const reading = (async () => {
			let text = '';
			const decoder = new TextDecoder();
			for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
				text += decoder.decode(chunk, { stream: true });
				const blocks = text.split('\n\n');
				text = blocks.pop() ?? '';
				for (const block of blocks) {
					const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
					if (name && data) parts[name] = JSON.parse(data);
				}
			}
		})().catch(() => undefined);
		await waitUntil('every part has come once', () => Object.keys(parts).length === 5);
		return { response, parts, reading };
	}

	test('hears of sets, events, calls, files and mails without asking', async () => {
		const { parts } = await openPage();
		expect(parts).toEqual({ sets: { version: 1 }, events: [], calls: [], files: [], mails: [] });
		const set = drafted();
		await post(`api/sets/${set.setId}/steps`, { step: 'sign' });
		await fetch(
			`${service.baseUrl}/v3/common/sets/${set.setId}/get-single-pdf/${set.documents[0]?.documentId}`,
		);
		await mkdir(join(outputFolder, '2026'));
		await writeFile(join(outputFolder, '2026', 'one.pdf'), '%PDF-');
		const lines = [
			'EHLO a',
			'MAIL FROM:<a@example.com>',
			'RCPT TO:<b@example.com>',
			'DATA',
			'Subject: Hi\r\n\r\n.',
		];
		await talk(mail.port, lines);
		await waitUntil('the page knows', () => (parts.mails as []).length + (parts.files as []).length === 2);
		expect(parts).toEqual({
			sets: { version: 2 },
			events: [expect.objectContaining({ event: published[0], error: null })],
			calls: [expect.objectContaining({ what: `Fetched Bill of lading of ${set.parcelRef}`, status: 401 })],
			files: [{ name: '2026/one.pdf', bytes: 5, modifiedAt: expect.any(Number) }],
			mails: [expect.objectContaining({ subject: 'Hi', to: ['b@example.com'], attachments: [] })],
		});
	});

	test('ends with the sandbox', async () => {
		const { reading } = await openPage();
		await control.close();
		await reading;
	});

	test('is refused to the twenty-first page', async () => {
		const pages = await Promise.all(Array.from({ length: 20 }, () => fetch(at('api/changes'))));
		expect(pages.map((page) => page.status)).toEqual(Array.from({ length: 20 }, () => 200));
		expect((await fetch(at('api/changes'))).status).toBe(503);
	});
});
