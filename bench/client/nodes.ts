import type { NodeSketch } from '../../sandbox/n8n/workflows';
import type { Place } from './world';

const OURS = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function ours({ credential }: Place, name: string, parameters: Record<string, unknown>): NodeSketch {
	return { name, type: OURS, parameters, credentials: { parcelDocumentExchangeApi: credential } };
}

function httpRequest({ headerAuth }: Place, name: string, parameters: Record<string, unknown>): NodeSketch {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		// The version that the editor of n8n 2.41 gives a new node.
		typeVersion: 4.5,
		parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth', ...parameters },
		credentials: { httpHeaderAuth: headerAuth },
	};
}

/** One PDF per item `{ setId, documentId }`. */
export const ourPdfs = (place: Place, parallelDownloads = 8) =>
	ours(place, 'This package, PDFs', {
		resource: 'document',
		operation: 'getPdf',
		setId: byId('={{ $json.setId }}'),
		documentId: byId('={{ $json.documentId }}'),
		binaryPropertyName: 'data',
		options: { parallelDownloads },
	});

/** As {@link ourPdfs}, as n8n's manual has it: no batching, the answer kept as a file. */
export const theirPdfs = (place: Place) =>
	httpRequest(place, 'HTTP Request, PDFs', {
		url: `=${place.baseUrl}/v3/common/sets/{{ $json.setId }}/get-single-pdf/{{ $json.documentId }}`,
		options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
	});

/** Every set there is. */
export const ourSets = (place: Place) =>
	ours(place, 'This package, sets', {
		resource: 'set',
		operation: 'search',
		returnAll: true,
		filters: {},
		simplify: true,
		options: {},
	});

/** The set of each item `{ setId }`. */
export const ourOneSet = (place: Place) =>
	ours(place, 'This package, one set', {
		resource: 'set',
		operation: 'get',
		setId: byId('={{ $json.setId }}'),
		lookup: {},
		simplify: true,
	});

/** As {@link ourSets}: an item for each page of 100, which a further node would have to split. */
export const theirSets = (place: Place) =>
	httpRequest(place, 'HTTP Request, sets', {
		method: 'POST',
		url: `${place.baseUrl}/v3/common/sets/search`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '{}',
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: { parameters: [{ type: 'qs', name: 'offset', value: '={{ $pageCount * 100 }}' }] },
					paginationCompleteWhen: 'other',
					completeExpression:
						'={{ $response.body.data.offset + $response.body.data.count >= $response.body.data.total }}',
				},
			},
		},
	});

/** Every PDF of the set of each event `{ setId, customerId }`. */
export const ourPdfsOfEvents = (place: Place) =>
	ours(place, 'This package, events', {
		resource: 'document',
		operation: 'getAllPdfs',
		setId: byId('={{ $json.setId }}'),
		lookup: { customerId: byId('={{ $json.customerId }}') },
		documentTypes: [],
		binaryPropertyName: 'data',
		options: {},
	});
