import { z } from 'zod';

/** Interface, 2.2. Loose: fields we do not know reach the user untouched. */
export const Counterparty = z.looseObject({ customerId: z.string(), customerName: z.string().nullish() });
export type Counterparty = z.infer<typeof Counterparty>;

/** Interface, 2.3: a customer with its signature templates. Only the id is relied on. */
export const Customer = z.looseObject({
	customerId: z.string(),
	customerName: z.string().nullish(),
	signatures: z.array(z.unknown()).nullish(),
	bdt: z.boolean().nullish(),
});
export type Customer = z.infer<typeof Customer>;
