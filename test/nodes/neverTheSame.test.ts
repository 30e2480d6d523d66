import type { INodeParameters } from 'n8n-workflow';
import { neverTheSame } from '../../nodes/ParcelDocumentExchange/parameters/askedInVain';
import { startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';

/** Questions of n8n's If that are never answered with yes, since a person writes otherwise than the service: no mail, green. */

const asks = (
	leftValue: string,
	rightValue: unknown,
	operation = 'equals',
	options: INodeParameters = {},
) => ({
	conditions: { options, conditions: [{ leftValue, rightValue, operator: { type: 'string', operation } }] },
});
const STATUS = '={{ $json.status }}';
const ask = (parameters: unknown, type = 'if', disabled = false) =>
	neverTheSame(
		[
			{
				name: 'Ask',
				type: `n8n-nodes-base.${type}`,
				typeVersion: 2.2,
				disabled,
				parameters: parameters as INodeParameters,
			},
		],
		[
			{ json: { status: 'TITLE_HELD', docType: 'BILL_OF_LADING', bytes: 3 } },
			{ json: { status: 'SIGNED', docType: null } },
		],
	);

it.each<[string, string[]]>([
	['a status in small letters', ask(asks(STATUS, 'Signed'))],
	['a status with a blank', ask(asks(STATUS, 'Title Held'))],
	['the same where case is ignored', ask(asks(STATUS, 'title held', 'equals', { caseSensitive: false }))],
	['a type as people write it', ask(asks('={{ $json.docType }}', 'Bill of lading'), 'filter')],
	['one that is to differ', ask(asks(STATUS, 'signed', 'notEquals'))],
	['one of a Switch', ask({ rules: { values: [asks(STATUS, 'SIGNED'), asks(STATUS, 'Signed')] } }, 'switch')],
	['one by the name of the step', ask(asks('={{ $("PDFs").item.json.status }}', 'signed'))],
])('%s is told', (_, told) => {
	expect(told).toEqual([
		expect.stringMatching(/^"Ask" compares (status|docType) with ".*", and here it is written ".*"/),
	]);
});

it.each<[string, string[]]>([
	['what is written so', ask(asks(STATUS, 'SIGNED'))],
	['what is of another word', ask(asks(STATUS, 'ISSUED'))],
	['what is looked for within', ask(asks(STATUS, 'signed', 'contains'))],
	['what is the same where case is ignored', ask(asks(STATUS, 'signed', 'equals', { caseSensitive: false }))],
	['what comes by expression', ask(asks(STATUS, '={{ $json.wanted }}'))],
	['a number', ask(asks('={{ $json.bytes }}', 3))],
	['nothing', ask(asks(STATUS, ''))],
	['a step that is switched off', ask(asks(STATUS, 'Signed'), 'if', true)],
	['another step', ask(asks(STATUS, 'Signed'), 'set')],
	['no parameters', ask(undefined)],
])('%s is not', (_, told) => expect(told).toEqual([]));

describe('in n8n', () => {
	let service: Service;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	it('is told beside the output of a search', async () => {
		const { items } = await runAction(service.baseUrl, { resource: 'set', operation: 'search', limit: 1 });
		const status = String(items[0]!.json.status).toLowerCase();
		const behind = [{ name: 'Ask', type: 'n8n-nodes-base.if', parameters: asks(STATUS, status) }];
		const { hints } = await runAction(
			service.baseUrl,
			{ resource: 'set', operation: 'search', limit: 1 },
			{ behind },
		);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^"Ask" compares status with/),
		]);
	});
});
