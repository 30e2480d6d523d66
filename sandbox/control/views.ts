import type { Message } from '../mail';
import { nextStep, steps, type ParcelSet, type ServiceData } from '../service';

/** What a line of the list shows. */
function lineOf(set: ParcelSet) {
	return {
		setId: set.setId,
		parcelRef: set.parcelRef,
		shipmentRef: set.shipmentRef,
		status: set.status,
		signed: set.signed,
		signatures: set.signatures,
		consignor: set.consignor.customerName,
		consignee: set.consignee.customerName,
		vesselName: set.vesselName,
		modifiedAt: set.modifiedAt,
	};
}

/** What the page shows of the chosen set. */
export function detailOf(set: ParcelSet) {
	return {
		...lineOf(set),
		instance: set.instance,
		loadPort: set.loadPort,
		destination: `${set.destinationName}, ${set.destinationCountry}`,
		cargo: set.cargoName,
		quantity: set.quantity === 'null null' ? null : set.quantity,
		billOfLadingDate: set.billOfLadingDate,
		documents: set.documents,
		next: nextStep(set)?.name ?? null,
		steps: steps.map(({ name, label, leadsTo }) => ({ name, label, leadsTo })),
	};
}

/** Sets whose references, parties, vessel, ports, cargo, status or id hold every word of the text, accents and case aside. */
export function findSets(data: ServiceData, text: string, most: number) {
	const words = folded(text).split(/\s+/).filter(Boolean);
	const found = data.sets.filter((set) => {
		const held = words.length > 0 ? searchable(set) : '';
		return words.every((word) => held.includes(word));
	});
	return { total: found.length, sets: found.slice(0, most).map(lineOf) };
}

/** What the list of mails shows; the text and the files are asked for by themselves. */
export function mailLineOf({ id, receivedAt, from, to, subject, attachments }: Message, example?: string) {
	const files = attachments.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
	return { id, receivedAt, from, to, subject, attachments: files, ofExample: from === example };
}

function searchable(set: ParcelSet): string {
	const { consignor, consignee, loadPort, destinationName, cargoName } = set;
	const references = [set.parcelRef, set.shipmentRef, set.setId, set.vesselName ?? ''];
	const trade = [consignor.customerName, consignee.customerName, loadPort, destinationName, cargoName];
	return folded([...references, ...trade, set.status.replace('_', ' ')].join(' '));
}

function folded(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
