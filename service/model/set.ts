import { z } from 'zod/v4';

/** Interface, 2.5, Document entry. */
export const DocumentEntry = z.looseObject({
	documentId: z.string(),
	name: z.string().nullish(),
	docType: z.string().nullish(),
});
export type DocumentEntry = z.infer<typeof DocumentEntry>;

/** Interface, 2.5, Set result. Strict about what we rely on (the ids, the documents), loose about the rest. */
export const SetResult = z.looseObject({
	setId: z.string(),
	transactionId: z.string().nullish(),
	parcelRef: z.string().nullish(),
	shipmentRef: z.string().nullish(),
	status: z.string().nullish(),
	modifiedDate: z.string().nullish(),
	billOfLadingDate: z.string().nullish(),
	vesselName: z.string().nullish(),
	signature: z.string().nullish(),
	quantity: z.unknown(),
	documents: z.array(DocumentEntry).nullish(),
});
export type SetResult = z.infer<typeof SetResult>;
