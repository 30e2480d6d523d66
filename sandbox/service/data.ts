import { makeSet } from './drafter';
import type { Counterparty, Customer, ParcelSet, Status } from './parcel';
import { createRandom, type Random } from './random';
import * as words from './words';

interface DataOptions {
	/** How many sets; 300 unless told. 50,000 take about a second. */
	sets?: number;
	/** Documents in each set; 2 to 6, varying, unless told. The first is the bill of lading. */
	documentsPerSet?: number;
	seed?: number;
	/** The moment of the newest change, in milliseconds; fixed unless told, so that data compare equal. */
	now?: number;
}

/** Everything the stand-in holds. The newest change stands first, as in the service's own list. */
export interface ServiceData {
	customers: Customer[];
	counterparties: Counterparty[];
	sets: ParcelSet[];
	/** Grows with every change: whoever keeps a derived list compares it. */
	version: number;
	find(setId: string): ParcelSet | undefined;
	/** Takes a changed or a new set to the front of the list. */
	put(set: ParcelSet): void;
	/** A set fresh from the drafter, for the first customer; not in the list until it is put there. */
	draft(now: number): ParcelSet;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** The stages, in the proportion a documentation desk sees them; also the order of the newest sets. */
const statuses: Status[] = [
	'drafted',
	'signed',
	'drafted',
	'issued',
	'title_held',
	'signed',
	'surrendered',
	'issued',
	'transfer_drafted',
	'surrendered',
];

/** Believable data: the same options give the same sets, ids included, every time. */
export function makeData(options: DataOptions = {}): ServiceData {
	const {
		sets: count = 300,
		documentsPerSet,
		seed = 20261120,
		now = Date.UTC(2026, 10, 20, 9, 48, 18),
	} = options;
	const random = createRandom(seed);
	const customers = words.customerNames.map((name, index) => makeCustomer(random, name, index));
	const houses = new Set([...words.cargoes.flatMap((cargo) => cargo.houses), ...words.otherHouses]);
	const counterparties = [...houses]
		.sort()
		.map((customerName) => ({ customerId: random.uuid(), customerName }));
	const parties = { customers, counterparties };

	const averageGap = Math.min(200 * minute, (720 * day) / Math.max(count, 1));
	const sets: ParcelSet[] = [];
	let modifiedAt = now;
	for (let index = 0; index < count; index += 1) {
		const status = statuses[index % statuses.length] ?? 'signed';
		const set = makeSet(random, parties, { status, modifiedAt, documents: documentsPerSet });
		// Several parcels may travel in one shipment.
		const previous = sets.at(-1);
		if (previous && random.next() < 0.08) set.shipmentRef = previous.shipmentRef;
		sets.push(set);
		modifiedAt -= Math.round(random.next() * 2 * averageGap);
	}

	const byId = new Map(sets.map((set) => [set.setId, set]));
	return {
		customers,
		counterparties,
		sets,
		version: 1,
		find: (setId) => byId.get(setId.toLowerCase()),
		put(set) {
			const place = sets.indexOf(set);
			if (place >= 0) sets.splice(place, 1);
			sets.unshift(set);
			byId.set(set.setId, set);
			this.version += 1;
		},
		draft: (at) =>
			makeSet(
				random,
				{ customers: customers.slice(0, 1), counterparties },
				{
					status: 'drafted',
					modifiedAt: at,
					documents: documentsPerSet,
				},
			),
	};
}

function makeCustomer(random: Random, customerName: string, index: number): Customer {
	const signatures = words.signatureTexts.slice(0, index + 1).map((signatureText, place) => ({
		signatureId: place === 0 ? words.defaultSignatureId : random.uuid(),
		signatureText,
	}));
	return { customerId: random.uuid(), customerName, signatures, bdt: index === 1 };
}
