import type { ParcelSet } from '../../../sandbox/service/parcel';
import type { Script } from './scriptedModel';
import { nameOf } from './tools';

/** What the tool answered, whether n8n hands the model one item or a list of them. */
function itemsIn(answer: string): Record<string, unknown>[] {
	const parsed = JSON.parse(answer) as unknown;
	const found = [parsed].flat(2) as Record<string, unknown>[];
	return found.flatMap((item) => (item['json'] ? [item['json'] as Record<string, unknown>] : [item]));
}

/** A model that looks for a parcel by its reference, lists its papers, gets the first, and says what it got. */
export const paperByReference =
	({ shipmentRef, parcelRef }: Pick<ParcelSet, 'shipmentRef' | 'parcelRef'>): Script =>
	([found, listed, got]) => {
		if (found === undefined) {
			return { tool: nameOf('set.search'), arguments: { shipment_reference: shipmentRef, status: '' } };
		}
		const setId = itemsIn(found).find((set) => set['parcelRef'] === parcelRef)?.['setId'];
		if (listed === undefined) return { tool: nameOf('document.getAll'), arguments: { set_id: setId } };
		const [paper] = itemsIn(listed);
		if (got === undefined) {
			const args = { set_id: setId, document_id: paper?.['documentId'] };
			return { tool: nameOf('document.getPdf'), arguments: args };
		}
		const [pdf] = itemsIn(got);
		return { say: `${String(paper?.['name'])}: ${String(pdf?.['bytes'])} bytes, ${String(pdf?.['sha256'])}` };
	};
