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
});
