import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** A file that the workflow wrote. */
interface WrittenFile {
	/** Relative to the folder, with `/` between its parts. */
	name: string;
	bytes: number;
	/** Milliseconds since 1970. */
	modifiedAt: number;
}

const mostListed = 200;
const mostVisited = 5000;
const deepest = 6;

/** The newest 200 files in the folder and the folders inside it, newest first; none when there is no folder yet. */
export async function listFiles(folder: string): Promise<WrittenFile[]> {
	const files: WrittenFile[] = [];
	let visited = 0;
	const walk = async (inside: string, depth: number): Promise<void> => {
		const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			if (++visited > mostVisited) return;
			const name = inside ? `${inside}/${entry.name}` : entry.name;
			// Neither kind is true of a symbolic link: links are not followed.
			if (isHidden(entry.name)) continue;
			if (entry.isDirectory() && depth < deepest) await walk(name, depth + 1);
			if (!entry.isFile()) continue;
			const found = await stat(join(folder, name)).catch(() => null);
			if (found) files.push({ name, bytes: found.size, modifiedAt: found.mtimeMs });
		}
	};
	await walk('', 1);
	return files.sort((one, other) => other.modifiedAt - one.modifiedAt).slice(0, mostListed);
}

/** No workflow's: what programs keep for themselves, keys and settings above all. */
const isHidden = (name: string) => name.startsWith('.');

/** Opens a file of the folder for reading; null for anything that is not a plain file inside it, or is hidden. */
export async function openFile(folder: string, name: string): Promise<FileHandle | null> {
	if (name.length > 1000 || name.includes('\0') || name.split('/').some(isHidden)) return null;
	try {
		const root = await realpath(folder);
		// Links are resolved before looking: what lies outside stays outside, whatever leads there.
		const path = await realpath(resolve(root, name));
		if (!path.startsWith(root + sep)) return null;
		const file = await open(path, 'r');
		if ((await file.stat()).isFile()) return file;
		await file.close();
		return null;
	} catch {
		return null;
	}
}
