import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What runs programs, and what it runs, lies where no other user of the machine can put any. */

const PROJECT = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
	...{ cwd: PROJECT, encoding: 'utf8' },
})
	.split('\0')
	.filter((file) => /\.(ts|js|mjs)$/.test(file));
const saying = (words: RegExp, among = files) =>
	among.filter((file) => words.test(readFileSync(join(PROJECT, file), 'utf8')));

it('no n8n stands below the temporary folder: it loads what it does not find in its own from any node_modules above', () => {
	const starting = saying(/\bstart(N8n|Worker)\(/);
	expect(starting).toContain('test/support/triggerHost.ts');
	expect(saying(/\btmpdir\(\)/, starting)).toEqual([]);
});

it('who reads TypeScript forgets it', () => {
	expect(saying(/(?:import\(|from )'tsx\b/)).toEqual(['sandbox/setup/typescript.mjs']);
	expect(process.env['TSX_DISABLE_CACHE']).toBe('1');
});

it('jest keeps what it made of each file in the project', () => {
	const said = execFileSync(process.execPath, [require.resolve('jest/bin/jest'), '--showConfig'], {
		...{ cwd: PROJECT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
	});
	const { configs } = JSON.parse(said) as { configs: { cacheDirectory: string }[] };
	expect([...new Set(configs.map(({ cacheDirectory }) => cacheDirectory))]).toEqual([
		join(PROJECT, '.sandbox', 'jest'),
	]);
});
