import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A text by which somebody learns of an error, as the code words it. */
export interface ErrorText {
	/** With `…` for what differs from case to case. */
	text: string;
	/** What to do, where the same place says it. */
	remedy: string | undefined;
	/** File and line. */
	at: string;
}

/** Objects that hold such a text: of an HTTP status (responseError), of a report (trigger/report), of a broker (queue/refusal). */
const TEXT_FIELDS = [
	['sentence', 'remedy'],
	['message', 'description'],
	['message', 'remedy'],
] as const;

/** Who makes an error of another one, or of words that an object of TEXT_FIELDS holds. */
const WORDED_ELSEWHERE = ['changed', 'noContent', 'responseError', 'brokerError'];

const PROJECT = join(__dirname, '..', '..');
const SEVERAL_WORDS = /\p{L}{2,} \p{L}{2,}/u;

type Call = ts.CallExpression | ts.NewExpression;
/** From where an error is made outwards: each calls the function that the one before stands in. */
type Way = readonly Call[];

/**
 * Every such text in service/, nodes/ and credentials/, read from the source itself: what a `ServiceError` is made with, followed
 * through constants, tables and parameters to whoever wrote the words.
 *
 * @throws when the words of one cannot be found, or nothing has fields in which they are looked for
 */
export function errorTexts(): ErrorText[] {
	const files = ['service', 'nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
			.map((file) => join(PROJECT, folder, file)),
	);
	const { CommonJS: module } = ts.ModuleKind;
	const program = ts.createProgram(files, { noResolve: true, noLib: true, types: [], module });
	const checker = program.getTypeChecker();
	const calls = new Map<ts.Node, Call[]>();
	const objects: ts.ObjectLiteralExpression[] = [];
	const made: Call[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isObjectLiteralExpression(node)) objects.push(node);
		if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && ts.isIdentifier(node.expression)) {
			const of = declared(node.expression);
			if (of) calls.set(of, [...(calls.get(of) ?? []), node]);
			if (of && ts.isClassDeclaration(of) && of.name?.text === 'ServiceError') made.push(node);
		}
		ts.forEachChild(node, visit);
	};
	for (const file of files) visit(program.getSourceFile(file)!);

	/** What a name stands for: a function for the constant that holds it, too. */
	function declared(name: ts.Node): ts.Node | undefined {
		const symbol = ts.isShorthandPropertyAssignment(name.parent)
			? checker.getShorthandAssignmentValueSymbol(name.parent)
			: checker.getSymbolAtLocation(name);
		const isImported = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
		const of = (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.declarations?.[0];
		const kept = of && constant(of);
		return kept && ts.isArrowFunction(kept) ? kept : of;
	}

	/** The texts an expression can be; what is not written there is `…`. Functions whose callers would know more become `open`. */
	function wordings(expression: ts.Expression, way: Way, open = new Set<ts.Node>()): string[] {
		const each = (...parts: ts.Expression[]) => parts.flatMap((part) => wordings(part, way, open));
		if (ts.isStringLiteralLike(expression)) return [expression.text.replace(/\{\w+\}/g, '…')];
		if (ts.isConditionalExpression(expression)) return each(expression.whenTrue, expression.whenFalse);
		if (ts.isBinaryExpression(expression)) return each(expression.left, expression.right);
		if (ts.isTemplateExpression(expression)) {
			const { head, templateSpans } = expression;
			return templateSpans.reduce(
				(begun, { expression: place, literal }) =>
					begun.flatMap((text) => filled(place, text, way, open).map((words) => text + words + literal.text)),
				[head.text],
			);
		}
		const of = declared(ts.isElementAccessExpression(expression) ? expression.expression : expression);
		const kept = of && constant(of);
		if (kept && ts.isObjectLiteralExpression(kept)) {
			return each(...kept.properties.filter(ts.isPropertyAssignment).map(({ initializer }) => initializer));
		}
		if (kept) return each(kept);
		if (!of || !ts.isParameter(of)) return ['…'];
		const index = way.findIndex((call) => declared(call.expression) === of.parent);
		if (index < 0) open.add(of.parent);
		const given = way[index]?.arguments?.[of.parent.parameters.indexOf(of)] ?? of.initializer;
		return index < 0 || !given ? ['…'] : wordings(given, way.slice(index + 1), open);
	}

	/** What stands in a place of a sentence: words of its own, where it is neither a name in quotes nor a detail of some cases. */
	function filled(place: ts.Expression, before: string, way: Way, open: Set<ts.Node>): string[] {
		const of = declared(place);
		const isDetail = ts.isConditionalExpression((of && constant(of)) ?? place);
		const words = isDetail || before.endsWith('"') ? [] : wordings(place, way, open);
		return words.some((one) => SEVERAL_WORDS.test(one) || /^(is|holds) /.test(one)) ? words : ['…'];
	}

	const found: ErrorText[] = [];
	function add(text: ts.Expression, remedy: ts.Expression | undefined, way: Way): void {
		const open = new Set<ts.Node>();
		const texts = new Set(wordings(text, way, open));
		const callers = [...open].flatMap((of) => calls.get(of) ?? []).filter((call) => !way.includes(call));
		for (const call of callers) add(text, remedy, [...way, call]);
		if (callers.length > 0) return;
		const place = way.at(-1) ?? text;
		const file = place.getSourceFile();
		const at = `${relative(PROJECT, file.fileName)}:${file.getLineAndCharacterOfPosition(place.getStart()).line + 1}`;
		// What may follow a whole sentence is what somebody else said.
		for (const words of texts) {
			const whole = words.replace(/(?<=[.!?])…+$/, '');
			found.push({ text: whole, remedy: remedy && wordings(remedy, way).join(' '), at });
		}
	}

	const unmet = new Set<string>([...WORDED_ELSEWHERE, ...TEXT_FIELDS.map(String)]);
	for (const { arguments: [, text, details] = [] } of made) {
		const before = found.length;
		add(text!, details && field(details, 'remedy'), []);
		const maker = ts.findAncestor(text, ts.isFunctionDeclaration)?.name?.text ?? '';
		if (found.slice(before).some((one) => SEVERAL_WORDS.test(one.text))) continue;
		if (!WORDED_ELSEWHERE.includes(maker))
			throw new Error(`${found.at(-1)?.at}: the words of this error are not found; write them there`);
		unmet.delete(maker);
	}
	for (const object of objects) {
		for (const names of TEXT_FIELDS) {
			const [text, remedy] = names.map((name) => field(object, name));
			if (!text || !remedy) continue;
			add(text, remedy, []);
			unmet.delete(String(names));
		}
	}
	if (unmet.size > 0) throw new Error(`Nothing has the words of ${[...unmet].join('; ')}: say here what has`);
	const once = new Map(found.map((one) => [`${one.text} ${one.remedy}`, one]));
	return [...once.values()].filter(({ text }) => SEVERAL_WORDS.test(text.replaceAll('…', ' ')));
}

/** What a constant was made with. */
function constant(of: ts.Node): ts.Expression | undefined {
	return ts.isVariableDeclaration(of) && ts.isIdentifier(of.name) ? of.initializer : undefined;
}

function field(object: ts.Expression, name: string): ts.Expression | undefined {
	if (!ts.isObjectLiteralExpression(object)) return undefined;
	for (const property of object.properties) {
		if (property.name?.getText() !== name) continue;
		if (ts.isPropertyAssignment(property)) return property.initializer;
		if (ts.isShorthandPropertyAssignment(property)) return property.name;
	}
	return undefined;
}
