import { readCode } from '../../nodes/ParcelDocumentExchange/parameters/code';

/** Code with what an item says in place of the names that it was given. */

const said = (code: string) => readCode(code).said;

it.each([
	['const a = $input.first();', 'a.json.to', '$input.first().json.to'],
	['const { to } = $input.first().json;', 'to', '$input.first().json.to'],
	['const { json: { to: address } } = items[0];', 'address', '$input.first().json.to'],
	['const { to = "" } = $("Event").first().json;', 'to', '$("Event").first().json.to'],
	['const { setId, ...rest } = $("Event").first().json;', 'rest.to', '$("Event").first().json.to'],
	['const [a] = $("Event").all();', 'a.json.to', '$("Event").first().json.to'],
	['const [, a] = items;', 'a.json.to', '$input.first().json.to'],
	['const [a, ...others] = items;', 'others[0].json.to', '$input.first().json.to'],
	['const all = $input.all();', 'all[0].json.to', '$input.first().json.to'],
	['const all = $input.all();', 'all?.[0]?.json.to', '$input.first().json.to'],
	['const all = $input.all();', 'all.at(-1).json.to', '$input.first().json.to'],
	['const all = $input.all();', 'all[all.length - 1].json.to', '$input.first().json.to'],
	['const all = $input.all();', 'all.slice(-1)[0].json.to', '$input.first().json.to'],
	['const all = [...items]; const a = all.shift();', 'a.json.to', '$input.first().json.to'],
	['const all = Array.from($input.all()); const a = all.pop();', 'a.json.to', '$input.first().json.to'],
	['const all = structuredClone(items);', 'all[0].json.to', '$input.first().json.to'],
	['const all = JSON.parse(JSON.stringify(items));', 'all[0].json.to', '$input.first().json.to'],
	['const all = items.map((item) => item.json);', 'all[0].to', '$input.first().json.to'],
	['const all = items.map(({ json }) => json);', 'all[0].to', '$input.first().json.to'],
	['const all = items.map((item) => ({ to: item.json.email }));', 'all[0].to', '$input.first().json.to'],
	['const all = items.map((item) => item.json.to);', 'all[0]', '$input.first().json.to'],
	['const all = [...new Set(items.map((item) => item.json.to))];', 'all[0]', '$input.first().json.to'],
	[
		'const all = await Promise.all(items.map(async (item) => item.json));',
		'all[0].to',
		'$input.first().json.to',
	],
	[
		'const all = items.map(item => item.json).filter((one) => one.to);',
		'all[0].to',
		'$input.first().json.to',
	],
	['const a = items.find((item) => item.json.status === "ISSUED");', 'a.json.to', '$input.first().json.to'],
	[
		'const wanted = "ISSUED"; const a = items.find((item) => item.json.status === wanted);',
		'a.json.to',
		'$input.first().json.to',
	],
	['let a; a = items[0];', 'a.json.to', '$input.first().json.to'],
	['const all = $input.all() ?? [];', 'all[0].json.to', '$input.first().json.to'],
	['const all = items.length ? items : [];', 'all[0].json.to', '$input.first().json.to'],
	['const STEP = "Event"; const a = $(STEP).first();', 'a.json.to', '$("Event").first().json.to'],
	['const all = $items("Event");', 'all[0].json["to"]', '$("Event").first().json.to'],
	['const a = items[0].json.to.trim();', 'a', '$input.first().json.to.trim()'],
	['const firstOf = (list) => list[0]; const a = firstOf(items);', 'a.json.to', '$input.first().json.to'],
	['function firstOf(list) { return list.at(0); }', 'firstOf(items).json.to', '$input.first().json.to'],
	['const event = () => $("Event").first().json;', 'event().to', '$("Event").first().json.to'],
	['const toOf = ({ json: { to } }) => to;', 'toOf(items[0])', '$input.first().json.to'],
	['const all = Object.values(items);', 'all[0].json.to', '$input.first().json.to'],
	['const all = Array.from(items, (item) => item.json);', 'all[0].to', '$input.first().json.to'],
	['const a = $input.first().json;', 'a["e-mail"]', '$input.first().json["e-mail"]'],
	['// const a = items[1];\nconst a = items[0]; /* items[2] */', 'a.json.to', '$input.first().json.to'],
])('%s %s', (lines, asked, told) => {
	expect(said(`${lines}\nreturn items.map((item) => ({ json: { to: ${asked} } }));`)).toContain(
		`{ json: { to: ${told} } }`,
	);
	expect(said(`${lines}\nout.push(${asked});`)).toContain(`out.push(${told});`);
});

it.each([
	'const out = items.map((i) => ({ json: { ...i.json, to: e.to } })); return out;',
	'const out = items.filter((i) => i.binary).map((i) => ({ json: { to: e.to } })); return out.reverse();',
	'const out = await Promise.all(items.map(async (i) => ({ json: { to: e.to } }))); return out;',
	'let out = items.map((i) => ({ json: { to: e.to } })); out = out.slice(1); return out;',
	'const mine = $("Rows").all().filter((row) => row.json.id === e.to); out.push(mine.map((one) => one.json).join());',
])('what a list that has a name is made with is said: %s', (lines) => {
	expect(said(`const e = $("Event").first().json; ${lines}`)).toContain('$("Event").first().json.to');
});

it('of a row that is chosen by what one item says, both', () => {
	const rows = 'const event = $("Event").first().json; const rows = $("Rows").all();';
	const told = '{ to: $("Event").first().json.customerId, $("Rows").first().json.to }';
	for (const chosen of [
		'find((row) => row.json.id === event.customerId)',
		'filter((row) => row.json.id === event.customerId)[0]',
	]) {
		expect(said(`${rows} const row = rows.${chosen}; return [{ to: row.json.to }];`)).toContain(told);
	}
});

it('of a short way to write a field, too', () => {
	expect(said('const { to } = items[0].json; return { json: { to } };')).toContain(
		'{ json: { to: $input.first().json.to } }',
	);
});

describe('nothing is known', () => {
	it.each([
		['of an item in its turn', 'for (const a of items) out.push(a.json.to);'],
		['of a group', 'const all = items; groups.map((all) => out.push(all[0].json.to));'],
		['of what a function gets', 'const all = items; function f(all) { out.push(all[0].json.to); }'],
		[
			'of what a function gets once of this, once of that',
			'const firstOf = (list) => list[0]; firstOf(items); out.push(firstOf(groups[1]).json.to);',
		],
		[
			'of what a function gets of each',
			'const toOf = (item) => item.json.to; for (const a of items) out.push(toOf(a));',
		],
		[
			'of what a function looks up for each',
			'const rowOf = (rows, id) => rows.find((row) => row.json.id === id); for (const a of items) out.push(rowOf($("Rows").all(), a.json.id).json.to);',
		],
		[
			'of what a function that calls itself gets',
			'const walk = (list) => { if (list.length) { out.push(list[0].json.to); walk(list.slice(1)); } }; walk(items);',
		],
		[
			'of what is written to twice',
			'let a = items[0]; for (const one of items) { a = one; out.push(a.json.to); }',
		],
		[
			'of a row that is looked up',
			'for (const i of items) { const a = $("Rows").all().find((row) => row.json.id === i.json.id); out.push(a.json.to); }',
		],
		[
			'of a row that is looked up by a name',
			'const rows = $("Rows").all(); return items.map((i) => { const id = i.json.id; const a = rows.filter((row) => row.json.id === id)[0]; out.push(a.json.to); });',
		],
		[
			'of what is taken one after the other',
			'const all = [...items]; while (all.length) out.push(all.shift().json.to);',
		],
		[
			'of a row that is looked up by this',
			'return items.map((i) => $("Rows").all().find(function (row) { return row.json.id === this.json.id; }, i).json.to);',
		],
		['of a map', 'const all = new Map(items.map((i) => [i.json.id, i.json])); out.push(all.get(1).to);'],
	])('%s', (_name, code) => {
		expect(said(code)).not.toContain('first()');
	});
});

it.each([
	'if (items[0].json.a) return items;',
	'return items[0].json.a ? items : [];',
	'return items[0].json.a && items;',
	'return items[0] !== undefined && items[0].json.a.length > 0 ? items : [];',
	'return !items[0].json.a ? [] : items;',
	'while (items[0].json.a) wait();',
	'switch (items[0].json.a) { case items[0].json.b: return items; }',
	'if (!items[0].binary) throw new Error("none"); return items;',
	'throw new Error(`none for ${items[0].json.a}`);',
	'console.log("run of", items[0].json.a);',
	'const a = items[0].json; console.log(a.setId);',
	'const firstOf = (list) => list[0]; console.log(firstOf(items).json.setId); return items;',
	'function firstOf(list) { return list[0]; } if (!firstOf(items).binary) return []; return items;',
	'return items.every((item) => item.json.a === items[0].json.a) ? items : [];',
	'items[0].json.a = 1; return items;',
	'delete items[0].json.a; return items;',
	'const a = items[0]; return items;',
])('what is only asked, thrown, logged or written to is said of nobody: %s', (code) => {
	expect(said(code)).not.toContain('first()');
	expect(readCode(code).all).toContain('first()');
});

it('what goes by what one item is, is said by it', () => {
	expect(said('out.push(items[0].json.a === "b" ? "c" : "d");')).toContain(
		'$input.first().json.a === "b" ? ',
	);
	expect(said('out.push(items[0].json.a === "b" && "c");')).toContain('$input.first().json.a === "b" && ');
});

it.each([
	'let to = "b"; if (c === "x") to = "a"; out.push(to);',
	'let to; if (c === "x") { to = book.north; } else { to = book.south; } out.push(to);',
	'let to; switch (c) { case "x": to = "a"; break; default: to = "b"; } out.push(to);',
	'if (c === "x") return items.map((i) => ({ json: { ...i.json, to: "a" } })); return items;',
])('so is what an If or a Switch chooses for all: %s', (lines) => {
	expect(said(`const c = items[0].json.customerId; ${lines}`)).toContain('$input.first().json.customerId');
});

it.each([
	'let isList = false; if (typeof c !== "string") { isList = true; }',
	'let note = ""; if (c) { note = "some"; }',
	'let note = ""; if (!c || c.length === 0) { note = "none"; }',
	'let n = 0; if (c === "x") { n += 1; }',
	'for (const item of items) if (item.json.customerId === c) item.json.note = "first";',
	'if (c === "x") return items; return [];',
	'if (items.length > 0 && items[0].json.error) return [{ json: { error: "failed" } }]; return items;',
	'if ("error" in items[0].json) return [{ json: { error: "failed" } }]; return items;',
])('an If that chooses nothing says nothing: %s', (lines) => {
	expect(said(`const c = items[0].json.customerId; ${lines}`)).not.toContain('first()');
});

it.each([
	['const step = $("Event");', 'step.first().json.to', '$("Event").first().json.to'],
	['const step = $("Event");', 'step.all()[0].json.to', '$("Event").first().json.to'],
	['const input = $input;', 'input.first().json.to', '$input.first().json.to'],
])('a step may have a name: %s %s', (lines, asked, told) => {
	expect(said(`${lines} out.push(${asked});`)).toContain(`out.push(${told});`);
});

describe('where Code runs once for all, what n8n gives of the item that has its turn is of the first', () => {
	const own = [
		['$json.to', '$input.first().json.to'],
		['$binary.data', '$input.first().binary.data'],
		['$input.item.json.to', '$input.first().json.to'],
		['$("Event").item.json.to', '$("Event").first().json.to'],
		['$node["Event"].json.to', '$("Event").first().json.to'],
		['$node.Event.json.to', '$("Event").first().json.to'],
		['$("Event").all()[$itemIndex].json.to', '$("Event").first().json.to'],
		['$("Event").itemMatching($itemIndex).json.to', '$("Event").first().json.to'],
		['$("Event").all().find((one) => one.json.setId === $json.setId).json.to', '$("Event").first().json.to'],
	] as const;
	it.each(own)('%s', (asked, told) => {
		expect(said(`const a = ${asked};\nout.push(a);`)).toContain(told);
	});

	it.each(own)('%s where it runs for each', (asked) => {
		expect(readCode(`out.push(${asked});`, false).said).toBe(`out.push(${asked});`);
	});

	it('a row is looked up for the one item there is, where it runs for each', () => {
		const code =
			'const id = $json.id; const a = $("Rows").all().find((row) => row.json.id === id); out.push(a.json.to);';
		expect(readCode(code, false).said).not.toContain('first()');
	});

	it('a name of its own is none of these', () => {
		const code = 'const $json = {};\nconst one = (item) => item.item;\nout.push($json.to, one(row).to);';
		expect(said(code)).toBe(code);
	});
});

it('what a function makes a list with is said there', () => {
	const code =
		'function main() { const a = $("Event").first().json; return items.map((item) => ({ to: a.to })); } return main();';
	expect(said(code)).toContain('({ to: $("Event").first().json.to })');
});

it('places of other items stand where a function is called for each', () => {
	expect(said('const rows = $("Rows").all(); return items.map((item, i) => rows[i].json.to);')).toContain(
		'=> $("Rows").all()[$itemIndex].json.to',
	);
	expect(said('return items.map((item, i) => items[i].json.to);')).toContain('$input.all()[i].json.to');
});

it.each([
	'for (let i = 0; i < items.length; i++) { items[i].json.to = rows[i].json.to; }',
	'const all = $input.all(); for (let i = 0; i < all.length; i += 1) { all[i].json.to = rows[i].json.to; }',
	'for (const [i, item] of $input.all().entries()) { item.json.to = rows[i].json.to; }',
])('and in a loop that counts the items that come: %s', (loop) => {
	expect(said(`const rows = $("Rows").all(); ${loop}`)).toContain('= $("Rows").all()[$itemIndex].json.to;');
});

it.each([
	'for (let i = 0; i < 3; i++) { out.push(rows[i].json.to); }',
	'for (let i = 0; i < rows.length; i++) { out.push(rows[i].json.to); }',
	'for (const [i, one] of parts.entries()) { out.push(rows[i].json.to); }',
	'for (const [, i] of $input.all().entries()) { out.push(rows[i].json.to); }',
])('not in one that counts something else: %s', (loop) => {
	expect(said(`const rows = $("Rows").all(); ${loop}`)).not.toContain('$itemIndex');
});

it.each(['for item in _items:\n  item["a"] = 1', 'const = 1', '{'.repeat(100_000), 'runOnceForAllItems'])(
	'what is no JavaScript stays as it is',
	(text) => {
		expect(readCode(text)).toEqual({ all: text, said: text, givesEach: false });
	},
);

describe('Code that is long, or stands deep in itself, keeps n8n no longer than a moment', () => {
	const lines = (count: number, line: string) => line.repeat(count);
	const each = (count: number, line: (index: number) => string) =>
		Array.from({ length: count }, (_, index) => line(index)).join('\n');
	it.each([
		['a megabyte', `const e = items[0].json;\n${lines(40_000, 'out.push(e.customerId);\n')}`],
		['one name 6,000 times', `const e = items[0].json;\n${lines(6_000, 'out.push(e.customerId);\n')}`],
		[
			'what stands in itself',
			`const a0 = items[0];\n${each(25, (i) => `const a${i + 1} = a${i}[a${i}];`)}\na25.x;`,
		],
		['calls of calls', `x${lines(20_000, '.a()')}`],
	])('%s', (_name, code) => {
		const before = process.cpuUsage();
		expect(readCode(code).said.length).toBeLessThan(3 * code.length + 2_000);
		expect(process.cpuUsage(before).user).toBeLessThan(6_000_000);
	});
});
