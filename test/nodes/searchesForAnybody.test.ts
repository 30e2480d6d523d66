import type { INodeParameters } from 'n8n-workflow';
import { mail, pdfs, step, told, type Step } from '../support/stepsBehind';

describe('a sub-workflow that is called with an address alone', () => {
	const called = step('Called', 'executeWorkflowTrigger', {}, ['Search']);
	const search = (filters: INodeParameters, next = 'PDFs') =>
		step('Search', 'x.parcelDocumentExchange', { operation: 'search', limit: 1, filters }, [next]);
	const toCalled = mail(undefined, { toEmail: '={{ $("Called").first().json.to }}' });
	const said = (...steps: Step[]) =>
		told([called, ...steps, pdfs(), toCalled]).filter((one) => one.includes('goes by nothing that came'));

	it('and finds sets by nothing that came is told', () =>
		expect(said(search({}))).toEqual([
			expect.stringMatching(/^"Search" goes by nothing that came with "Called", and what is sent/),
		]));

	it('is not told where it asks for what came', () => {
		const asks = '={{ $("Called").first().json.reference }}';
		expect(said(search({ referenceContains: '={{ $json.reference }}' }))).toEqual([]);
		expect(
			said(search({}, 'Filter'), step('Filter', 'filter', { conditions: { rightValue: asks } }, ['PDFs'])),
		).toEqual([]);
	});
});
