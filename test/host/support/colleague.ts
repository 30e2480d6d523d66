import { randomUUID } from 'node:crypto';
import { connectN8n, type N8nClient } from '../../../sandbox/n8n/n8n';

/** A second person in an n8n, who is invited by its owner and may see less. @returns n8n as this person sees it */
export async function inviteColleague({ url, rest }: N8nClient): Promise<N8nClient> {
	const person = { email: `${randomUUID()}@example.com`, password: 'Colleague-1' };
	const invitations = await rest.send<{ user: { inviteAcceptUrl: string } }[]>('POST', 'invitations', [
		{ email: person.email, role: 'global:member' },
	]);
	const token = new URL(invitations[0]?.user.inviteAcceptUrl ?? url).searchParams.get('token');
	const answer = await fetch(`${url}/rest/invitations/accept`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'browser-id': randomUUID() },
		body: JSON.stringify({ token, firstName: 'Second', lastName: 'Desk', password: person.password }),
	});
	if (!answer.ok) throw new Error(`n8n does not take the colleague: ${await answer.text()}`);
	return await connectN8n(url, person);
}
