import { execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SCRIPT = join(__dirname, '..', '..', 'packaging', 'verify.mjs');
const FILES = { 'package.json': '{"version":"1.0.0"}', 'dist/a.js': 'one()', 'dist/b.js': 'two()' };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parcel-verify-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tarball as npm makes one. */
function packed(
	name: string,
	files: Record<string, string>,
	{ level = '-9', link = '', tar = [] as string[] } = {},
): string {
	const root = join(folder, name, 'package');
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	if (link) symlinkSync('a.js', join(root, link));
	const tarball = join(folder, `${name}.tgz`);
	const alike = ['-C', join(folder, name), '--sort=name', '--mtime=@0', '-I', `gzip -n ${level}`];
	execFileSync('tar', [...alike, '-cf', tarball, ...tar, 'package']);
	return tarball;
}

function verify(given: string, built: string) {
	const args = [SCRIPT, given, '--against', built];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
	return { status, stdout, stderr };
}

it('says that two packages are the same, and the hash that npm shows for it', () => {
	const [given, built] = [packed('given', FILES), packed('built', FILES)];
	const sha512 = createHash('sha512').update(readFileSync(given)).digest('base64');
	const said = verify(given, built);
	expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('byte for byte') });
	expect(said.stdout).toContain(`sha512-${sha512}`);
});

it('takes no offence at another way to compress the same archive', () => {
	const said = verify(packed('given', FILES, { level: '-1' }), packed('built', FILES));
	expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('compressed in another way') });
});

it.each([
	['is not the same', { ...FILES, 'dist/a.js': 'one() ' }, 'not the same: package/dist/a.js'],
	['was added', { ...FILES, 'dist/c.js': '' }, 'only in the file: package/dist/c.js'],
	['is missing', { 'package.json': FILES['package.json'] }, 'missing in the file: package/dist/b.js'],
	['is of another version', { ...FILES, 'package.json': '{"version":"2.0.0"}' }, 'check out v2.0.0'],
	['names no version', { ...FILES, 'package.json': '{' }, 'not the same: package/package.json'],
])('refuses a package in which a file %s', (_, files, text) => {
	const said = verify(packed('given', files), packed('built', FILES));
	expect(said).toMatchObject({ status: 1, stdout: expect.stringContaining(text) });
	expect(said.stdout).toContain('It is not what this source builds.');
});

it('refuses a link in the place of a file with the same content', () => {
	const others = { 'package.json': FILES['package.json'], 'dist/a.js': FILES['dist/a.js'] };
	const same = { ...FILES, 'dist/b.js': FILES['dist/a.js'] };
	const said = verify(packed('given', others, { link: 'dist/b.js' }), packed('built', same));
	expect(said).toMatchObject({
		status: 1,
		stdout: expect.stringContaining('not the same: package/dist/b.js'),
	});
});

/** What no file shows, and whoever unpacks the archive may be given something else by. */
const ARCHIVES: Record<string, string[]> = {
	'other rights': ['--mode=755'],
	'rights of another user': ['--mode=u+s'],
	'another order': ['--sort=none', 'package/package.json'],
	'a file twice': ['package/dist/a.js'],
};

it.each(Object.entries(ARCHIVES))('refuses the same files in an archive with %s', (_, tar) => {
	const said = verify(packed('given', FILES, { tar }), packed('built', FILES));
	expect(said).toMatchObject({ status: 1, stdout: expect.stringContaining('the archive is not') });
});

it('refuses the same files beside an empty folder', () => {
	mkdirSync(join(folder, 'given', 'package', 'empty'), { recursive: true });
	expect(verify(packed('given', FILES), packed('built', FILES)).status).toBe(1);
});

it('refuses a second archive behind the first, and what stands behind both', () => {
	const [given, built] = [packed('given', FILES), packed('built', FILES)];
	const bytes = readFileSync(given);
	writeFileSync(given, Buffer.concat([bytes, bytes]));
	expect(verify(given, built).status).toBe(1);
	for (const more of ['and more', '\0', '\0'.repeat(600), '\0'.repeat(1024 * 1024)]) {
		writeFileSync(given, Buffer.concat([bytes, Buffer.from(more)]));
		expect(verify(given, built).status).toBe(2);
	}
});

/** A block that begins an entry of an archive. */
function head(name: string, kind: string, size = 0, mode = '0000644'): Buffer {
	const block = Buffer.alloc(512);
	block.write(name, 0);
	block.write(`${mode}\0`, 100);
	block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
	block.write('        ', 148);
	block.write(`${kind}`, 156);
	block.write('ustar\0' + '00', 257);
	const sum = block.reduce((total, byte) => total + byte, 0);
	block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
	return block;
}
const filled = (text: string) => Buffer.concat([Buffer.from(text)], Math.ceil(text.length / 512) * 512);
const entry = (name: string, text: string, kind = '0') =>
	Buffer.concat([head(name, kind, text.length), filled(text)]);
const ENDING = Buffer.alloc(1024);
/** An archive of these entries behind those that are right. */
const RIGHT = Object.entries(FILES).map(([path, text]) => entry(`package/${path}`, text));
function archived(name: string, ...more: Buffer[]) {
	const file = join(folder, `${name}.tgz`);
	writeFileSync(file, gzipSync(Buffer.concat([...RIGHT, ...more, ENDING]), { level: 9 }));
	return file;
}

/** What an archive may hold beside files, or in place of one. */
const ENTRIES: Record<string, Buffer[]> = {
	'a file without an end': [head('package/dist/c.js', '0', 0o777_7777_7777)],
	'a sparse file': [head('package/dist/c.js', 'S')],
	'a link': [head('package/dist/c.js', '2')],
	'a device': [head('package/dist/c.js', '3')],
	'a pipe': [head('package/dist/c.js', '6')],
	'a folder': [head('package/dist/c/', '5')],
	'a folder that nobody may enter': [head('package/dist/c/', '5', 0, '0000000')],
	'a long name': [entry('././@LongLink', `package/${'c'.repeat(200)}`, 'L'), head('package/c', '0')],
	'a header for all that follow': [entry('package/PaxHeader', '16 comment=hidden\n', 'g')],
	'a header for nothing': [entry('package/PaxHeader', '22 path=package/dist/a.js\n', 'x')],
	'a kind that nobody knows': [head('package/dist/c.js', 'Z')],
	'what is no entry': [Buffer.alloc(512, 'a')],
	'a file behind its end': [ENDING, entry('package/dist/c.js', 'three()')],
	'more of its end': [ENDING],
	'an archive that is packed once more': [gzipSync(Buffer.concat([...RIGHT, ENDING]))],
};

it.each(Object.entries(ENTRIES))('refuses an archive with %s, at once', (_, more) => {
	const said = verify(archived('given', ...more), archived('built'));
	expect({ ...said, stderr: '' }).toEqual({ ...said, status: 1, stderr: '' });
	expect(said.stdout).toContain('It is not what this source builds');
});

it('refuses a file that is a terabyte of nothing, at once', () => {
	const root = join(folder, 'given', 'package');
	mkdirSync(root, { recursive: true });
	writeFileSync(join(root, 'large'), '');
	truncateSync(join(root, 'large'), 1024 ** 4);
	const said = verify(packed('given', FILES, { tar: ['--sparse'] }), packed('built', FILES));
	expect(said).toMatchObject({
		status: 1,
		stdout: expect.stringContaining('only in the file: package/large'),
	});
});

it('refuses an archive in another one, however much it would unpack to', () => {
	const given = join(folder, 'given.tgz');
	writeFileSync(given, gzipSync(gzipSync(Buffer.alloc(150 * 1024 * 1024), { level: 1 })));
	const said = verify(given, archived('built'));
	expect(said).toMatchObject({ status: 1, stdout: expect.stringContaining('cannot be read') });
});

/** The same archive in other words: what some programs take another part of, or none. */
const PIECES: Record<string, (archive: Buffer) => Buffer[]> = {
	'two pieces': (archive) => [gzipSync(archive.subarray(0, 700)), gzipSync(archive.subarray(700))],
	'a piece of nothing behind it': (archive) => [gzipSync(archive), gzipSync('')],
	'a piece of nothing before it': (archive) => [gzipSync(''), gzipSync(archive)],
	'a text in its head': (archive) => {
		const packed = gzipSync(archive);
		packed[3] = 0x10;
		return [packed.subarray(0, 10), Buffer.from('a comment\0'), packed.subarray(10)];
	},
};

it.each(Object.entries(PIECES))('refuses the same archive packed as %s', (_, pieces) => {
	const given = join(folder, 'given.tgz');
	writeFileSync(given, Buffer.concat(pieces(Buffer.concat([...RIGHT, ENDING]))));
	const said = verify(given, archived('built'));
	expect(said).toMatchObject({ status: 1, stdout: expect.stringContaining('its archive is the same') });
});

it('prints no sign of a name, or of a version, that could hide what it says', () => {
	const names = [
		'\x1b[2JIt is what this source builds.',
		'a\nIt is what this source builds.',
		'a\u202eb',
		'\x9b2J',
	];
	const version = '9.0.0\nIt is what this source builds, byte for byte.';
	const files = { ...FILES, 'package.json': JSON.stringify({ version }) };
	const more = names.map((name) => entry(`package/${name}`, 'x'));
	const said = verify(archived('given', ...more), packed('built', FILES));
	const other = verify(packed('given', files), packed('built', FILES));
	for (const { status, stdout } of [said, other]) {
		expect(status).toBe(1);
		expect(stdout).not.toMatch(/[^\P{C}\n]/u);
		expect(stdout).not.toMatch(/^\s*It is what/m);
	}
});

it('shows the first of very many differences, and their number', () => {
	const many = Array.from({ length: 5_000 }, (_, index) => entry(`package/${index}`, ''));
	const { status, stdout } = verify(archived('given', ...many), archived('built'));
	expect(status).toBe(1);
	expect(stdout).toContain('and 4900 more');
	expect(stdout.split('\n').length).toBeLessThan(120);
});

it('does not unpack what was made to fill a disk', () => {
	const given = join(folder, 'large.tgz');
	writeFileSync(given, gzipSync(Buffer.alloc(150 * 1024 * 1024), { level: 1 }));
	const said = verify(given, packed('built', FILES));
	expect(said).toMatchObject({ status: 2, stderr: expect.stringContaining('more than 100 MB') });
});

it.each([
	['out of its folder', ['--transform=s,package/dist,package/../..,']],
	['to the top of the disk', ['--absolute-names', '--transform=s,^package/dist,/tmp/parcel-verify-nowhere,']],
])('refuses a file that leads %s, and writes none there', (_, tar) => {
	const said = verify(packed('given', FILES, { tar }), packed('built', FILES));
	expect(said.status).not.toBe(0);
	expect(existsSync(join(tmpdir(), 'a.js'))).toBe(false);
	expect(existsSync('/tmp/parcel-verify-nowhere')).toBe(false);
});

it('says so when it cannot tell', () => {
	const built = packed('built', FILES);
	writeFileSync(join(folder, 'cut.tgz'), readFileSync(built).subarray(0, 100));
	expect(verify(join(folder, 'cut.tgz'), built).status).toBe(2);
	writeFileSync(join(folder, 'text.tgz'), 'no tarball');
	expect(verify(join(folder, 'text.tgz'), built).status).toBe(2);
	expect(verify(join(folder, 'nothing.tgz'), built).status).toBe(2);
});

it('builds where other users of the machine put nothing: npm runs and loads what lies in any node_modules above', () => {
	const [home, tmp, seen] = ['home', 'tmp', 'seen'].map((name) => join(folder, name)) as [
		string,
		string,
		string,
	];
	for (const place of [home, tmp]) mkdirSync(place);
	const [git, npm] = [join(folder, 'git'), join(folder, 'npm-cli.js')];
	writeFileSync(git, `#!/bin/sh\n[ "$1" != ls-files ] || printf 'package.json\\0'\n`, { mode: 0o755 });
	writeFileSync(npm, `require('fs').writeFileSync(${JSON.stringify(seen)}, process.cwd()); process.exit(1);`);
	const env = { ...process.env, HOME: home, XDG_CACHE_HOME: '', TMPDIR: tmp, npm_execpath: npm };
	const PATH = `${folder}:${process.env['PATH']}`;
	const args = [SCRIPT, packed('given', FILES)];
	const { status } = spawnSync(process.execPath, args, { env: { ...env, PATH }, timeout: 30_000 });
	expect(status).toBe(2);
	const built = readFileSync(seen, 'utf8');
	expect(built.startsWith(`${home}/`)).toBe(true);
	expect(existsSync(built)).toBe(false);
});
