import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { searchParties } from './pickers';
import { API_CREDENTIAL } from '../adapters/credentials';
import { nodeErrorInOneText } from '../adapters/errors';

/** The customers to choose from. Only this list needs an account of the service: n8n does not ask for one. */
export async function searchCustomers(
	context: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
): Promise<INodeListSearchResult> {
	if (context.getNode().credentials?.[API_CREDENTIAL]) return await searchParties(context, filter, token);
	const missing = new ServiceError('invalidInput', 'This list comes from the service', {
		remedy:
			'Choose an account under Credential for Parcel Document Exchange API above, or choose By ID and type the ID.',
	});
	throw nodeErrorInOneText(context.getNode(), missing);
}
