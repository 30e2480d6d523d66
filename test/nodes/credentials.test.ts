import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { refusalByDomains } from '../../nodes/ParcelDocumentExchange/adapters/egress';
import { testApiCredential } from '../../nodes/ParcelDocumentExchange/adapters/apiCredential';
import { clientOf } from '../../nodes/ParcelDocumentExchange/adapters/credentials';
import { startFakeService, type FakeService, type FakeServiceOptions } from '../support/fakeService';
import { silent } from '../support/silent';

const ok = [{ customerId: 'c' }];
const options = { timeoutSeconds: 2, parallelDownloads: 4 };
const services: FakeService[] = [];

async function start(fake: FakeServiceOptions = {}) {
	const service = await startFakeService({ ok, ...fake });
	services.push(service);
	const credential = {
		baseUrl: service.baseUrl,
		loginStyle: 'basic',
		username: 'desk',
		password: 'Quay 7',
		ignoreSslIssues: false,
		caCertificate: '',
		token: '',
	};
	return { service, credential };
}

/** What the adapter needs of an execution of n8n. */
function execution(credential: object, more: object = {}): IExecuteFunctions {
	return {
		logger: silent,
		helpers: {},
		getCredentials: async () => credential,
		getExecutionCancelSignal: () => undefined,
		...more,
	} as unknown as IExecuteFunctions;
}

afterEach(async () => {
	await Promise.all(services.splice(0).map((service) => service.close()));
});

describe('the client of the credential', () => {
	it('works in a run and in the panel of a node', async () => {
		const { credential } = await start();
		const panel = { logger: silent, helpers: {}, getCredentials: async () => credential };
		for (const context of [execution(credential), panel as unknown as ILoadOptionsFunctions]) {
			expect(await (await clientOf(context, 0, options)).customers()).toEqual(ok);
		}
	});

	it('reads the credential of the item it is for', async () => {
		const { credential } = await start();
		const getCredentials = jest.fn(async () => credential);
		await clientOf(execution({}, { getCredentials }), 7, options);
		expect(getCredentials).toHaveBeenCalledWith('parcelDocumentExchangeApi', 7);
	});

	it('sends a password of digits that an expression gave as a number', async () => {
		const { service, credential } = await start();
		await (await clientOf(execution({ ...credential, password: 12345 }), 0, options)).customers();
		const sent = String(service.logins[0]?.headers.authorization).replace('Basic ', '');
		expect(Buffer.from(sent, 'base64').toString('utf8')).toMatch(/:12345$/);
	});

	it('ends with the run', async () => {
		const { service, credential } = await start({ calls: () => 'silence' });
		const stop = new AbortController();
		const context = execution(credential, { getExecutionCancelSignal: () => stop.signal });
		const call = (await clientOf(context, 0, options)).customers().catch((error: unknown) => error);
		while (service.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
		stop.abort();
		expect(await call).toMatchObject({ code: 'cancelled' });
	});

	it.each([
		[
			'the allowed domains of the credential',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' },
			{},
		],
		[
			"n8n's protection, by the address",
			{},
			{ validateUrl: async () => ({ ok: false, error: new Error('the IP address is blocked') }) },
		],
	])('sends nothing against %s', async (_label, fields, filter) => {
		const { service, credential } = await start();
		const getSecureEgressFilter = () => ({
			validateUrl: async () => ({ ok: true }),
			createSecureLookup: () => undefined,
			...filter,
		});
		const context = execution({ ...credential, ...fields }, { helpers: { getSecureEgressFilter } });
		const client = await clientOf(context, 0, options);
		await expect(client.customers()).rejects.toMatchObject({
			code: 'invalidInput',
			message: expect.stringMatching(/allowed domains|is blocked/),
		});
		expect(service.connections()).toBe(0);
	});

	it.each([
		['an n8n without that protection', {}],
		['one whose protection is off', { getSecureEgressFilter: () => undefined }],
	])('works in %s', async (_label, helpers) => {
		const { credential } = await start();
		const context = execution(credential, { helpers });
		expect(await (await clientOf(context, 0, options)).customers()).toEqual(ok);
	});
});

describe('the allowed domains', () => {
	it.each([
		['all', '', true],
		['none', '', true],
		[undefined, 'example.org', true],
		['domains', 'service.example.com', true],
		['domains', 'other.org, SERVICE.example.com. ', true],
		['domains', '*.example.com', true],
		['domains', 'example.com', false],
		['domains', '*.service.example.com', false],
		['domains', 'vice.example.com', false],
		['domains', '*.', false],
		['domains', '*', false],
		['domains', '', false],
		['domains', undefined, false],
	])('%s %j: allowed is %s', (mode, domains, allowed) => {
		const fields = { allowedHttpRequestDomains: mode, allowedDomains: domains };
		const refusal = refusalByDomains(fields as never, 'https://Service.example.com./path');
		expect(refusal === undefined).toBe(allowed);
	});
});

describe('the Test button', () => {
	const context = { logger: silent, helpers: {} } as never;
	const tested = (data: object) =>
		testApiCredential(context, {
			id: '1',
			name: 'n',
			type: 'parcelDocumentExchangeApi',
			data: data as never,
		});

	it('says that the login works', async () => {
		const { service, credential } = await start();
		expect(await tested(credential)).toEqual({
			status: 'OK',
			message: 'The login works, and the service answers.',
		});
		expect(service.logins).toHaveLength(1);
	});

	it('says what is wrong and what to do', async () => {
		const { credential } = await start({ logins: () => 'unauthorized' });
		const { status, message } = await tested(credential);
		expect(status).toBe('Error');
		expect(message).toMatch(/refused the user name or the password .*Check both in the credential/);
		expect(message).not.toContain('Quay 7');
	});

	it.each([[{}], [{ baseUrl: 5, username: null }]])('survives a credential that holds %j', async (data) => {
		expect(await tested(data)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('base URL'),
		});
	});

	it('obeys the allowed domains', async () => {
		const { service, credential } = await start();
		const fields = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
		expect(await tested({ ...credential, ...fields })).toMatchObject({ status: 'Error' });
		expect(service.connections()).toBe(0);
	});
});
