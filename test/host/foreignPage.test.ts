import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startControl, type Control } from '../../sandbox/control';
import { startMail, type Mail } from '../../sandbox/mail';
import { defaultUser, type StatusEvent } from '../../sandbox/service';
import { addressesListenedOn, isElsewhere } from '../support/listening';
import { launchBrowser } from '../support/host/browser';
import { useWorld } from '../support/host/world';

/** What a web site can do that is open in the same browser while a sandbox runs. */

const world = useWorld();
/** A site of somebody else, and one whose name is now resolved to this machine. */
const [FOREIGN, REBOUND] = ['foreign.example', 'rebound.example'];

let [control, mail, browser, site] = [] as unknown as [Control, Mail, Browser, Server];
let [page, folder] = [] as unknown as [Page, string];
const published: StatusEvent[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-foreign-'));
	const { n8nUrl, owner, service } = world();
	mail = await startMail();
	const publish = async (event: StatusEvent) => void published.push(event);
	const links = { n8n: n8nUrl, signIn: owner };
	control = await startControl({ service, mail, outputFolder: folder, publish, links });
	site = createServer((_, response) =>
		response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A site'),
	);
	site.listen(0, '127.0.0.1');
	await once(site, 'listening');
	browser = await launchBrowser(`--host-resolver-rules=MAP *.example 127.0.0.1`);
}, 60_000);
afterAll(async () => {
	await browser?.close();
	site?.close();
	await Promise.all([control?.close(), mail?.close()]);
	await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
	page = await browser.newPage();
	published.length = 0;
});
afterEach(() => page.close());

const portOf = (url: string) => new URL(url).port;
/** Sends requests as a script of the open page does. @returns the status of each, or why the script cannot know */
const fromPage = (requests: [url: string, init?: RequestInit][]) =>
	page.evaluate<(number | string)[], string>(
		`(async (text) => {
			const one = ([url, init]) => fetch(url, init).then((answer) => answer.status || answer.type, () => 'unreadable');
			return Promise.all(JSON.parse(text).map(one));
		})(${JSON.stringify(JSON.stringify(requests))})`,
		'',
	);
const asText = (body: unknown): RequestInit => ({
	...{ method: 'POST', mode: 'no-cors', credentials: 'include' },
	...{ headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body) },
});
const asJson = (body: unknown): RequestInit => ({
	...{ method: 'POST', credentials: 'include' },
	...{ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
});
const stepsOf = (base: string) => `${base}api/sets/${world().service.data.sets[0]?.setId}/steps`;

describe('a page of another site', () => {
	beforeEach(async () => {
		// The person is signed in to n8n in the same browser. Its smallest page, in place of the whole editor.
		const { n8nUrl, owner } = world();
		await page.goto(`${n8nUrl}/healthz`);
		const login = asJson({ emailOrLdapLoginId: owner.email, password: owner.password });
		expect(await fromPage([[`${n8nUrl}/rest/login`, login]])).toEqual([200]);
		await page.goto(`http://${FOREIGN}:${(site.address() as AddressInfo).port}/`);
	});

	it('reads nothing of the control page and the service', async () => {
		const urls = ['api/links', 'api/sets', ''].map((path) => control.url + path);
		urls.push(`${world().service.baseUrl}/v3/common/oauth2/token`);
		expect(await fromPage(urls.map((url) => [url, { credentials: 'include' }]))).toEqual(
			urls.map(() => 'unreadable'),
		);
	});

	it("does not get into n8n, which answers any site's scripts: neither as the person nor by a password", async () => {
		const { n8nUrl, owner } = world();
		const login = (password: string): [string, RequestInit] => [
			`${n8nUrl}/rest/login`,
			asJson({ emailOrLdapLoginId: owner.email, password }),
		];
		const asThePerson = ['credentials', 'workflows', 'login'].map((path): [string, RequestInit] => [
			`${n8nUrl}/rest/${path}`,
			{ credentials: 'include' },
		]);
		expect(await fromPage([login('Sandbox-1'), login('sandbox'), ...asThePerson])).toEqual([
			401, 401, 401, 401, 401,
		]);
	});

	it('gives no order: no event, no e-mail, no workflow', async () => {
		const { n8n, n8nUrl } = world();
		const before = (await n8n.workflows.list()).length;
		const step = { step: 'sign' };
		const letter = 'EHLO a\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\nHello\r\n.\r\n';
		await fromPage([
			[stepsOf(control.url), asText(step)],
			[stepsOf(control.url), asJson(step)],
			[`http://127.0.0.1:${mail.port}/`, { method: 'POST', mode: 'no-cors', body: letter }],
			[`${n8nUrl}/rest/workflows`, asText({ name: 'Theirs', nodes: [], connections: {} })],
			[`${n8nUrl}/rest/workflows`, asJson({ name: 'Theirs', nodes: [], connections: {} })],
		]);
		await page.setContent(
			`<form method=post enctype=text/plain action="${stepsOf(control.url)}"><input name='{"step":"sign","a":"' value='"}'></form>`,
		);
		await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')]);
		expect(await page.textContent('body')).toContain('takes orders from itself only');
		expect(published).toEqual([]);
		expect(mail.messages()).toEqual([]);
		expect(await n8n.workflows.list()).toHaveLength(before);
	});

	it('cannot send elsewhere, or look into, a window in which it opened the control page', async () => {
		const [opened] = await Promise.all([
			page.waitForEvent('popup'),
			page.evaluate(`void (window.theirs = open(${JSON.stringify(control.ownUrl)}))`),
		]);
		await opened.locator('#list li').first().waitFor();
		expect(await page.evaluate('[theirs.closed, theirs.length]')).toEqual([true, 0]);
		await opened.close();
	});

	it('cannot put the control page into a frame of its own', async () => {
		await page.setContent(`<iframe src="${control.url}"></iframe>`);
		await page.waitForTimeout(500);
		const [, frame] = page.frames();
		expect(await frame?.locator('#list').count()).toBe(0);
	});
});

describe('a page whose name is resolved to this machine', () => {
	it('is not served by the control page, and gives it no order', async () => {
		const base = `http://${REBOUND}:${portOf(control.url)}/`;
		expect((await page.goto(base))?.status()).toBe(403);
		const paths = ['api/links', 'api/sets', 'page.js'].map((path): [string] => [base + path]);
		expect(await fromPage([...paths, [stepsOf(base), asJson({ step: 'sign' })]])).toEqual([
			403, 403, 403, 403,
		]);
		expect(published).toEqual([]);
	});

	it('gets no token of the service, with its well-known password either', async () => {
		const base = `http://${REBOUND}:${portOf(world().service.baseUrl)}/`;
		expect((await page.goto(base))?.status()).toBe(403);
		const { username, password } = defaultUser;
		const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
		expect(await fromPage([[`${base}v3/common/oauth2/token`, { headers: { authorization } }]])).toEqual([
			403,
		]);
	});

	it('does not get into n8n, whose password nobody knows from elsewhere', async () => {
		const { n8nUrl, owner } = world();
		const base = `http://${REBOUND}:${portOf(n8nUrl)}`;
		await page.goto(`${base}/healthz`);
		const login = (password: string): [string, RequestInit] => [
			`${base}/rest/login`,
			asJson({ emailOrLdapLoginId: owner.email, password }),
		];
		expect(await fromPage([login('Sandbox-1'), login('sandbox'), [`${base}/rest/credentials`]])).toEqual([
			401, 401, 401,
		]);
		const setUp = asJson({ email: 'their@example.com', password: 'Theirs-1', firstName: 'T', lastName: 'T' });
		const [status] = await fromPage([[`${base}/rest/owner/setup`, setUp]]);
		expect(status).toBeGreaterThanOrEqual(400);
		// So it would with the right one: this is what keeps them out.
		expect(await fromPage([login(owner.password)])).toEqual([200]);
		expect(owner.password).toMatch(/^Quay7(-[a-z2-9]{4}){4}$/);
	});
});

it('nothing of the sandbox listens on another address than that of this machine', async () => {
	const addresses = await addressesListenedOn();
	// n8n with its task broker, RabbitMQ with its distribution and its port mapper, and what this test serves.
	expect(addresses.length).toBeGreaterThan(6);
	expect(addresses.filter(isElsewhere)).toEqual([]);
});
