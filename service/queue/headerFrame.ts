/** Of a frame that holds the headers of a message. */
export const HEADER_FRAME = 2;

/** Type, channel, size, class, weight, size of the body, flags. */
const FLAGS_AT = 19;
const PROPERTIES_AT = 21;
const [CONTENT_TYPE, CONTENT_ENCODING, HEADERS] = [0x8000, 0x4000, 0x2000];

/** What amqplib reads without recursion: a value's bytes behind its type. */
const SIZES = new Map(
	Object.entries({ t: 1, b: 1, B: 1, s: 2, u: 2, I: 4, i: 4, f: 4, D: 5, l: 8, T: 8, d: 8, V: 0 }),
);
/** Four bytes say how many follow. */
const LONG = ['S', 'x'];
const TABLES = ['F', 'A'];
/** Of eight bytes, and unknown to amqplib. */
const UNKNOWN = 'L';

/** The broker writes it, and tells by it how often a message was rejected. */
const DEATHS = 'x-death';

/**
 * The same frame without the headers that amqplib may not be able to read: tables, lists and types that it does not know.
 * What the broker itself says of the message stays.
 * @param frame whole
 * @param keepDeaths also {@link DEATHS}, which is a list that anybody may have written
 * @returns undefined where it is not what the protocol says
 */
export function withoutTables(frame: Buffer, keepDeaths: boolean): Buffer | undefined {
	try {
		const flags = frame.readUInt16BE(FLAGS_AT);
		if (!(flags & HEADERS)) return undefined;
		let at = PROPERTIES_AT;
		for (const text of [CONTENT_TYPE, CONTENT_ENCODING]) if (flags & text) at += 1 + frame.readUInt8(at);
		const begin = at + 4;
		const end = begin + frame.readUInt32BE(at);
		const kept: Buffer[] = [];
		for (let from = begin; from < end;) {
			const typeAt = from + 1 + frame.readUInt8(from);
			const name = frame.toString('utf8', from + 1, typeAt);
			const type = String.fromCharCode(frame.readUInt8(typeAt));
			const isLong = LONG.includes(type) || TABLES.includes(type);
			const size = isLong ? 4 + frame.readUInt32BE(typeAt + 1) : type === UNKNOWN ? 8 : SIZES.get(type);
			if (size === undefined) return undefined;
			const to = typeAt + 1 + size;
			const isReadable = type !== UNKNOWN && !TABLES.includes(type);
			if (isReadable || (keepDeaths && name === DEATHS)) kept.push(frame.subarray(from, to));
			from = to;
		}
		const headers = Buffer.concat(kept);
		const lesser = Buffer.concat([frame.subarray(0, begin), headers, frame.subarray(end)]);
		lesser.writeUInt32BE(headers.length, at);
		lesser.writeUInt32BE(frame.readUInt32BE(3) - (end - begin) + headers.length, 3);
		return lesser;
	} catch {
		return undefined;
	}
}
