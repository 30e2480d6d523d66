import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

/** What the panels of several nodes call. n8n loads the nodes at every start, so whatever does the work is loaded at first use. */

export async function parcelDocumentExchangeApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { testApiCredential } = await import('../adapters/apiCredential');
	return await testApiCredential(this, credential);
}

export async function parcelDocumentExchangeQueueApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { testQueueCredential } = await import('../adapters/queueCredential');
	return await testQueueCredential(this, credential);
}

export async function suggestStatuses(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return (await import('./suggestions')).suggestStatuses(filter);
}

export async function suggestInstances(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return (await import('./suggestions')).suggestInstances(filter);
}

export async function listParties(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await (await import('./pickers')).listParties(this);
}
