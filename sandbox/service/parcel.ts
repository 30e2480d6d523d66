/** What the stand-in knows of the parties, the sets and their documents. */

/** Where a set stands, spelled as a search result spells it. A surrendered set is finished and no longer `ACTIVE`. */
export type Status = 'drafted' | 'signed' | 'issued' | 'title_held' | 'transfer_drafted' | 'surrendered';

type Instance = 'HUB' | 'EXCHANGE';

export interface Counterparty {
	customerId: string;
	customerName: string;
}

export interface Customer extends Counterparty {
	signatures: Array<{ signatureId: string; signatureText: string }>;
	bdt: boolean;
}

export interface ParcelDocument {
	documentId: string;
	name: string;
	docType: 'BILL_OF_LADING' | 'UPLOADABLE_DOCUMENT';
	/** Null in searches unless it is given. */
	xmlContent?: string;
}

/** One set (parcel). Times are milliseconds since 1970, everything else is as the service words it. */
export interface ParcelSet {
	setId: string;
	customerId: string;
	instance: Instance;
	status: Status;
	/** Carried until the issue; title and transfer are a second transaction of the same set. */
	firstTransactionId: string;
	titleTransactionId: string;
	parcelRef: string;
	shipmentRef: string;
	billOfLadingDate: string;
	modifiedAt: number;
	signed: number;
	signatures: number;
	cargoName: string;
	quantity: string;
	loadPort: string;
	destinationName: string;
	destinationCountry: string;
	vesselName: string | null;
	consignor: Counterparty;
	consignee: Counterparty;
	from: Counterparty | null;
	documents: ParcelDocument[];
}

/** The transaction that a search result or an event names: another one once title is held. */
export function transactionIdOf(set: ParcelSet): string {
	const late = ['title_held', 'transfer_drafted', 'surrendered'].includes(set.status);
	return late ? set.titleTransactionId : set.firstTransactionId;
}

export function isFinished(set: ParcelSet): boolean {
	return set.status === 'surrendered';
}
