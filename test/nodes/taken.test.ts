import { taken, takenAlone, takesFirst } from '../../nodes/ParcelDocumentExchange/parameters/taken';

/** The one reader of what expressions take of items. */

it.each([
	['$json.a', { which: 'linked', field: 'a' }],
	['$json?.a', { which: 'linked', field: 'a' }],
	['$json["a b"]', { which: 'linked', field: 'a b' }],
	['$input.item.json.a', { which: 'linked', field: 'a' }],
	['$("My step").item.json.a', { step: 'My step', which: 'linked', field: 'a' }],
	["$('It\"s').item.json['a']", { step: 'It"s', which: 'linked', field: 'a' }],
	['$input.first().json.a', { which: 'one', field: 'a' }],
	['$("S").first()?.json?.a', { step: 'S', which: 'one', field: 'a' }],
	['$("S").last().json["a"]', { step: 'S', which: 'one', field: 'a' }],
	['$("S").all()[0].json.a', { step: 'S', which: 'one', field: 'a' }],
	['$("S").all().at(-1).json.a', { step: 'S', which: 'one', field: 'a' }],
	['$("S").all().pop().json.a', { step: 'S', which: 'one', field: 'a' }],
	['$("S").itemMatching(0).json.a', { step: 'S', which: 'one', field: 'a' }],
	['$items("S", 0, 0)[0].json.a', { step: 'S', which: 'one', field: 'a' }],
	["$('Customer\\'s row').item.json.a", { step: "Customer's row", which: 'linked', field: 'a' }],
	["$('Customer\\'s row').first().json.a", { step: "Customer's row", which: 'one', field: 'a' }],
	['$("a \\"b\\"").first().json.a', { step: 'a "b"', which: 'one', field: 'a' }],
	['$("S").first(0).json.a', { step: 'S', which: 'one', field: 'a' }],
	['$("S").all(0, 0)[0].json.a', { step: 'S', which: 'one', field: 'a' }],
	['$node["S"].json.a', { step: 'S', which: 'place', field: 'a' }],
	['$node["S"].json["a b"]', { step: 'S', which: 'place', field: 'a b' }],
])('%s', (text, expected) => {
	expect(taken(`={{ "x" + ${text} }}`)).toEqual([{ ...expected, text: expect.any(String) }]);
	expect(takenAlone(`={{ ${text} }}`)).toMatchObject({ ...expected, then: '' });
	expect(takenAlone(`={{ ${text}.trim().toLowerCase() }}`)).toMatchObject({ then: '.trim().toLowerCase()' });
	expect(takenAlone(`={{ ${text} + "x" }}`)).toBeUndefined();
	expect(takenAlone(`text ${text}`)).toBeUndefined();
});

it.each(['$now', '$("S").all().length', '$("S").item.json', '$binary.data', 'json.a'])(
	'%s is no field',
	(text) => {
		expect(taken(`={{ ${text} }}`)).toEqual([]);
		expect(takenAlone(`={{ ${text} }}`)).toBeUndefined();
	},
);

it('what Code asks of the first item alone, it does not take', () => {
	const takes = (jsCode: string) => takesFirst({ type: 'x.code', parameters: { jsCode } });
	const list = 'const all = $input.all();\n';
	expect(takes(`${list}if (!all[0].binary) return [];\nreturn all;`)).toBe(false);
	expect(takes('if (!$input.first().binary) return [];\nreturn items;')).toBe(false);
	expect(takes(`${list}return [{ json: all[0].json }];`)).toBe(true);
	expect(takes('return [{ json: items[0].json }];')).toBe(true);
	const counted = (at: string) =>
		`for (let i = 0; i < items.length; i++) out.push({ json: items[${at}].json });\nreturn out;`;
	expect(['i', '0'].map((at) => takes(counted(at)))).toEqual([false, true]);
});

it.each([
	'const all = $input.all();',
	'const all = $input.all(); // all[0] would be the first',
	'const all = $input.all().map((item) => item.json)',
	'const all = items;',
])('the first of a list that Code gives a name is taken for all, however it is asked for: %s', (list) => {
	const takes = (rest: string) =>
		takesFirst({ type: 'x.code', parameters: { jsCode: `${list}\nreturn ${rest};` } });
	for (const first of ['all[0]', 'all?.[0]', 'all.at(0)', 'all.at(-1)']) {
		expect(takes(`[{ to: ${first}.parcelRef }]`)).toBe(true);
	}
	expect(takes('all')).toBe(false);
	expect(takes('all.map((item) => item.json.list[0])')).toBe(false);
});

it.each(['items', 'all'])('a group of items is no list of all, though it be called %s', (name) => {
	const takes = (rest: string) => {
		const jsCode = `const all = $input.all();\nconst groups = {};\nfor (const item of all) (groups[item.json.setId] ??= []).push(item);\n${rest}`;
		return takesFirst({ type: 'x.code', parameters: { jsCode } });
	};
	const first = `({ json: ${name}[0].json })`;
	expect(takes(`return Object.values(groups).map((${name}) => ${first});`)).toBe(false);
	expect(takes(`return Object.values(groups).map(${name} => ${first});`)).toBe(false);
	expect(takes(`return Object.entries(groups).map(([key, ${name}]) => ${first});`)).toBe(false);
	expect(
		takes(`return Object.keys(groups).map((key) => { const ${name} = groups[key]; return ${first}; });`),
	).toBe(false);
	expect(takes(`for (const [key, ${name}] of Object.entries(groups)) out.push(${first});`)).toBe(false);
	expect(takes(`return Object.values(groups).map(function (${name}) { return ${first}; });`)).toBe(false);
	expect(takes(`return Object.values(groups).map((group) => ${first});`)).toBe(true);
});
