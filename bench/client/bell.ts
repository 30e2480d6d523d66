import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeSketch } from '../../sandbox/n8n/workflows';

/** Rings when a workflow comes to its last node: asking n8n again and again would be measured, too. */
export interface Bell {
	/** The last node of the workflow. */
	node: NodeSketch;
	/** Whether it rings, or has rung since it was last asked, before `deadlineMs` are over. */
	rung(deadlineMs: number): Promise<boolean>;
	close(): void;
}

export async function hangBell(): Promise<Bell> {
	const rings = new EventEmitter();
	let heard = true;
	const server = createServer((_request, response) => {
		response.end('{}');
		heard = false;
		rings.emit('ring');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		node: {
			name: 'Bell',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
			executeOnce: true,
		},
		async rung(deadlineMs) {
			const signal = AbortSignal.timeout(deadlineMs);
			if (heard) await once(rings, 'ring', { signal }).catch(() => undefined);
			const rang = !heard;
			heard = true;
			return rang;
		},
		close: () => void server.close(),
	};
}
