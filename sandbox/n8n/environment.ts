import { delimiter, dirname } from 'node:path';
import { temporaryFolder, type Folders } from './folders';
import type { N8nHost } from './host';
import { chosenDefaults } from './n8n3';

interface EnvironmentPlan extends Folders {
	host: N8nHost;
	/** N8N_USER_FOLDER: n8n keeps everything of its own in `.n8n` below it. */
	folder: string;
	port: number;
	taskBrokerPort: number;
}

/** Passed on from our own environment; the rest (npm's variables above all) would change what n8n does. */
const INHERITED =
	/^(HOME|USER|LANG|LC_.*|TZ|https?_proxy|NODE_EXTRA_CA_CERTS|npm_config_.*(registry|proxy|cafile))$/i;

/** The environment of an n8n that is ours alone: nothing asked of n8n's own servers where n8n has a switch for it. */
export function environmentFor(plan: EnvironmentPlan): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
	return {
		...Object.fromEntries(inherited),
		NO_PROXY: reachedDirectly(),
		PATH: [plan.programs, dirname(plan.host.node), process.env['PATH']].join(delimiter),
		N8N_USER_FOLDER: plan.folder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(plan.port),
		N8N_RUNNERS_BROKER_PORT: String(plan.taskBrokerPort),
		// The editor is served over plain HTTP here.
		N8N_SECURE_COOKIE: 'false',
		// n8n keeps what is uploaded for a data table, and its npm compiled programs, under names that everybody knows.
		TMPDIR: temporaryFolder(plan.folder),
		GENERIC_TIMEZONE: 'UTC',
		N8N_RESTRICT_FILE_ACCESS_TO: plan.filesFolder,
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		...chosenDefaults(),
	};
}

/** Where a proxy leads out of a company, it does not lead to the stand-ins on this machine. */
function reachedDirectly(): string {
	const chosen = process.env['no_proxy'] ?? process.env['NO_PROXY'];
	return [...(chosen ? [chosen] : []), '127.0.0.1', 'localhost'].join(',');
}
