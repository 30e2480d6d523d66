import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { nodeError } from '../../nodes/ParcelDocumentExchange/adapters/errors';
import { ServiceError, type ServiceErrorCode } from '../../service/errors';

const node: INode = { id: '1', name: 'Node', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };

it.each<[ServiceErrorCode, string]>([
	['unauthorized', 'NodeApiError'],
	['notFound', 'NodeApiError'],
	['rejected', 'NodeApiError'],
	['rateLimited', 'NodeApiError'],
	['unavailable', 'NodeApiError'],
	['timeout', 'NodeApiError'],
	['network', 'NodeApiError'],
	['certificate', 'NodeApiError'],
	['unexpectedResponse', 'NodeOperationError'],
	['undecodable', 'NodeOperationError'],
	['invalidInput', 'NodeOperationError'],
	['cancelled', 'NodeOperationError'],
])('%s becomes a %s with what happened, what to do, and which item', (code, name) => {
	const error = nodeError(
		node,
		new ServiceError(code, 'It happened', { remedy: 'Do this.', httpStatus: 418 }),
		7,
	);
	expect(error).toMatchObject({
		name,
		message: 'It happened',
		description: 'Do this.',
		context: { itemIndex: 7 },
	});
	expect((error as NodeApiError).httpCode).toBe(name === 'NodeApiError' ? '418' : undefined);
});

it.each([
	['a word n8n knows', 'connect ECONNREFUSED 127.0.0.1:443'],
	['a number n8n knows', 'POST /v3/common/sets/search answered 404'],
	['a time-out', 'ETIMEDOUT after 60 seconds'],
])('keeps its own message where n8n has a general one for it: %s', (_, message) => {
	const error = nodeError(node, new ServiceError('network', message, { httpStatus: 404 }));
	expect(error.message).toBe(message);
});

it.each([
	['of a call', 'GET /v3/common/oauth2/token', 'Do this. (GET /v3/common/oauth2/token)'],
	['of none', undefined, 'Do this.'],
])('tells of the call last: %s', (_, call, description) => {
	const text = 'The service refused the password (HTTP 401).';
	const error = nodeError(node, new ServiceError('rejected', text, { remedy: 'Do this.', call }));
	expect(error).toMatchObject({ message: text, description });
});

it.each<[ServiceErrorCode]>([
	['unauthorized'],
	['notFound'],
	['rateLimited'],
	['unavailable'],
	['timeout'],
	['network'],
	['certificate'],
])('says what to do about %s even when the error does not', (code) => {
	expect(nodeError(node, new ServiceError(code, 'It happened')).description).toBeTruthy();
});

it('hands back an error of n8n itself, with the item where none was named', () => {
	const own = new NodeOperationError(node, 'x');
	expect(nodeError(node, own, 3)).toBe(own);
	expect(own.context.itemIndex).toBe(3);
	const named = new NodeApiError(node, { message: 'y' }, { itemIndex: 5 });
	expect(nodeError(node, named, 3).context.itemIndex).toBe(5);
});

it.each([
	['an error', new TypeError('x is not a function'), 'x is not a function'],
	['a text', 'broken', 'broken'],
	['nothing', undefined, 'undefined'],
])('takes %s that nobody expected', (_, thrown, message) => {
	expect(nodeError(node, thrown, 0)).toMatchObject({
		name: 'NodeOperationError',
		message,
		context: { itemIndex: 0 },
	});
});

it('carries nothing of what lies behind: no cause, no answer of the service', () => {
	const error = nodeError(node, new ServiceError('rejected', 'No', { cause: new Error('Bearer secret') }));
	expect(JSON.stringify({ ...error, cause: error.cause })).not.toContain('secret');
});
