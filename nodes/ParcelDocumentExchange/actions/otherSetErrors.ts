import { ServiceError } from '../../../service/errors';
import type { EventSet } from '../parameters/eventSet';

/** Set was typed or picked, or stands in for an empty field, and the event is about another one. */
export function fixedToOther(event: EventSet, fixed: string, isStandIn: boolean): ServiceError {
	if (isStandIn) return standIn(event, fixed);
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Put Set on By ID, press Expression, and drag the field ${event.path?.at(-1) ?? 'setId'} into it: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but Set is fixed to ${fixed}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. ${event.isWithin ? 'Put Event, Parse in front, which takes the event out of what it came in. ' : ''}Put Set on By ID, press Expression, and drag the field setId of the event into it: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

function standIn(event: EventSet, set: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The ${wordFor(event)} is about set ${aboutOf(event)}, but Set gives ${set}, which is written there for when a field is empty`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Take the set that is written there out of the expression: {{ ${fieldOf(event)} }}. Where the event names no set, put Set on By Reference and drag its parcelReference.`,
		},
	);
}

/** Set was typed or picked where a workflow starts for whatever failed. */
export function fixedForFailures(step: string, fixed: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Set is fixed to ${fixed}, and ${JSON.stringify(step)} starts this workflow for whatever failed`,
		{
			remedy:
				'Nothing was fetched: these would be the papers of another parcel. From a report of the trigger, Event, Parse takes the event: put it in front, and drag its setId into Set. One set that is meant each time is written as an expression: {{ "its ID" }}.',
		},
	);
}

const wordFor = ({ isAskedFor }: EventSet) => (isAskedFor ? 'input' : 'event');

/** A set that was typed into a step in front, and the event is about another one. */
export function typedInFront(event: EventSet, step: string, set: string): ServiceError {
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Take what was typed out of that step, or drag the field setId of what was found into Set: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but set ${set} is what was typed into the step ${JSON.stringify(step)}`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Take what was typed out of that step, or drag the field setId of the event into Set: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

/** An expression that gave the set of another event, or item, of the run. */
export function ofOtherEvent(event: EventSet, set: string): ServiceError {
	if (event.isAskedFor) {
		return new ServiceError(
			'invalidInput',
			`The input is about set ${aboutOf(event)}, but Set gives ${set}, that of another item in this run`,
			{
				remedy: `Nothing was fetched: these would be the papers of another parcel. Some expressions, such as $("…").first(), give one set for all items. Drag the field setId into Set: {{ ${fieldOf(event)} }}. Then each item gets its own papers.`,
			},
		);
	}
	return new ServiceError(
		'invalidInput',
		`The event is about set ${aboutOf(event)}, but Set gives ${set}, that of another event in this run`,
		{
			remedy: `Nothing was fetched: these would be the papers of another parcel. Some expressions, such as $("…").first(), give one event for all items. Drag the field setId of the event into Set: {{ ${fieldOf(event)} }}. Then each event gets its own papers.`,
		},
	);
}

const aboutOf = ({ setId, parcelReference }: EventSet) =>
	setId === null ? String(parcelReference) : shown(setId, parcelReference);

const fieldOf = ({ step, path = ['setId'] }: EventSet) =>
	`${step === undefined ? '$json' : `$(${JSON.stringify(step)}).item.json`}${path.map(memberOf).join('')}`;

/** As n8n writes it when a field is dragged. */
const memberOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** A set as a person knows it. */
export const shown = (setId: string, reference?: string | null) =>
	reference ? `${reference} (${setId})` : setId;

/** The event's set goes by another reference than the event says. */
export function otherReference(ofEvent: string, setId: string, ofSet: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`The event is about parcel ${ofEvent}, but its set ${setId} is parcel ${ofSet}`,
		{
			remedy:
				'Nothing was fetched: one of the two is wrong, and nobody can tell which papers are meant. Look the set up in the service, and tell whoever runs it.',
		},
	);
}
