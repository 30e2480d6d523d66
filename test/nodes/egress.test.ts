import dns from 'node:dns';
import type { ICredentialTestFunctions, IExecuteFunctions } from 'n8n-workflow';
import { askQueue } from '../../nodes/ParcelDocumentExchange/actions/queueState';
import { egressFilterOfTest, type EgressFilter } from '../../nodes/ParcelDocumentExchange/adapters/egress';
import { testQueueCredential } from '../../nodes/ParcelDocumentExchange/adapters/queueCredential';
import { startFakeService, type FakeService } from '../support/fakeService';
import { silent } from '../support/silent';

const FORBIDDEN = /^127\.0\.0\.2$|^\[::1\]$/;

/** As n8n's helper does: the protection is asked first, then the allowed domains of the request. */
function testContext(more: object = {}) {
	const asked: string[] = [];
	const request = async ({ uri, allowedDomains }: { uri: string; allowedDomains?: string }) => {
		const { hostname } = new URL(uri);
		asked.push(hostname);
		if (FORBIDDEN.test(hostname)) {
			throw new Error('wrapped', {
				cause: Object.assign(new Error('restricted IP address'), { name: 'SsrfBlockedIpError' }),
			});
		}
		if (allowedDomains === 'nowhere.invalid') throw new Error('Domain not allowed');
		throw new Error('This test may not be called');
	};
	return {
		asked,
		context: { logger: silent, helpers: { request, ...more } } as unknown as ICredentialTestFunctions,
	};
}

let saved: NodeJS.ProcessEnv;
beforeEach(() => {
	saved = process.env;
	process.env = { ...saved, N8N_SSRF_PROTECTION_ENABLED: 'true' };
});
afterEach(() => {
	process.env = saved;
	jest.restoreAllMocks();
});

it('nobody is asked where the protection is off', () => {
	delete process.env.N8N_SSRF_PROTECTION_ENABLED;
	expect(egressFilterOfTest(testContext().context)).toBeUndefined();
});

it("n8n's own filter is taken where a credential test has one", () => {
	const own = { validateUrl: async () => ({ ok: true }) };
	expect(egressFilterOfTest(testContext({ getSecureEgressFilter: () => own }).context)).toBe(own);
});

describe('the test of the queue credential', () => {
	let open: FakeService;
	beforeEach(async () => void (open = await startFakeService({ host: '127.0.0.2' })));
	afterEach(() => open.close());

	it('says the same of every port of a host that is closed, and calls none', async () => {
		const ports = [Number(new URL(open.baseUrl).port), 9];
		const told = await Promise.all(
			ports.map((port) =>
				testQueueCredential(testContext().context, {
					id: '1',
					name: 'Queue',
					type: 'q',
					data: { host: '127.0.0.2', port, username: 'a', password: 'b' },
				}),
			),
		);
		expect(told[0]).toEqual({
			status: 'Error',
			message: expect.stringMatching(/^n8n does not allow connections to the host of the message queue/),
		});
		expect(told[1]).toEqual(told[0]);
		expect(open.connections()).toBe(0);
	});
});

describe('a step that asks about a queue', () => {
	let open: FakeService;
	beforeEach(async () => void (open = await startFakeService({ host: '127.0.0.2' })));
	afterEach(() => open.close());

	it('calls no host that is closed, and says the same of every port', async () => {
		const asked: string[] = [];
		const filter: EgressFilter = {
			validateUrl: async (url) => {
				asked.push(url);
				return { ok: false, error: new Error('restricted IP address') };
			},
			createSecureLookup: () => dns.lookup as never,
		};
		const ports = [Number(new URL(open.baseUrl).port), 9];
		for (const port of ports) {
			const context = {
				logger: silent,
				helpers: { getSecureEgressFilter: () => filter },
				getCredentials: async () => ({ host: '127.0.0.2', port, username: 'a', password: 'b' }),
			} as unknown as IExecuteFunctions;
			await expect(askQueue(context, 'events', new AbortController().signal, 0)).rejects.toThrow(
				/^n8n does not allow connections to the host of the message queue/,
			);
		}
		expect(asked).toEqual(ports.map((port) => `http://127.0.0.2:${port}/`));
		expect(open.calls).toEqual([]);
	});

	it('hands the lookup of the protection to the connection', async () => {
		const looked: string[] = [];
		const lookup = ((name: string, _: unknown, done: (error: Error) => void) => {
			looked.push(name);
			done(Object.assign(new Error('it moved to a closed address'), { code: 'ENOTFOUND' }));
		}) as never;
		const filter = { validateUrl: async () => ({ ok: true }), createSecureLookup: () => lookup };
		const context = {
			logger: silent,
			helpers: { getSecureEgressFilter: () => filter },
			getCredentials: async () => ({ host: 'moves.example', port: 9, username: 'a', password: 'b' }),
		} as unknown as IExecuteFunctions;
		await expect(askQueue(context, 'events', new AbortController().signal, 0)).rejects.toThrow();
		expect(looked).toEqual(['moves.example']);
	});
});

describe('a name', () => {
	const lookup = (filter: EgressFilter | undefined, name: string, all = false) =>
		new Promise<unknown>((resolve) =>
			filter!.createSecureLookup()(name, { all }, (error, address) =>
				resolve(error ? error.message : address),
			),
		);
	/** Names of this test and what they stand for. */
	function resolving(addresses: string[]): void {
		const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
		jest
			.spyOn(dns, 'lookup')
			.mockImplementation(((_name: string, _options: object, callback: (...of: unknown[]) => void) =>
				callback(null, found)) as never);
	}

	it('that has moved to a closed address since it was asked about is not called', async () => {
		const { context } = testContext();
		const filter = egressFilterOfTest(context);
		expect(await filter?.validateUrl('http://moves.example:5672/')).toEqual({ ok: true });
		resolving(['127.0.0.1', '127.0.0.2']);
		expect(await lookup(filter, 'moves.example')).toMatch(/restricted IP address/);
		resolving(['::1']);
		expect(await lookup(filter, 'moves.example', true)).toMatch(/restricted IP address/);
		resolving(['127.0.0.1']);
		expect(await lookup(filter, 'moves.example')).toBe('127.0.0.1');
		expect(await lookup(filter, 'moves.example', true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
	});

	it.each([
		['queue.internal', true],
		['QUEUE.internal.', true],
		['a.wide.example', true],
		['wide.example', false],
		['other.internal', false],
	])('that the administrator allows may stand for any address: %s', async (name, allowed) => {
		process.env.N8N_SSRF_ALLOWED_HOSTNAMES = 'queue.internal, *.wide.example';
		resolving(['127.0.0.2']);
		const given = await lookup(egressFilterOfTest(testContext().context), name);
		if (allowed) expect(given).toBe('127.0.0.2');
		else expect(given).toMatch(/restricted/);
	});
});

it('a password of digits only is one, also where an expression makes a number of it', async () => {
	const { queueAddressOf } = await import('../../nodes/ParcelDocumentExchange/adapters/queueAddress');
	expect(queueAddressOf({ host: 'h', username: 4711, password: 12345, vhost: 7 })).toMatchObject({
		...{ username: '4711', password: '12345', vhost: '7' },
	});
});
