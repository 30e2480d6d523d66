import { inflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/** The files of a zip archive by name, read from the directory at its end (APPNOTE.TXT 4.3.12; no encryption, no zip64). */
export function unzip(archive: Buffer): Map<string, Buffer> {
	const files = new Map<string, Buffer>();
	const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
	let entry = archive.readUInt32LE(end + 16);
	for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
		const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => archive.readUInt16LE(entry + at));
		const name = archive.toString('utf8', entry + 46, entry + 46 + (nameBytes ?? 0));
		const start = archive.readUInt32LE(entry + 42);
		const body = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
		const bytes = archive.subarray(body, body + archive.readUInt32LE(entry + 20));
		files.set(name, archive.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(bytes) : bytes);
		entry += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
	}
	return files;
}
