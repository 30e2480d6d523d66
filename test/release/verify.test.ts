import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'packaging', 'verify.mjs');
const FILES = { 'package.json': '{"version":"1.0.0"}', 'dist/a.js': 'one()', 'dist/b.js': 'two()' };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parcel-verify-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tarball as npm makes one. */
function packed(name: string, files: Record<string, string>, { level = '-9', link = '' } = {}): string {
	const root = join(folder, name, 'package');
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	if (link) symlinkSync('a.js', join(root, link));
	const tarball = join(folder, `${name}.tgz`);
	const tar = ['-C', join(folder, name), '--sort=name', '--mtime=@0', '-I', `gzip -n ${level}`];
	execFileSync('tar', [...tar, '-cf', tarball, 'package']);
	return tarball;
}

function verify(given: string, built: string) {
	const args = [SCRIPT, given, '--against', built];
	const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	return { status, stdout };
}

it('says that two packages are the same, and the hash that npm shows for it', () => {
	const [given, built] = [packed('given', FILES), packed('built', FILES)];
	const sha512 = createHash('sha512').update(readFileSync(given)).digest('base64');
	const said = verify(given, built);
	expect(said).toEqual({ status: 0, stdout: expect.stringContaining('byte for byte') });
	expect(said.stdout).toContain(`sha512-${sha512}`);
});

it('takes no offence at another way to pack the same files', () => {
	const said = verify(packed('given', FILES, { level: '-1' }), packed('built', FILES));
	expect(said).toEqual({ status: 0, stdout: expect.stringContaining('packed in another way') });
});

it.each([
	['is not the same', { ...FILES, 'dist/a.js': 'one() ' }, 'not the same: package/dist/a.js'],
	['was added', { ...FILES, 'dist/c.js': '' }, 'only in the file: package/dist/c.js'],
	['is missing', { 'package.json': FILES['package.json'] }, 'missing in the file: package/dist/b.js'],
	['is of another version', { ...FILES, 'package.json': '{"version":"2.0.0"}' }, 'check out v2.0.0'],
	['names no version', { ...FILES, 'package.json': '{' }, 'not the same: package/package.json'],
])('refuses a package in which a file %s', (_, files, text) => {
	const said = verify(packed('given', files), packed('built', FILES));
	expect(said).toEqual({ status: 1, stdout: expect.stringContaining(text) });
	expect(said.stdout).toContain('It is not what this source builds.');
});

it('refuses a link in the place of a file with the same content', () => {
	const others = { 'package.json': FILES['package.json'], 'dist/a.js': FILES['dist/a.js'] };
	const same = { ...FILES, 'dist/b.js': FILES['dist/a.js'] };
	const said = verify(packed('given', others, { link: 'dist/b.js' }), packed('built', same));
	expect(said).toEqual({ status: 1, stdout: expect.stringContaining('not the same: package/dist/b.js') });
});

it('says so when it cannot tell', () => {
	const built = packed('built', FILES);
	writeFileSync(join(folder, 'text.tgz'), 'no tarball');
	expect(verify(join(folder, 'text.tgz'), built).status).toBe(2);
	expect(verify(join(folder, 'nothing.tgz'), built).status).toBe(2);
});
