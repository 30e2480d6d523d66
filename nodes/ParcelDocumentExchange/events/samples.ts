import { readStatusEvent, type StatusEvent } from '../../../service/model/event';
import { KNOWN_STATUSES, OTHER_STATUS } from '../../../service/model/status';

/** Whose events the samples are: nobody's. */
export const SAMPLE_CUSTOMER_ID = '00000000-0000-4000-8000-000000000001';
/** The set of every sample, which is none. */
export const SAMPLE_SET_ID = '00000000-0000-4000-8000-000000000002';

/** Title moves in a transaction of its own: from TITLE_HELD on the id differs (interface, part 6, rule 2). */
const ISSUING = '00000000-0000-4000-8000-000000000003';
const TITLE = '00000000-0000-4000-8000-000000000004';

/** Who did it, as the service says it: of a draft, in the field user. */
const USER = { user: 'Sample User' };
const CARRIER = { actor: 'Sample User', actorCompany: 'Sample Carrier' };
const SHIPPER = { actor: 'Sample User', actorCompany: 'Sample Shipper' };

/** What tells the kinds apart on the wire, spelled as the service spells it. */
const KINDS: Record<string, Record<string, unknown>> = {
	DRAFTED: { newStatus: 'DRAFTED', action: 'APPROVE_COLLAB', transactionId: ISSUING, ...USER },
	SIGNED: { newStatus: 'Signed', action: 'Sign', transactionId: ISSUING, ...CARRIER },
	ISSUED: { newStatus: 'ISSUED', action: 'ISSUE', transactionId: ISSUING, ...CARRIER },
	TITLE_HELD: { newStatus: 'TITLE_HELD', action: 'ISSUE', transactionId: TITLE, ...SHIPPER },
	TRANSFER_DRAFTED: {
		newStatus: 'TRANSFER_DRAFTED',
		action: 'DRAFT_TRANSFER',
		transactionId: TITLE,
		...USER,
	},
	[OTHER_STATUS]: { newStatus: 'SAMPLE_STATUS', action: 'SAMPLE_ACTION', transactionId: TITLE, ...USER },
};

/** One made-up event per chosen status (none chosen: the five known ones), in the order of a set's life. */
export function sampleEvents(chosen: readonly string[]): StatusEvent[] {
	const wanted =
		chosen.length === 0
			? KNOWN_STATUSES
			: [...KNOWN_STATUSES, OTHER_STATUS].filter((s) => chosen.includes(s));
	return wanted.flatMap((status, index) => {
		const event = readStatusEvent({
			instance: 'Exchange',
			parcelReference: 'SAMPLE-0001',
			customerId: SAMPLE_CUSTOMER_ID,
			setId: SAMPLE_SET_ID,
			updatedDate: `Fri Nov 20 09:${String(10 + index)}:00 UTC 2026`,
			message: 'Set status has been updated',
			...KINDS[status],
		});
		return event ? [event] : [];
	});
}
