import { updatedDate } from './dates';
import type { ServiceData } from './data';
import { transactionIdOf, type ParcelSet, type Status } from './parcel';

/**
 * The body of a status event (the service's interface, section 6), and nothing beside what it shows.
 * `user` or `actor` with `actorCompany`: it depends on the kind.
 */
export interface StatusEvent {
	instance: string;
	newStatus: string;
	parcelReference: string;
	customerId: string;
	action: string;
	setId: string;
	updatedDate: string;
	message: string;
	transactionId: string;
	user?: string;
	actor?: string;
	actorCompany?: string;
}

/** One step of a set's life: its label for a person, the status it leads to, and the words of its event. */
export interface Step {
	name: 'draft' | 'sign' | 'issue' | 'holdTitle' | 'draftTransfer';
	label: string;
	leadsTo: Status;
	newStatus: string;
	action: string;
	/** Actors are roles: the sandbox names no person. */
	role: string;
	/** Whose desk it is, for the kinds that name a company. */
	company: 'consignor' | 'consignee' | null;
}

/** In the order of a set's life. The spellings are those of the service's interface, section 3. */
export const steps: readonly Step[] = [
	{
		name: 'draft',
		label: 'Draft',
		leadsTo: 'drafted',
		newStatus: 'DRAFTED',
		action: 'APPROVE_COLLAB',
		role: 'Documentation desk',
		company: null,
	},
	{
		name: 'sign',
		label: 'Sign',
		leadsTo: 'signed',
		newStatus: 'Signed',
		action: 'Sign',
		role: 'Signing desk',
		company: 'consignor',
	},
	{
		name: 'issue',
		label: 'Issue',
		leadsTo: 'issued',
		newStatus: 'ISSUED',
		action: 'ISSUE',
		role: 'Issuing desk',
		company: 'consignor',
	},
	{
		name: 'holdTitle',
		label: 'Hold title',
		leadsTo: 'title_held',
		newStatus: 'TITLE_HELD',
		action: 'ISSUE',
		role: 'Trade finance desk',
		company: 'consignee',
	},
	{
		name: 'draftTransfer',
		label: 'Draft transfer',
		leadsTo: 'transfer_drafted',
		newStatus: 'TRANSFER_DRAFTED',
		action: 'DRAFT_TRANSFER',
		role: 'Transfer desk',
		company: null,
	},
];

/** The step a desk would take now; null when the set has come to the end of what events tell of. */
export function nextStep(set: ParcelSet): Step | null {
	if (set.status === 'surrendered' || set.status === 'transfer_drafted') return null;
	if (set.signed < set.signatures && (set.status === 'drafted' || set.status === 'signed')) {
		return stepNamed('sign');
	}
	const place = steps.findIndex((step) => step.leadsTo === set.status);
	return steps[place + 1] ?? null;
}

export function isStepName(name: unknown): name is Step['name'] {
	return steps.some((step) => step.name === name);
}

/**
 * Moves a set and gives the event that the service would put on the queue. Any step is allowed at any time:
 * a returned or amended set goes back. `at` is in milliseconds. Throws when there is no such set.
 */
export function move(data: ServiceData, setId: string, name: Step['name'], at: number): StatusEvent {
	const set = data.find(setId);
	if (!set) throw new Error(`There is no set ${setId}`);
	const step = stepNamed(name);
	set.status = step.leadsTo;
	set.signed = signedAfter(step, set);
	set.from = step.name === 'draft' ? null : set.consignor;
	set.modifiedAt = at;
	data.put(set);
	return eventOf(set, step, data.version);
}

/** Drafts a new set and gives it with its DRAFTED event. */
export function draftSet(data: ServiceData, at: number): { set: ParcelSet; event: StatusEvent } {
	const set = data.draft(at);
	data.put(set);
	return { set, event: eventOf(set, stepNamed('draft'), data.version) };
}

/** The event of a step the set has just taken. `turn` decides the spelling of the instance, which varies. */
function eventOf(set: ParcelSet, step: Step, turn: number): StatusEvent {
	const event: StatusEvent = {
		instance: spelledVariously(set.instance, turn),
		newStatus: step.newStatus,
		parcelReference: set.parcelRef,
		customerId: set.customerId,
		action: step.action,
		setId: set.setId,
		updatedDate: updatedDate(set.modifiedAt),
		message: 'The status of the set has been updated',
		transactionId: transactionIdOf(set),
	};
	if (!step.company) return { ...event, user: step.role };
	return { ...event, actor: step.role, actorCompany: set[step.company].customerName };
}

function stepNamed(name: Step['name']): Step {
	return steps.find((step) => step.name === name) as Step;
}

function signedAfter(step: Step, set: ParcelSet): number {
	if (step.name === 'draft') return 0;
	return step.name === 'sign' ? Math.min(set.signed + 1, set.signatures) : set.signatures;
}

function spelledVariously(instance: string, turn: number): string {
	const lower = instance.toLowerCase();
	const spellings = [instance, lower, instance.charAt(0) + lower.slice(1)];
	return spellings[turn % spellings.length] ?? instance;
}
