import { execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
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
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
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
