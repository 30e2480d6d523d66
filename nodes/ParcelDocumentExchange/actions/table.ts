import { documentGetAllPdfs } from './documentGetAllPdfs';
import { documentGetPdf } from './documentGetPdf';
import { documentGetAll } from './documentGetAll';
import { eventParse } from './eventParse';
import type { Operation } from './operation';
import { counterpartyGet, customerGet } from './partyGet';
import { counterpartyGetAll, customerGetAll } from './partyGetAll';
import { queueGetStatus } from './queueGetStatus';
import { setGet } from './setGet';
import { setSearch } from './setSearch';

/** Every operation of the node, by its resource and its name. */
export const OPERATIONS = {
	counterparty: { get: counterpartyGet, getAll: counterpartyGetAll },
	customer: { get: customerGet, getAll: customerGetAll },
	set: { search: setSearch, get: setGet },
	document: { getAll: documentGetAll, getPdf: documentGetPdf, getAllPdfs: documentGetAllPdfs },
	event: { parse: eventParse },
	queue: { getStatus: queueGetStatus },
} as const;

/** The operation of that name, or undefined. Each is only ever handed what its own `read` gave. */
export function operationOf(resource: string, name: string): Operation<unknown> | undefined {
	const resources: Record<string, Record<string, Operation<unknown>>> = OPERATIONS;
	const operations = Object.hasOwn(resources, resource) ? resources[resource] : undefined;
	return operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
}
