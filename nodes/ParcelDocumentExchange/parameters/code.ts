import type { AnyNode } from 'acorn';
import { readField, type CodeField } from './codeFields';
import { below, childrenOf, Program, propertyOf } from './codeValues';

/** Code in which what an item says stands where a name stood that Code gave it: `$("Event").first().json` for `event`. */
interface Read {
	/** All of it but the comments. */
	all: string;
	/** Without what is only asked, thrown or logged: it is said of nobody. */
	said: string;
	/** Whether what it returns in the end is made of each of the items that come. */
	givesEach: boolean;
}

/**
 * @param code as it stands in a step; what is no JavaScript stays as it is
 * @param isForAll whether it runs once for all items, as it does unless told, and not for each of them
 */
export function readCode(code: string, isForAll = true): Read {
	const key = `${isForAll} ${code}`;
	const known = read.get(key);
	if (known) return known;
	if (read.size >= REMEMBERED) read.clear();
	const now = readAnew(code, isForAll);
	read.set(key, now);
	return now;
}

/** A step is read for each question about it. */
const read = new Map<string, Read>();
const REMEMBERED = 50;

/** What Code writes into a field; nothing that is known, of what is no JavaScript. */
export function fieldOf(code: string, field: string, isForAll: boolean): CodeField {
	const key = `${isForAll} ${field} ${code}`;
	const known = fields.get(key);
	if (known) return known;
	if (fields.size >= REMEMBERED) fields.clear();
	let now: CodeField;
	try {
		now = readField(new Program(code, isForAll), field);
	} catch {
		now = { isAlike: false, ofAll: [] };
	}
	fields.set(key, now);
	return now;
}

const fields = new Map<string, CodeField>();

function readAnew(code: string, isForAll: boolean): Read {
	try {
		const program = new Program(code, isForAll);
		const printer = new Printer(program);
		return {
			all: printer.print(program.root, false),
			said: printer.print(program.root, true),
			givesEach: program.givesEach(),
		};
	} catch {
		// Another language, not finished, or too long.
		return { all: code, said: code, givesEach: false };
	}
}

const NOTHING = /^(?:undefined|null|0|""|'')$/;

/** Code with what is known of its parts in their places. */
class Printer {
	constructor(private readonly program: Program) {}

	/** @param saidOnly leaves out what is said of nobody */
	print(node: AnyNode, saidOnly: boolean): string {
		if (saidOnly && this.isAskedOnly(node)) return '0';
		const known = this.program.knownOf(node);
		if (known?.kind === 'one') return known.text;
		if (known?.kind === 'list' && node.type === 'Identifier') return `${known.of}all()`;
		if (node.type === 'Property' && node.shorthand && this.program.knownOf(node.value as AnyNode)) {
			return `${this.program.text(node.key)}: ${this.print(node.value as AnyNode, saidOnly)}`;
		}
		const { code } = this.program;
		let text = '';
		let from = node.start;
		for (const child of childrenOf(node)) {
			if (child.start < from) continue;
			text += code.slice(from, child.start) + this.print(child, saidOnly);
			from = child.end;
		}
		return text + code.slice(from, node.end);
	}

	private isAskedOnly(node: AnyNode): boolean {
		const parent = this.program.parentOf(node);
		if (parent === undefined) return false;
		if (this.program.isGiven(node)) return true;
		switch (parent.type) {
			case 'ConditionalExpression':
				return parent.test === node && this.asksWhether(node);
			case 'IfStatement':
				return parent.test === node && (this.asksWhether(node) || !this.chooses(parent, node));
			case 'WhileStatement':
			case 'DoWhileStatement':
			case 'ForStatement':
			case 'SwitchCase':
				return parent.test === node;
			case 'SwitchStatement':
				return parent.discriminant === node && !this.chooses(parent, node);
			case 'LogicalExpression':
				return parent.operator === '&&' && parent.left === node && this.asksWhether(node);
			case 'UnaryExpression':
				return parent.operator !== '-' && parent.operator !== '+';
			case 'AssignmentExpression':
				return parent.left === node;
			case 'ThrowStatement':
				return true;
			case 'VariableDeclarator':
				// It is said where its name stands; what a list was made with is said here alone.
				return parent.init === node && this.program.knownOf(node)?.kind === 'one';
			case 'CallExpression':
				return parent.callee !== node && this.asksOrLogs(parent.callee);
			default:
				return false;
		}
	}

	/** Whether an If, or a Switch, chooses for all what is said: it writes a text to a name, or gives items of its own. */
	private chooses(statement: AnyNode, test: AnyNode): boolean {
		if (this.program.goesByEach(test)) return false;
		return [...below(statement)].some((node) => {
			if (node.type === 'AssignmentExpression') return isChosen(node.right);
			return (
				node.type === 'ReturnStatement' &&
				/\bjson\s*:/.test(node.argument ? this.program.text(node.argument) : '')
			);
		});
	}

	private asksOrLogs(callee: AnyNode): boolean {
		if (callee.type !== 'MemberExpression') return false;
		const { object } = callee;
		const isLog = object.type === 'Identifier' && object.name === 'console';
		return isLog || /^(every|some)$/.test(propertyOf(callee) ?? '');
	}

	/** Whether no more is asked than whether there is anything. */
	private asksWhether(node: AnyNode): boolean {
		switch (node.type) {
			case 'UnaryExpression':
				return node.operator === '!' && this.asksWhether(node.argument);
			case 'LogicalExpression':
				return this.asksWhether(node.left) && this.asksWhether(node.right);
			case 'BinaryExpression':
				if (node.operator === 'in') return true;
				return NOTHING.test(this.program.text(node.right)) && this.asksWhether(node.left);
			case 'MemberExpression':
				return propertyOf(node) === 'length' || this.program.knownOf(node) !== undefined;
			default:
				return this.program.knownOf(node) !== undefined;
		}
	}
}

/** Whether what is written to a name is one of several texts, and no answer to a question or a count. */
const isChosen = (node: AnyNode): boolean =>
	node.type === 'TemplateLiteral' ||
	node.type === 'MemberExpression' ||
	(node.type === 'Literal' && typeof node.value === 'string' && node.value !== '');
