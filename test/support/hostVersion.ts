/** Whether an n8n stores the trigger's reports as failed executions; before 2.7 they are in its log. */
export const savesReports = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 7);

/** Whether an n8n lets nodes with connections of their own obey its protection of the network (N8N_SSRF_…). */
export const protectsNetwork = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 30);

/** Whether n8n's HTTP Request node logs in by our credential only where its allowed domains let it; ours always does. */
export const holdsHttpRequestToDomains = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 41);

/** Whether n8n's HTTP Request node trusts the CA certificate of our credential; ours always does. */
export const takesCaInHttpRequest = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 35);

/** Whether n8n's server looks for empty fields when a workflow is published; tried with 2.41. */
export const publishesWithChecks = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 41);

/** Whether an n8n tells what its version 3 will break. */
export const knowsVersion3 = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 41);

/** Whether an n8n without a licence makes API keys that may do less than all; tried with 2.41. */
export const limitsKeys = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 41);

/** Whether an agent goes on when a tool of its fails; before 2.35 the failure ends it, unless the tool is told to go on. */
export const letsAgentGoOn = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 35);

/** Whether the MCP server of an n8n adds the stack of its own wrapper to a failed tool; tried with 2.8 and 2.41. */
export const tellsItsStack = (n8nVersion: string): boolean => !isFrom(n8nVersion, 2, 35);

/** Whether an n8n puts what a node tells of its run on a span; later ones with a licence alone. */
export const tracesForAll = (n8nVersion: string): boolean =>
	isFrom(n8nVersion, 2, 22) && !isFrom(n8nVersion, 2, 23);

/** Whether an n8n tells a trigger that it could not store a run; an older one says nothing. */
export const tellsUnstored = (n8nVersion: string): boolean => isFrom(n8nVersion, 2, 35);

function isFrom(n8nVersion: string, fromMajor: number, fromMinor: number): boolean {
	const [major = 0, minor = 0] = n8nVersion.split('.').map(Number);
	return major > fromMajor || (major === fromMajor && minor >= fromMinor);
}
