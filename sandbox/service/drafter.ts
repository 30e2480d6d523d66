import { isoDay } from './dates';
import type { Counterparty, Customer, ParcelDocument, ParcelSet, Status } from './parcel';
import type { Random } from './random';
import * as words from './words';

const day = 24 * 60 * 60_000;

interface Parties {
	customers: Customer[];
	counterparties: Counterparty[];
}

/** What the caller decides of a set; `documents` is their number, 2 to 6 when it is undefined. */
interface Wanted {
	status: Status;
	modifiedAt: number;
	documents: number | undefined;
}

/** One believable set: a cargo from a port that ships it, between a customer and a house that deals in it. */
export function makeSet(
	random: Random,
	parties: Parties,
	{ status, modifiedAt, documents }: Wanted,
): ParcelSet {
	// The sandbox listens to one customer's queue: most of the trade is that customer's.
	const holder = random.next() < 0.7 ? parties.customers[0] : random.pick(parties.customers);
	const { customerId, customerName } = holder as Customer;
	const customer = { customerId, customerName };
	const cargo = random.pick(words.cargoes);
	const house = random.pick(cargo.houses);
	const other = parties.counterparties.find((one) => one.customerName === house) as Counterparty;
	const [consignor, consignee] = random.next() < 0.6 ? [customer, other] : [other, customer];
	const loadCode = random.pick(cargo.loadPorts);
	const loadPort = words.ports.find(([, , code]) => code === loadCode)?.[0] ?? loadCode;
	const abroad = words.ports.filter(([, , code]) => code.slice(0, 2) !== loadCode.slice(0, 2));
	const [destinationName, destinationCountry] = random.pick(abroad);
	const signatures = random.between(1, 2);
	const year = new Date(modifiedAt).getUTCFullYear();
	return {
		setId: random.uuid(),
		customerId,
		instance: random.next() < 0.35 ? 'HUB' : 'EXCHANGE',
		status,
		firstTransactionId: random.uuid(),
		titleTransactionId: random.uuid(),
		parcelRef: `${loadCode}-${random.between(100000, 999999)}/${random.between(1, 3)}`,
		shipmentRef: `SHP-${year}-${random.between(10000, 99999)}`,
		billOfLadingDate: isoDay(modifiedAt - random.between(0, 12) * day),
		modifiedAt,
		signed: signedSoFar(random, status, signatures),
		signatures,
		cargoName: cargo.name,
		// The service writes an amount and a unit that were never filled in as two null words.
		quantity: random.next() < 0.06 ? 'null null' : quantityOf(random, cargo),
		loadPort,
		destinationName,
		destinationCountry,
		vesselName: status === 'drafted' && random.next() < 0.3 ? null : random.pick(words.vesselNames),
		consignor,
		consignee,
		from: status === 'drafted' ? null : consignor,
		documents: makeDocuments(random, documents ?? random.between(2, 6)),
	};
}

function quantityOf(random: Random, { most, unit }: words.Cargo): string {
	return `${random.between(Math.ceil(most / 4), most)} ${unit}`;
}

function signedSoFar(random: Random, status: Status, signatures: number): number {
	if (status === 'drafted') return 0;
	return status === 'signed' && random.next() < 0.3 ? 1 : signatures;
}

function makeDocuments(random: Random, count: number): ParcelDocument[] {
	const start = random.between(0, words.paperNames.length - 1);
	return Array.from({ length: count }, (_, index): ParcelDocument => {
		const documentId = random.uuid();
		if (index === 0) return { documentId, name: 'Bill of lading', docType: 'BILL_OF_LADING' };
		// A paper uploaded a second time keeps its name: two documents of a set can be called alike.
		const repeated = index > 2 && random.next() < 0.1;
		const name = words.paperNames[(start + index - (repeated ? 1 : 0)) % words.paperNames.length] ?? 'Paper';
		return { documentId, name, docType: 'UPLOADABLE_DOCUMENT' };
	});
}
