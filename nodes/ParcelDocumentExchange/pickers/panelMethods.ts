import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

/** What the panels of several nodes call. n8n loads the nodes at every start, so whatever does the work is loaded at first use. */

type Listing = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

export const searchParties: Listing = async function (...typed) {
	return await (await import('./pickers')).searchParties(this, ...typed);
};

export const searchCustomers: Listing = async function (...typed) {
	return await (await import('./pickers')).searchCustomers(this, ...typed);
};

export const searchSets: Listing = async function (...typed) {
	return await (await import('./pickers')).searchSets(this, ...typed);
};

export const searchDocuments: Listing = async function (...typed) {
	return await (await import('./pickers')).searchDocuments(this, ...typed);
};

export const searchDocumentTypes: Listing = async function (filter) {
	return await (await import('./documentTypePicker')).searchDocumentTypes(this, filter);
};

export const suggestStatuses: Listing = async function (filter) {
	return (await import('./suggestions')).suggestStatuses(filter);
};

export const suggestInstances: Listing = async function (filter) {
	return (await import('./suggestions')).suggestInstances(filter);
};

export async function listParties(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await (await import('./pickers')).listParties(this);
}

type CredentialTest = (
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

export const parcelDocumentExchangeApiTest: CredentialTest = async function (credential) {
	return await (await import('../adapters/apiCredential')).testApiCredential(this, credential);
};

export const parcelDocumentExchangeQueueApiTest: CredentialTest = async function (credential) {
	return await (await import('../adapters/queueCredential')).testQueueCredential(this, credential);
};
