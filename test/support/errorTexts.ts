import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A text by which somebody learns of an error, as the code words it. */
export interface ErrorText {
	/** With `…` for what differs from case to case. */
	text: string;
	/** With the words that whoever makes it puts around it. */
	framed: string;
	/** What to do, where the same place says it. */
	remedy: string | undefined;
	/** File and line. */
	at: string;
}

/** Texts that are frames around others of the table. */
export const FRAMES = ['The answer ….…', 'The certificate of … ….', 'The base URL in the credential ….'];

const PROJECT = join(__dirname, '..', '..');

/** Whoever makes an error, which of its arguments are what happened and what to do, and the words around the first. */
const MAKERS: Record<string, { text: number; remedy?: number; frame?: [string, string] }> = {
	ServiceError: { text: 1, remedy: 2 },
	// service/api: baseUrl, login, answer
	refused: { text: 0, remedy: 1, frame: ['The base URL in the credential ', '.'] },
	cannotBeSent: { text: 0, remedy: 1 },
	unexpected: { text: 1, frame: ['The answer ', '.'] },
	// service/queue: address
	refuse: { text: 0, remedy: 1 },
	// nodes: parameters
	unusable: { text: 1, remedy: 2, frame: ['"…" ', ''] },
};

/** Objects that hold such a text: of an HTTP status (responseError), of a report (trigger/report), of a broker (queue/refusal). */
const TEXT_FIELDS = [
	['sentence', 'remedy'],
	['message', 'description'],
	['message', 'remedy'],
] as const;
const TABLES: Record<string, [string, string]> = { CERTIFICATE_WORDS: ['The certificate of … ', '.'] };

/**
 * Every such text in service/, nodes/ and credentials/, read from the source itself.
 *
 * @throws when one of those that make them is no longer there: its texts would be missing without a word
 */
export function errorTexts(): ErrorText[] {
	const found: ErrorText[] = [];
	const unmet = new Set([...Object.keys(MAKERS), ...Object.keys(TABLES)]);
	for (const file of sources()) {
		const source = ts.createSourceFile(
			file,
			readFileSync(join(PROJECT, file), 'utf8'),
			ts.ScriptTarget.Latest,
			true,
		);
		const add = (
			text: ts.Expression | undefined,
			remedy: ts.Expression | undefined,
			[before, behind]: [string, string] = ['', ''],
		) => {
			if (!text) return;
			const line = source.getLineAndCharacterOfPosition(text.getStart()).line + 1;
			for (const words of wordings(text)) {
				found.push({
					...{ text: words, framed: before + words + behind, at: `${file}:${line}` },
					remedy: remedy && wordings(remedy).join(' '),
				});
			}
		};
		const visit = (node: ts.Node): void => {
			if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
				const maker = MAKERS[node.expression.getText()];
				const given = node.arguments ?? [];
				const remedy = maker?.remedy === undefined ? undefined : given[maker.remedy];
				if (maker) add(given[maker.text], remedyIn(remedy), maker.frame);
				if (maker && given[maker.text]) unmet.delete(node.expression.getText());
			} else if (ts.isObjectLiteralExpression(node)) {
				for (const [name, remedy] of TEXT_FIELDS) {
					if (field(node, name) && field(node, remedy)) add(field(node, name), field(node, remedy));
				}
			} else if (ts.isVariableDeclaration(node) && node.name.getText() in TABLES && node.initializer) {
				unmet.delete(node.name.getText());
				ts.forEachChild(node.initializer, (entry) => {
					if (ts.isPropertyAssignment(entry)) add(entry.initializer, undefined, TABLES[node.name.getText()]);
				});
			}
			ts.forEachChild(node, visit);
		};
		visit(source);
	}
	if (unmet.size > 0)
		throw new Error(`Nothing is called ${[...unmet].join(', ')} any more: say here what is`);
	return found.filter(
		({ text }) => /\p{L}{2,} \p{L}{2,}/u.test(text.replaceAll('…', ' ')) || /^(is|holds) /.test(text),
	);
}

function sources(): string[] {
	return ['service', 'nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
			.map((file) => join(folder, file)),
	);
}

function field(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
	for (const property of object.properties) {
		if (property.name?.getText() !== name) continue;
		if (ts.isPropertyAssignment(property)) return property.initializer;
		if (ts.isShorthandPropertyAssignment(property)) return property.name;
	}
	return undefined;
}

function remedyIn(argument: ts.Expression | undefined): ts.Expression | undefined {
	if (!argument || !ts.isObjectLiteralExpression(argument)) return argument;
	return field(argument, 'remedy');
}

/** The texts an expression can be; what is not written there is `…`. */
function wordings(expression: ts.Expression): string[] {
	if (ts.isStringLiteralLike(expression)) return [expression.text.replace(/\{\w+\}/g, '…')];
	if (ts.isTemplateExpression(expression)) {
		return [
			expression.head.text + expression.templateSpans.map(({ literal }) => `…${literal.text}`).join(''),
		];
	}
	if (ts.isConditionalExpression(expression)) {
		return [...wordings(expression.whenTrue), ...wordings(expression.whenFalse)];
	}
	return ['…'];
}
