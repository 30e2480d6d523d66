import type { IDataObject } from 'n8n-workflow';
import { isUuid } from '../../../service/model/uuid';
import { isObject } from './values';

/** Starts a run for what the workflow that calls this one asks for. */
const CALLED = /\.executeWorkflowTrigger$/;

/** Steps that start a run because a person, or another workflow, asked for something. */
const ASKED = /\.(formTrigger|chatTrigger|webhook|executeWorkflowTrigger)$/;

/** What an ID may be of, other than a set. */
const OF_ELSE =
	/^(customers?|counterpart(y|ies)|compan(y|ies)|party|parties|documents?|docs?|users?|accounts?|actors?|transactions?|events?|executions?|runs?|workflows?|messages?|requests?|traces?|correlation|contacts?|persons?|orders?|sessions?|tenants?|rows?|files?|folders?)$/;

export const isAsked = (type: string): boolean => ASKED.test(type);

export const isCalled = (type: string): boolean => CALLED.test(type);

/** A field of what was asked. */
export interface Field {
	/** Its name, and before that the one of the object that it lies in. */
	path: readonly string[];
	value: unknown;
}

/**
 * The field by which a run was asked for a set. Whoever asks gives it a name of their own: a form, or a webhook, one that says
 * set; a workflow that calls, any but the names of something else.
 */
export function askedSet(type: string, item: IDataObject): (Field & { value: string }) | undefined {
	if (!isAsked(type)) return undefined;
	const ids = fieldsOf(item).filter((field): field is Field & { value: string } => isId(field.value));
	const ofSet = ids.find((field) => wordsOf(nameOf(field)).some((word) => /^sets?(id)?$/.test(word)));
	return ofSet ?? (isCalled(type) ? ids.find((field) => !saysElse(nameOf(field))) : undefined);
}

/** The fields of what was asked; those of a webhook, and of an object, lie a level deeper. */
export function fieldsOf(item: Record<string, unknown>): Field[] {
	return Object.entries(item).flatMap(([name, value]) =>
		isObject(value)
			? Object.entries(value).map(([inner, held]) => ({ path: [name, inner], value: held }))
			: [{ path: [name], value }],
	);
}

export const nameOf = ({ path }: Field): string => path.at(-1) ?? '';

/** Words that people call a parcel, or what it is known by. */
const NAMES_PARCEL =
	/\b(ref(s|no|nr|eren[cz]\w*)?|\w*parcels?|shipments?\w*|sendung\w*|bookings?|sets?(id)?|\w*lading|b l|bl)\b/;

/** Whether a field may name a parcel: by its name, or by an ID that is of nothing else. */
export const mayNameParcel = (name: string, value: string): boolean =>
	isId(value) ? !saysElse(name) : NAMES_PARCEL.test(wordsOf(name).join(' '));

const saysElse = (name: string) => wordsOf(name).some((word) => OF_ELSE.test(word));

export const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value.trim());

/** `parcelSetId`, `Set ID`, `set_id`. */
const wordsOf = (name: string) =>
	name
		.replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
		.toLowerCase()
		.split(/[^a-z\d]+/);
