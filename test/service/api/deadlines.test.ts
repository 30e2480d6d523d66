import { gzipSync } from 'node:zlib';
import { errorOf, startBench } from '../../support/apiAccount';
import { raw, type Answer, type FakeServiceOptions } from '../../support/fakeService';

describe('one deadline from the sending of a request to the end of the head of its answer', () => {
	it.each<[string, Answer]>([
		[
			'interim answers without end',
			({ socket }) => {
				const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 20);
				socket.once('close', () => clearInterval(timer));
			},
		],
		[
			'a head that drips',
			({ socket }) => {
				socket.write('HTTP/1.1 200 OK\r\nx-a: ');
				const timer = setInterval(() => socket.write('a'), 20);
				socket.once('close', () => clearInterval(timer));
			},
		],
		['interim answers, then silence', raw('HTTP/1.1 103 Early Hints\r\n\r\n')],
	])('ends %s', async (_label, answer) => {
		const { client } = await startBench({ calls: () => answer }, { timeoutMs: 500, tries: 1 });
		const began = performance.now();
		expect(await errorOf(client.customers())).toMatchObject({ code: 'timeout' });
		expect(performance.now() - began).toBeLessThan(15_000);
	});
});

describe('one deadline for a text, however steadily it drips', () => {
	const drip =
		(text: string, headers: Record<string, string> = {}, status = 200): Answer =>
		({ response }) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			const timer = setInterval(() => response.write(text), 50);
			response.once('close', () => clearInterval(timer));
		};
	const gzipped = gzipSync(Buffer.alloc(100)).toString('latin1');

	it.each<[string, FakeServiceOptions]>([
		['blanks for JSON', { calls: () => drip(' ') }],
		['JSON without end', { calls: () => drip('[[],') }],
		['packed bytes', { calls: () => drip(gzipped.slice(0, 1), { 'content-encoding': 'gzip' }) }],
		['a login', { logins: () => drip(' ') }],
		['an error', { calls: () => drip('x', {}, 400) }],
	])('ends %s', async (_label, service) => {
		const { client } = await startBench(service, { timeoutMs: 500, tries: 1 });
		const began = performance.now();
		await errorOf(client.customers());
		// Each of these would drip for ever; a busy machine needs some seconds more.
		expect(performance.now() - began).toBeLessThan(15_000);
	});

	it('is longer for a text that goes on', async () => {
		const parties = Array.from({ length: 60 }, () => ({ customerId: 'c', customerName: 'x'.repeat(2_000) }));
		const { client } = await startBench(
			{
				calls:
					() =>
					async ({ response }) => {
						response.writeHead(200, { 'content-type': 'application/json' });
						for (const [index, party] of parties.entries()) {
							response.write((index > 0 ? ',' : '[') + JSON.stringify(party));
							await new Promise((resolve) => setTimeout(resolve, 15));
						}
						response.end(']');
					},
			},
			{ timeoutMs: 500, tries: 1 },
		);
		expect(await client.customers()).toHaveLength(60);
	});
});
