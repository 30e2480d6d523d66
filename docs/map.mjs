import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Draws docs/map.md's picture from the imports: `node docs/map.mjs`. With `--check` it only says whether the page has it. */
const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(PROJECT, 'docs', 'map.md');
const [BEGIN, END] = ['<!-- drawn by docs/map.mjs -->', '<!-- end -->'];
const NODES = 'nodes/ParcelDocumentExchange';
const STOREYS = { nodes: 'nodes/ParcelDocumentExchange', credentials: 'credentials', service: 'service' };
/** What lives in one room alone. */
const PACKAGES = ['undici', 'amqplib', 'acorn', 'eslint-scope'];

function* filesBelow(folder) {
	for (const entry of readdirSync(join(PROJECT, folder), { withFileTypes: true })) {
		const path = `${folder}/${entry.name}`;
		if (entry.isDirectory() && !['node_modules', '__schema__'].includes(entry.name)) yield* filesBelow(path);
		else if (entry.name.endsWith('.ts')) yield path;
	}
}

/** The room of a file: its folder. */
const roomOf = (file) => dirname(file);

function arrows() {
	const found = new Set();
	for (const file of ['nodes', 'credentials', 'service'].flatMap((folder) => [...filesBelow(folder)])) {
		const text = readFileSync(join(PROJECT, file), 'utf8');
		for (const { fileName } of ts.preProcessFile(text).importedFiles) {
			if (PACKAGES.includes(fileName)) found.add(`${roomOf(file)} ${fileName}`);
			if (!fileName.startsWith('.')) continue;
			const to = roomOf(relative(PROJECT, resolve(PROJECT, dirname(file), fileName)));
			if (to !== roomOf(file)) found.add(`${roomOf(file)} ${to}`);
		}
	}
	return [...found].sort().map((pair) => pair.split(' '));
}

function drawing() {
	const all = arrows();
	const rooms = [...new Set(all.flat())].sort();
	const id = (room) => room.replace(/[^a-z]/gi, '_');
	const name = (room) =>
		Object.values(STOREYS).includes(room) ? `${room.split('/')[0]}/` : room.replace(`${NODES}/`, '');
	// An arrow that a longer way shows as well is left out.
	const direct = all.filter(
		([from, to]) => !all.some(([f, between]) => f === from && between !== to && leads(all, between, to)),
	);
	const lines = Object.entries(STOREYS).flatMap(([title, storey]) => {
		const inside = rooms.filter((room) => room === storey || room.startsWith(`${storey}/`));
		return [
			`  subgraph storey_${title}[${title}]`,
			...inside.map((room) => `    ${id(room)}["${name(room)}"]`),
			'  end',
		];
	});
	const packages = PACKAGES.map((room) => `  ${id(room)}(["${room}"])`);
	const ways = direct.map(([from, to]) => `  ${id(from)} --> ${id(to)}`);
	return ['```mermaid', 'flowchart TB', ...lines, ...packages, ...ways, '```'].join('\n');
}

function leads(all, from, to) {
	return all.some(([f, next]) => f === from && (next === to || leads(all, next, to)));
}

const page = readFileSync(PAGE, 'utf8');
const drawn = page.replace(new RegExp(`${BEGIN}[\\s\\S]*${END}`), () => `${BEGIN}\n\n${drawing()}\n\n${END}`);
if (!process.argv.includes('--check')) writeFileSync(PAGE, drawn);
else if (page !== drawn) {
	process.stdout.write('The drawing in docs/map.md is not of these imports: run node docs/map.mjs\n');
	process.exitCode = 1;
}
