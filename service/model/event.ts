import { createHash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from './canonicalJson';
import { isExact } from './exactJson';
import { eventInstant } from './eventDate';
import { instanceKind } from './instance';
import { canonicalWord } from './canonicalWord';

/** Any field but the status may be absent or of another type: the event still counts, the field is null. */
const text = z.string().nullish().catch(null);

/**
 * A status event as it is put on the queue (interface, part 6). Readable is an object with a non-empty status;
 * fields we do not know stay in the raw body.
 */
export const StatusEventBody = z.looseObject({
	newStatus: z.string().refine((status) => status.trim() !== '', 'newStatus is empty'),
	action: text,
	instance: text,
	parcelReference: text,
	setId: text,
	transactionId: text,
	customerId: text,
	actor: text,
	user: text,
	actorCompany: text,
	updatedDate: text,
	message: text,
});
export type StatusEventBody = z.infer<typeof StatusEventBody>;

/** One status event in our words. Every field is null where the service sent none. */
export interface StatusEvent {
	/** The same for every delivery of the same event; see {@link eventIdentity}. */
	eventId: string;
	/** Canonical: `SIGNED`, whatever its spelling. */
	status: string;
	/** Canonical. */
	action: string | null;
	/** `hub`, `exchange`, or as sent. */
	instance: string | null;
	parcelReference: string | null;
	setId: string | null;
	transactionId: string | null;
	customerId: string | null;
	/** The person: the service sends `actor` or `user`. */
	actor: string | null;
	actorCompany: string | null;
	/** ISO 8601 in UTC, null when the zone is unknown. */
	updatedAt: string | null;
	message: string | null;
	/** The body as sent. */
	raw: Record<string, unknown>;
}

/**
 * The identity of an event, since the service sends none: the first 32 hex digits of a sha256 over its whole content, so
 * that the same content has the same id however it came, and another content another. Part of the contract with users' own
 * tables: a new recipe gets a new version, this one never changes.
 *
 * @param body as parsed; members in any order
 * @param text it was parsed from. Where parsing lost some of it (a number too long for JavaScript, a member that stands
 * twice), the text itself is the content
 */
export function eventIdentity(body: object, text?: string): string {
	const content = text === undefined || isExact(text, body) ? `v2|${canonicalJson(body)}` : `v3|${text}`;
	return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/**
 * The event of a readable body, or undefined when the body is none (not an object, no status). Never throws.
 *
 * @param text it was parsed from, where it is known: see {@link eventIdentity}
 */
export function readStatusEvent(body: unknown, text?: string): StatusEvent | undefined {
	const parsed = StatusEventBody.safeParse(body);
	if (!parsed.success) return undefined;
	const sent = parsed.data;
	const raw = body as Record<string, unknown>;
	const status = canonicalWord(sent.newStatus);
	const action = sent.action ? canonicalWord(sent.action) : null;
	const actor = sent.actor || sent.user || null;
	const setId = sent.setId ?? null;
	const transactionId = sent.transactionId ?? null;
	const customerId = sent.customerId ?? null;
	const updatedDate = sent.updatedDate ?? null;
	return {
		eventId: eventIdentity(raw, text),
		status,
		action,
		instance: sent.instance ? instanceKind(sent.instance) : null,
		parcelReference: sent.parcelReference ?? null,
		setId,
		transactionId,
		customerId,
		actor,
		actorCompany: sent.actorCompany ?? null,
		updatedAt: updatedDate === null ? null : eventInstant(updatedDate),
		message: sent.message ?? null,
		raw,
	};
}
