import { refusalOf } from '../support/publishing';
import { event, mail, step, type Step } from '../support/stepsBehind';

/** Code that writes for each set what all of them say, or what is the same for all. */

const batch = (...to: string[]): Step => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
const papers = (to: string[], setId = '={{ $("Event").item.json.setId }}') =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true, setId }, to);
const goesTo = (toEmail: string) => mail('={{ $json.attachments }}', { toEmail: `={{ ${toEmail} }}` });
const code = (jsCode: string, to: string[], mode = 'runOnceForAllItems') =>
	step('C', 'code', { jsCode, mode }, to);
const rows = (parameters: object, ...to: string[]) =>
	step('Rows', 'googleSheets', { operation: 'read', ...parameters }, to);
const OF_EACH = { lookupValue: '={{ $json.customerId }}' };

/** Addresses of all that come, as people write it. */
const ADDRESSES = [
	"const to = $input.all().map((one) => one.json.email).join(',');",
	"const items = $input.all();\nconst to = [...new Set(items.map((one) => one.json.email))].join(',');",
	"const list = [];\nfor (const one of $input.all()) list.push(one.json.email);\nconst to = list.join(',');",
	"const list = [];\nitems.forEach((one) => { list.push(one.json.email); });\nconst to = list.join(',');",
	"let to = '';\nfor (const one of $input.all()) to += one.json.email + ',';",
	"function all() { return items.map((one) => one.json.email).join(','); }\nconst to = all();",
	"const to = $input.all().reduce((text, one) => text + ',' + one.json.email, '');",
];
const GIVEN = [
	'return $input.all().map((item) => ({ json: { ...item.json, to }, binary: item.binary }));',
	'for (const item of $input.all()) item.json.to = to;\nreturn $input.all();',
	'const out = [];\nfor (const item of $input.all()) out.push({ json: { ...item.json, to: to }, binary: item.binary });\nreturn out;',
];
const EACH = ADDRESSES.flatMap((first) => GIVEN.map((then) => `${first}\n${then}`));
const behind = (jsCode: string, mode?: string) => [
	batch('PDFs'),
	papers(['C']),
	code(jsCode, ['Mail'], mode),
	goesTo('$json.to'),
];
const TO_ALL = /^The step "C" takes where it goes from all items /;

it.each(EACH)('%s: refused, behind the papers of several sets', (jsCode) => {
	expect(refusalOf(behind(jsCode))).toMatch(TO_ALL);
	expect(refusalOf([event('PDFs'), ...behind(jsCode).slice(1)])).toBeUndefined();
});

it.each(GIVEN)('all rows of each: %s', (given) => {
	const jsCode = `const to = $("Rows").all().map((one) => one.json.email).join();\n${given}`;
	const [, ...more] = behind(jsCode);
	expect(refusalOf([batch('Rows'), rows(OF_EACH, 'PDFs'), ...more])).toMatch(TO_ALL);
	expect(refusalOf([batch('Rows', 'PDFs'), rows({}), ...more])).toBeUndefined();
});

it('all events, in Code that runs for each: refused', () => {
	const jsCode =
		'const to = $("Event").all().map((one) => one.json.email).join();\nreturn { json: { ...$json, to }, binary: $binary };';
	expect(refusalOf(behind(jsCode, 'runOnceForEachItem'))).toMatch(TO_ALL);
});

it.each([
	'const rows = $("Rows").all();\nreturn $input.all().map((item) => ({ json: { ...item.json, to: rows.filter((row) => row.json.id === item.json.customerId).map((row) => row.json.email).join() }, binary: item.binary }));',
	'const by = {};\nfor (const row of $("Rows").all()) by[row.json.id] = row.json.email;\nreturn $input.all().map((item) => ({ json: { ...item.json, to: by[item.json.customerId] }, binary: item.binary }));',
	'const by = new Map($("Rows").all().map((row) => [row.json.id, row.json.email]));\nreturn items.map((item) => ({ json: { ...item.json, to: by.get(item.json.customerId) }, binary: item.binary }));',
	'const refs = $input.all().map((one) => one.json.email).join();\nreturn $input.all().map((item) => ({ json: { ...item.json, refs, to: item.json.customerId }, binary: item.binary }));',
	'const to = $input.all().map((one) => one.json.status).join();\nreturn $input.all().map((item) => ({ json: { ...item.json, to }, binary: item.binary }));',
	'const to = $input.all().map((one) => one.json.email).join();\nconst binary = {};\nfor (const item of $input.all()) Object.assign(binary, item.binary);\nreturn [{ json: { to, attachments: Object.keys(binary).join() }, binary }];',
])('%s: published', (jsCode) => {
	const [, ...more] = behind(jsCode);
	expect(refusalOf([batch('Rows'), rows(OF_EACH, 'PDFs'), ...more])).toBeUndefined();
});

it.each([
	"const TO = 'desk@a.example';\nreturn $input.all().map((item) => ({ json: { ...item.json, to: TO } }));",
	"const CONFIG = { to: 'desk@a.example' };\nreturn $input.all().map((item) => ({ json: { ...item.json, ...CONFIG } }));",
	"const CONFIG = { to: 'desk@a.example' };\nreturn $input.all().map((item) => ({ json: { ...item.json, to: CONFIG.to } }));",
	'for (const item of $input.all()) { item.json.to = `desk@a.example`; }\nreturn $input.all();',
	"for (const item of $input.all()) { item.json.to = ['a@a.example', 'b@a.example'].join(); }\nreturn $input.all();",
	'for (const item of $input.all()) { item.json.to = $vars.DESK; }\nreturn $input.all();',
])('%s: what is the same for all may be taken of the first', (jsCode) => {
	const first = goesTo('$("C").first().json.to');
	expect(refusalOf([batch('C'), code(jsCode, ['PDFs']), papers(['Mail']), first])).toBeUndefined();
});

it.each([
	'for (const item of $input.all()) { item.json.to = item.json.customerId; }\nreturn $input.all();',
	"for (const item of $input.all()) { item.json.to = 'a@a.example'; if (item.json.customerId) item.json.to = 'b@a.example'; }\nreturn $input.all();",
	"for (const item of $input.all()) { if (item.json.customerId) item.json.to = 'b@a.example'; }\nreturn $input.all();",
	"for (const item of $input.all()) { let to = 'a'; if (item.json.customerId) to = 'b'; item.json.to = to; }\nreturn $input.all();",
	"let last = '';\nfor (const item of $input.all()) { last = item.json.customerId; item.json.to = last; }\nreturn $input.all();",
	'return $input.all().map(({ json: { customerId: to, ...json } }) => ({ json: { ...json, to } }));',
])('%s: what the first says goes for all', (jsCode) => {
	const first = goesTo('$("C").first().json.to');
	expect(refusalOf([batch('C'), code(jsCode, ['PDFs']), papers(['Mail']), first])).toMatch(
		/^The step "Mail" takes what it says from one item of "C"/,
	);
});

it.each(GIVEN)('in front of the papers: %s', (given) => {
	const steps = (source: string) => [
		batch('C'),
		code(`const to = ${source}.all().map((one) => one.json.email).join();\n${given}`, ['PDFs']),
		papers(['Mail']),
		goesTo('$("C").item.json.to'),
	];
	expect(refusalOf(steps('$input'))).toMatch(TO_ALL);
	expect(refusalOf([batch('C', 'Rows'), rows({}), ...steps('$("Rows")').slice(1)])).toBeUndefined();
	expect(refusalOf([event('C'), ...steps('$input').slice(1)])).toBeUndefined();
});
