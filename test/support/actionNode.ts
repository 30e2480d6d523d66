import type { IDataObject } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { defaultUser } from '../../sandbox/service';
import { runNode, type NodeRun, type NodeRunResult } from './engine';

/** The API credential of the stand-in's user. */
export function apiCredential(baseUrl: string) {
	return {
		parcelDocumentExchangeApi: {
			baseUrl,
			loginStyle: 'basic',
			username: defaultUser.username,
			password: defaultUser.password,
			ignoreSslIssues: false,
			caCertificate: '',
		},
	};
}

/** Runs the action node in n8n's engine against a service. */
export function runAction(
	baseUrl: string,
	parameters: IDataObject,
	more: Partial<NodeRun> = {},
): Promise<NodeRunResult> {
	return runNode({
		type: new ParcelDocumentExchange(),
		parameters,
		credentials: apiCredential(baseUrl),
		...more,
	});
}
