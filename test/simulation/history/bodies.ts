import { eventBody, setIdOf } from '../../support/events';
import { SPELLINGS, type EventPlan } from './history';

/** How an event is known again in whatever shows its body. */
const MARK = /#(\d+)#/g;

/** The numbers of the events whose bodies stand in a text, also where a body is shown as base64. */
export function eventsIn(text: string): number[] {
	return [...new Set(bodiesIn(text))];
}

/** The same, each as often as a body of it stands there. */
export function bodiesIn(text: string): number[] {
	const found: number[] = [];
	for (const [, number] of text.matchAll(MARK)) found.push(Number(number));
	// Looked for in every body and every line of a log, where it hardly ever is.
	if (text.includes('base64:')) {
		for (const [, code = ''] of text.matchAll(/base64:([A-Za-z0-9+/=]+)/g)) {
			const hidden = Buffer.from(code, 'base64').toString('latin1').replaceAll('\u0000', '');
			for (const [, number] of hidden.matchAll(MARK)) found.push(Number(number));
		}
	}
	return found;
}

const named = new WeakMap<Buffer, readonly number[]>();

/** The numbers of the events in a body that may come many times. */
export function eventsInBody(body: Buffer): readonly number[] {
	const found = named.get(body) ?? eventsIn(body.toString('latin1'));
	named.set(body, found);
	return found;
}

/** Bodies of usual events are the same in many histories, and so is what is found in them. */
const usualBodies = new Map<string, Buffer>();
const MOST_USUAL = 10_000;

/** What is on the queue for this event. Nobody writes into it: events of several histories share it. */
export function bodyOf(event: EventPlan): Buffer {
	const odd = event.odd === undefined ? undefined : ODD_BODIES[event.odd];
	if (odd) return odd.body(usual(event), `#${event.number}#`);
	if (event.changes) return Buffer.from(JSON.stringify(usual(event)));
	const { number, set, status, kilobytes = 0, spelling = '' } = event;
	const key = `${number} ${set} ${status} ${kilobytes} ${spelling}`;
	const body = usualBodies.get(key) ?? Buffer.from(JSON.stringify(usual(event)));
	if (usualBodies.size < MOST_USUAL) usualBodies.set(key, body);
	return body;
}

function usual({ number, set, status, changes, kilobytes, spelling }: EventPlan): Record<string, unknown> {
	return eventBody(set, {
		newStatus: status,
		message: `Event #${number}#`,
		updatedDate: dateOf(number),
		...(spelling && { setId: SPELLINGS[spelling](idWithLetters(set)) }),
		...(kilobytes === undefined ? {} : { note: 'x'.repeat(1024 * kilobytes) }),
		...changes,
	});
}

/** Digits alone are the same in capitals. */
const idWithLetters = (set: number) => `abcdef${setIdOf(set).slice(6)}`;

function dateOf(number: number): string {
	const two = (value: number) => String(value).padStart(2, '0');
	return `Fri Nov 20 ${two(9 + Math.floor(number / 3600))}:${two(Math.floor(number / 60) % 60)}:${two(number % 60)} UTC 2026`;
}

interface OddBody {
	/** True where a reader may take it for an event: it is run, or reported. */
	readable: boolean;
	/** The status that is read, where it is not the usual one. */
	status?: string;
	body(usual: Record<string, unknown>, mark: string): Buffer;
}

const text = (value: string) => Buffer.from(value);
const own = (body: Record<string, unknown>, more: string) =>
	text(`${JSON.stringify(body).slice(0, -1)},${more}}`);

/** What a sender may put on the queue in place of an event. */
export const ODD_BODIES: Record<string, OddBody> = {
	empty: { readable: false, body: (_, mark) => text(`  ${mark}`) },
	notJson: { readable: false, body: (_, mark) => text(`<event>${mark}</event>`) },
	cutOff: { readable: false, body: (usual) => text(JSON.stringify(usual).slice(0, -1)) },
	array: { readable: false, body: (usual) => text(JSON.stringify([usual])) },
	text: { readable: false, body: (_, mark) => text(JSON.stringify(`SIGNED ${mark}`)) },
	noStatus: { readable: false, body: ({ message }) => text(JSON.stringify({ message })) },
	blankStatus: { readable: false, body: (usual) => text(JSON.stringify({ ...usual, newStatus: '  ' })) },
	statusIsNumber: { readable: false, body: (usual) => text(JSON.stringify({ ...usual, newStatus: 5 })) },
	statusIsObject: { readable: false, body: (usual) => text(JSON.stringify({ ...usual, newStatus: {} })) },
	notUtf8: {
		readable: false,
		body: (_, mark) => Buffer.concat([text(`${mark}{"newStatus":"`), Buffer.from([0xff, 0xfe, 0, 0xc3])]),
	},
	utf16: { readable: false, body: (usual) => Buffer.from(`\uFEFF${JSON.stringify(usual)}`, 'utf16le') },
	deep: {
		readable: true,
		body: (usual) => own(usual, `"more":${'['.repeat(5_000)}${']'.repeat(5_000)}`),
	},
	fieldsOfWrongTypes: {
		readable: true,
		body: (usual) => text(JSON.stringify({ ...usual, action: 5, customerId: {}, actor: [], setId: true })),
	},
	protoAction: { readable: true, body: (usual) => own(without(usual, 'action'), '"__proto__":{"action":5}') },
	protoSetId: {
		readable: true,
		body: (usual) => own(without(usual, 'setId'), '"__proto__":{"setId":{"a":1}}'),
	},
	protoCustomer: {
		readable: true,
		body: (usual) => own(without(usual, 'customerId'), '"__proto__":{"customerId":7}'),
	},
	protoNull: { readable: true, body: (usual) => own(usual, '"__proto__":null') },
	protoStatus: {
		readable: false,
		body: (usual) => own(without(usual, 'newStatus'), '"__proto__":{"newStatus":"SIGNED"}'),
	},
	constructorKey: {
		readable: true,
		body: (usual) =>
			own(usual, '"constructor":{"prototype":{"newStatus":1}},"toString":1,"hasOwnProperty":null'),
	},
	keysTwice: { readable: true, status: 'SIGNED', body: (usual) => own(usual, '"newStatus":"SIGNED"') },
	hugeNumbers: {
		readable: true,
		body: (usual) => own(usual, '"weight":1e999,"count":123456789012345678901234567890'),
	},
};

function without(body: Record<string, unknown>, key: string): Record<string, unknown> {
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}
