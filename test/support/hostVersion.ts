/** Whether an n8n stores the trigger's reports as failed executions; before 2.7 they are in its log. */
export function savesReports(n8nVersion: string): boolean {
	const [major = 0, minor = 0] = n8nVersion.split('.').map(Number);
	return major > 2 || (major === 2 && minor >= 7);
}
