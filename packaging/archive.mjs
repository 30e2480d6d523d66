/** A tar archive is made of these. */
const BLOCK = 512;
const REGULAR = ['0', '\0'];
/** The same file once more, under another name or its own. */
const HARD_LINK = '1';
/** The name of what comes next, where it is too long for its block: as GNU tar and as POSIX write it. */
const LONG_NAME = 'L';
const EXTENDED = 'x';

const text = (bytes) => bytes.toString('utf8').replace(/\0.*$/s, '');
const octal = (bytes) => (/^ *[0-7]+[ \0]*$/.test(text(bytes)) ? parseInt(text(bytes), 8) : undefined);

/** @returns what the block says of the entry that it begins; undefined for one that begins none */
function headIn(block) {
	const spaced = Buffer.from(block).fill(' ', 148, 156);
	const sum = spaced.reduce((total, byte) => total + byte, 0);
	const size = octal(block.subarray(124, 136));
	if (size === undefined || octal(block.subarray(148, 156)) !== sum) return undefined;
	const folder = text(block.subarray(345, 500));
	const name = text(block.subarray(0, 100));
	const kind = String.fromCharCode(block[156]);
	return { name: folder ? `${folder}/${name}` : name, kind, size, target: text(block.subarray(157, 257)) };
}

/**
 * Reads an archive in memory: whatever it was made to do, nothing of it is unpacked.
 * @returns `{ files, readable }`. `files`: by path, the content of each file, and `null` for links and other things that are
 * none. `readable`: whether that is all there is
 */
export function filesIn(archive) {
	const files = new Map();
	let longName;
	for (let at = 0; at + BLOCK <= archive.length;) {
		const block = archive.subarray(at, at + BLOCK);
		if (block.every((byte) => byte === 0)) return { files, readable: true };
		const head = headIn(block);
		const content = archive.subarray(at + BLOCK, at + BLOCK + (head?.size ?? 0));
		if (head === undefined || content.length < head.size) break;
		at += BLOCK + Math.ceil(head.size / BLOCK) * BLOCK;
		if (head.kind === LONG_NAME) longName = text(content);
		else if (head.kind === EXTENDED) longName = /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1];
		else {
			const linked = head.kind === HARD_LINK ? files.get(head.target) : undefined;
			files.set(longName ?? head.name, REGULAR.includes(head.kind) ? content : (linked ?? null));
			longName = undefined;
		}
	}
	return { files, readable: false };
}

const isSame = (one, other) => one === other || (one?.equals(other ?? Buffer.alloc(0)) ?? false);

/** One line for each file that is not the same in both, as {@link filesIn} gives them. */
export function differences(theirs, ours) {
	const paths = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
	return paths.flatMap((path) => {
		const [given, built] = [theirs.get(path), ours.get(path)];
		if (built === undefined) return [`  only in the file: ${printed(path)}`];
		if (given === undefined) return [`  missing in the file: ${printed(path)}`];
		return isSame(given, built) ? [] : [`  not the same: ${printed(path)}`];
	});
}

/** A name could hold what clears the screen, and a verdict of its own. */
const printed = (path) =>
	path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
