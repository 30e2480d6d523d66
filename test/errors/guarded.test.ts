import { join } from 'node:path';
import { triesInList, triesInPanel } from '../support/host/mishaps';
import { useStage } from '../support/host/stage';
import { startFakeProxy, type FakeProxy } from '../support/fakeProxy';
import { GUARDED, GUARDED_LISTS, GUARDED_TRIGGER } from '../support/mishaps/guarded';

/** In an n8n that protects its network and sits behind a proxy. */

let proxy: FakeProxy | undefined;
const stage = useStage({
	env: async () => {
		proxy = await startFakeProxy({ refusal: (target) => (target.startsWith('127.0.0.4') ? 403 : 407) });
		return {
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			// Of the loopback addresses, all others stay closed.
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32,127.0.0.3/32,127.0.0.4/32',
			...{ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url },
			NO_PROXY: '127.0.0.1,127.0.0.2,slow.example,moves.example',
			NODE_OPTIONS: `--require=${join(__dirname, 'names.cjs')}`,
		};
	},
});
afterAll(() => proxy?.close());

triesInPanel('node', stage, GUARDED);
triesInPanel('trigger', stage, GUARDED_TRIGGER);
triesInList(stage, GUARDED_LISTS);
