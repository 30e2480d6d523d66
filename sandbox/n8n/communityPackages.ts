import { OF_ITS_OWN, type N8nRest } from './rest';

interface InstalledPackage {
	packageName: string;
	installedNodes: { name: string; type: string }[];
	failedLoading?: boolean;
}

/** n8n's page "Community nodes". */
export function communityPackagesOf(rest: N8nRest) {
	const list = () => rest.get<InstalledPackage[]>('community-packages');
	const uninstall = (name: string) =>
		rest.send('DELETE', `community-packages?name=${encodeURIComponent(name)}`);
	return {
		list,
		/** The node types n8n offers, of this and all other packages, by their full names. */
		nodeTypes: async () => {
			const headers = { ...OF_ITS_OWN, cookie: rest.cookie };
			const response = await fetch(`${rest.url}/types/nodes.json`, {
				headers,
				signal: AbortSignal.timeout(30_000),
			});
			return (await response.json()) as { name: string; displayName: string }[];
		},
		uninstall,
		/** As a person does there: n8n fetches it, installs it and loads its nodes at once. One that is there already is replaced. */
		install: async (name: string, version: string): Promise<InstalledPackage> => {
			if ((await list()).some(({ packageName }) => packageName === name)) await uninstall(name);
			return rest.send('POST', 'community-packages', { name, version });
		},
	};
}
