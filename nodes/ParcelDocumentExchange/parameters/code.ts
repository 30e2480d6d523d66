import { parse, type AnyNode, type CallExpression, type MemberExpression, type Pattern } from 'acorn';
import { analyze, type Reference, type Variable } from 'eslint-scope';

/** Code in which what an item says stands where a name stood that Code gave it: `$("Event").first().json` for `event`. */
export interface Read {
	/** All of it but the comments. */
	all: string;
	/** Without what is only asked, thrown or logged: it is said of nobody. */
	said: string;
}

/** @param code as it stands in a step; what is no JavaScript stays as it is */
export function readCode(code: string): Read {
	const known = read.get(code);
	if (known) return known;
	if (read.size >= REMEMBERED) read.clear();
	const now = readAnew(code);
	read.set(code, now);
	return now;
}

/** A step is read for each question about it. */
const read = new Map<string, Read>();
const REMEMBERED = 50;

function readAnew(code: string): Read {
	try {
		const program = new Program(code);
		return { all: program.print(program.root, false), said: program.print(program.root, true) };
	} catch {
		// Another language, not finished, or too long.
		return { all: code, said: code };
	}
}

/** What is known of a part of Code. */
type Known =
	/** Items that a step gives, or what each of them says; chosen by what one of others says. */
	| { kind: 'list'; of: string; then: string; by?: string }
	/** One of them, or what it says. */
	| { kind: 'one'; text: string }
	/** The place of an item among those that come, while each has its turn. */
	| { kind: 'place' };

/** Some 7,000 lines; more is data, or meant to keep n8n from its work. */
const MOST_PARTS = 50_000;

/** Give the same list, in another order or with fewer in it. */
const SAME_LIST = /^(filter|slice|sort|reverse|toSorted|toReversed|concat|flat|values)$/;
const NOTHING = /^(?:undefined|null|0|""|'')$/;
const CALLED_FOR_EACH = /^(map|forEach|filter|flatMap)$/;

class Program {
	readonly root: AnyNode;
	readonly #code: string;
	readonly #parents = new Map<AnyNode, AnyNode>();
	readonly #references = new Map<unknown, Reference>();
	readonly #known = new Map<AnyNode, Known | undefined>();
	readonly #byEach = new Map<AnyNode, boolean>();

	constructor(code: string) {
		const comments: [number, number][] = [];
		const root = parse(code, {
			ecmaVersion: 'latest',
			// As n8n runs it: the body of an asynchronous function.
			...{ allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, ranges: true },
			onComment: (_isBlock, _text, start, end) => comments.push([start, end]),
		});
		let bare = '';
		let from = 0;
		for (const [start, end] of comments) {
			bare += code.slice(from, start) + ' '.repeat(end - start);
			from = end;
		}
		this.#code = bare + code.slice(from);
		this.root = root as AnyNode;
		for (const node of below(this.root)) {
			for (const child of childrenOf(node)) this.#parents.set(child, node);
			if (this.#parents.size > MOST_PARTS) throw new RangeError('Too long to be read');
		}
		const scopes = analyze(root as Parameters<typeof analyze>[0], {
			...{ ecmaVersion: 2022, sourceType: 'commonjs', ignoreEval: true },
		});
		for (const reference of scopes.scopes.flatMap((scope) => scope.references)) {
			this.#references.set(reference.identifier, reference);
		}
	}

	/** @param saidOnly leaves out what is said of nobody */
	print(node: AnyNode, saidOnly: boolean): string {
		if (saidOnly && this.#isAskedOnly(node)) return '0';
		const known = this.#knownOf(node);
		if (known?.kind === 'one') return known.text;
		if (known?.kind === 'list' && node.type === 'Identifier') return `${known.of}all()`;
		if (node.type === 'Property' && node.shorthand && this.#knownOf(node.value as AnyNode)) {
			return `${this.#text(node.key)}: ${this.print(node.value as AnyNode, saidOnly)}`;
		}
		let text = '';
		let from = node.start;
		for (const child of childrenOf(node)) {
			if (child.start < from) continue;
			text += this.#code.slice(from, child.start) + this.print(child, saidOnly);
			from = child.end;
		}
		return text + this.#code.slice(from, node.end);
	}

	#isAskedOnly(node: AnyNode): boolean {
		const parent = this.#parents.get(node);
		if (parent === undefined) return false;
		switch (parent.type) {
			case 'ConditionalExpression':
				return parent.test === node && this.#asksWhether(node);
			case 'IfStatement':
				return parent.test === node && (this.#asksWhether(node) || !this.#chooses(parent, node));
			case 'WhileStatement':
			case 'DoWhileStatement':
			case 'ForStatement':
			case 'SwitchCase':
				return parent.test === node;
			case 'SwitchStatement':
				return parent.discriminant === node && !this.#chooses(parent, node);
			case 'LogicalExpression':
				return parent.operator === '&&' && parent.left === node && this.#asksWhether(node);
			case 'UnaryExpression':
				return parent.operator !== '-' && parent.operator !== '+';
			case 'AssignmentExpression':
				return parent.left === node;
			case 'ThrowStatement':
				return true;
			case 'VariableDeclarator':
				// It is said where its name stands; what a list was made with is said here alone.
				return parent.init === node && this.#knownOf(node)?.kind === 'one';
			case 'CallExpression':
				return parent.callee !== node && this.#asksOrLogs(parent.callee);
			default:
				return false;
		}
	}

	/** Whether an If, or a Switch, chooses for all what is said: it writes a text to a name, or gives items of its own. */
	#chooses(statement: AnyNode, test: AnyNode): boolean {
		if (this.#goesByEach(test)) return false;
		return [...below(statement)].some((node) => {
			if (node.type === 'AssignmentExpression') return isChosen(node.right);
			return (
				node.type === 'ReturnStatement' && /\bjson\s*:/.test(node.argument ? this.#text(node.argument) : '')
			);
		});
	}

	#asksOrLogs(callee: AnyNode): boolean {
		if (callee.type !== 'MemberExpression') return false;
		const { object } = callee;
		const isLog = object.type === 'Identifier' && object.name === 'console';
		return isLog || /^(every|some)$/.test(propertyOf(callee) ?? '');
	}

	/** Whether no more is asked than whether there is anything. */
	#asksWhether(node: AnyNode): boolean {
		switch (node.type) {
			case 'UnaryExpression':
				return node.operator === '!' && this.#asksWhether(node.argument);
			case 'LogicalExpression':
				return this.#asksWhether(node.left) && this.#asksWhether(node.right);
			case 'BinaryExpression':
				if (node.operator === 'in') return true;
				return NOTHING.test(this.#text(node.right)) && this.#asksWhether(node.left);
			case 'MemberExpression':
				return propertyOf(node) === 'length' || this.#knownOf(node) !== undefined;
			default:
				return this.#knownOf(node) !== undefined;
		}
	}

	#text(node: AnyNode): string {
		return this.#code.slice(node.start, node.end);
	}

	#knownOf(node: AnyNode): Known | undefined {
		if (!this.#known.has(node)) {
			// What goes by itself is not known.
			this.#known.set(node, undefined);
			this.#known.set(node, this.#judge(node));
		}
		return this.#known.get(node);
	}

	#judge(node: AnyNode): Known | undefined {
		switch (node.type) {
			case 'Identifier':
				return this.#ofName(node);
			case 'MemberExpression':
				return this.#ofMember(node);
			case 'CallExpression':
				return this.#ofCall(node);
			case 'NewExpression':
				return this.#text(node.callee) === 'Set' ? this.#ofFirst(node.arguments) : undefined;
			case 'AwaitExpression':
				return this.#knownOf(node.argument);
			case 'ChainExpression':
			case 'ParenthesizedExpression':
				return this.#knownOf(node.expression);
			case 'LogicalExpression':
				return node.operator === '&&' ? this.#knownOf(node.right) : this.#either(node.left, node.right);
			case 'ConditionalExpression':
				return this.#either(node.consequent, node.alternate);
			case 'ArrayExpression': {
				const [spread, ...more] = node.elements;
				return spread?.type === 'SpreadElement' && more.length === 0
					? this.#knownOf(spread.argument)
					: undefined;
			}
			default:
				return undefined;
		}
	}

	#either(one: AnyNode, other: AnyNode): Known | undefined {
		const known = this.#knownOf(one) ?? this.#knownOf(other);
		// What stands in for it is no item, and is to be seen as well.
		return known?.kind === 'list' ? known : undefined;
	}

	#ofFirst([first]: readonly AnyNode[]): Known | undefined {
		return first && this.#knownOf(first);
	}

	#ofName(node: AnyNode & { type: 'Identifier' }): Known | undefined {
		const reference = this.#references.get(node);
		if (reference === undefined || reference.isWriteOnly()) return undefined;
		const variable = reference.resolved;
		if (!variable) return node.name === 'items' ? { kind: 'list', of: '$input.', then: '' } : undefined;
		const [def] = variable.defs;
		if (def?.type === 'Parameter') return this.#ofParameter(variable, def.node as AnyNode);
		const written = writtenOnce(variable);
		if (!written) return undefined;
		const declarator = def?.node as AnyNode & { type: 'VariableDeclarator' };
		const value = this.#knownOf(written);
		return value && this.#within(declarator.id, value, variable.name);
	}

	/** What a name gets of a value: `{ json: { setId } }`, `[first]`. */
	#within(pattern: Pattern, value: Known, name: string): Known | undefined {
		switch (pattern.type) {
			case 'Identifier':
				return pattern.name === name ? value : undefined;
			case 'AssignmentPattern':
				return this.#within(pattern.left, value, name);
			case 'ObjectPattern':
				for (const property of pattern.properties) {
					const found =
						property.type === 'RestElement'
							? this.#within(property.argument, value, name)
							: this.#within(property.value, memberOf(value, nameOf(property)), name);
					if (found) return found;
				}
				return undefined;
			case 'ArrayPattern':
				for (const element of pattern.elements) {
					const found =
						element?.type === 'RestElement'
							? this.#within(element.argument, value, name)
							: element && this.#within(element, firstOf(value), name);
					if (found) return found;
				}
				return undefined;
			default:
				return undefined;
		}
	}

	/** The second of what a function gets that is called for each item. */
	#ofParameter({ name }: Variable, called: AnyNode): Known | undefined {
		const by = this.#parents.get(called);
		const second = 'params' in called ? called.params[1] : undefined;
		if (by?.type !== 'CallExpression' || second?.type !== 'Identifier' || second.name !== name)
			return undefined;
		const { callee } = by;
		if (callee.type !== 'MemberExpression' || !CALLED_FOR_EACH.test(propertyOf(callee) ?? ''))
			return undefined;
		const list = this.#knownOf(callee.object);
		return list?.kind === 'list' && list.of === '$input.' ? { kind: 'place' } : undefined;
	}

	#ofMember(node: MemberExpression): Known | undefined {
		const of = this.#knownOf(node.object);
		if (of === undefined) return undefined;
		const { property, computed } = node;
		if (of.kind === 'one') {
			return computed && propertyOf(node) === undefined
				? andThen(of, `[${this.print(property, false)}]`)
				: memberOf(of, propertyOf(node));
		}
		if (of.kind !== 'list' || !computed) return undefined;
		if (isNumber(property) || /\.length\s*-\s*1$/.test(this.#text(property))) return firstOf(of);
		const isPlace = this.#knownOf(property)?.kind === 'place' && of.of !== '$input.';
		return isPlace ? { kind: 'one', text: `${of.of}all()[$itemIndex]${of.then}` } : undefined;
	}

	#ofCall(node: CallExpression): Known | undefined {
		const { callee, arguments: given } = node;
		const [first] = given;
		if (callee.type === 'Identifier') {
			if (/^(structuredClone|deepCopy)$/.test(callee.name)) return this.#ofFirst(given);
			return callee.name === '$items' ? { kind: 'list', of: this.#stepOf(first), then: '' } : undefined;
		}
		if (callee.type !== 'MemberExpression') return undefined;
		const does = propertyOf(callee);
		if (does === undefined) return undefined;
		const source = this.#sourceOf(callee.object);
		if (source !== undefined) {
			if (does === 'all') return { kind: 'list', of: source, then: '' };
			const isOne = /^(first|last)$/.test(does) || (does === 'itemMatching' && isNumber(first));
			return isOne ? { kind: 'one', text: `${source}first()` } : undefined;
		}
		if (/^(Array\.from|Promise\.all|Object\.assign)$/.test(this.#text(callee))) {
			return does === 'assign' ? undefined : this.#ofFirst(given);
		}
		if (this.#text(callee) === 'JSON.parse' && first?.type === 'CallExpression') {
			return this.#text(first.callee) === 'JSON.stringify' ? this.#ofFirst(first.arguments) : undefined;
		}
		const of = this.#knownOf(callee.object);
		if (of?.kind === 'one') {
			return andThen(of, `.${does}(${given.map((one) => this.#text(one)).join(', ')})`);
		}
		return of?.kind === 'list' ? this.#ofList(of, does, node) : undefined;
	}

	#ofList(list: Known & { kind: 'list' }, does: string, node: CallExpression): Known | undefined {
		const [by] = node.arguments;
		if (/^(map|flatMap)$/.test(does)) return { ...list, then: list.then + this.#takenOfEach(by, list.then) };
		if (SAME_LIST.test(does))
			return by && this.#goesByEach(by) ? undefined : { ...list, by: this.#chosenBy(by) };
		if (/^(find|findLast)$/.test(does)) {
			return by && this.#goesByEach(by) ? undefined : firstOf({ ...list, by: this.#chosenBy(by) });
		}
		if (does === 'at') return firstOf(list);
		return /^(shift|pop)$/.test(does) && !this.#isRepeated(node) ? firstOf(list) : undefined;
	}

	/** What a function takes of each: `(item) => item.json`. */
	#takenOfEach(by: AnyNode | undefined, then: string): string {
		if (by?.type !== 'ArrowFunctionExpression') return '';
		const [param] = by.params;
		const text = this.#text(by.body);
		if (param?.type === 'Identifier' && text.startsWith(param.name)) {
			const rest = text.slice(param.name.length);
			if (/^(\??\.\w+)*$/.test(rest)) return rest;
		}
		if (param?.type === 'ObjectPattern' && /^\w+$/.test(text)) return `.${text}`;
		// What is written anew there says what the item says.
		return then === '' && !/\bjson\s*:/.test(text) ? '.json' : '';
	}

	/** What one item says by which a function chooses. */
	#chosenBy(part: AnyNode | undefined): string {
		if (part === undefined) return '';
		const known = this.#knownOf(part);
		if (known?.kind === 'one') return `${known.text}, `;
		return childrenOf(part)
			.map((child) => this.#chosenBy(child))
			.join('');
	}

	/** Whether what a function chooses goes by something that has its turn around it. */
	#goesByEach(part: AnyNode): boolean {
		const known = this.#byEach.get(part);
		if (known !== undefined) return known;
		this.#byEach.set(part, true);
		const isEach = [...below(part)].some((node) => {
			if (node.type === 'ThisExpression') return true;
			if (node.type === 'MemberExpression') {
				return propertyOf(node) === 'item' && this.#sourceOf(node.object) !== undefined;
			}
			const reference = this.#references.get(node);
			const variable = reference?.resolved;
			if (!variable)
				return reference !== undefined && /^(\$json|\$itemIndex|item)$/.test(reference.identifier.name);
			const [def] = variable.defs;
			const name = def?.name as AnyNode | undefined;
			if (!name || def?.type === 'FunctionName' || (name.start >= part.start && name.end <= part.end))
				return false;
			const written = writtenOnce(variable);
			return written === undefined || this.#goesByEach(written);
		});
		this.#byEach.set(part, isEach);
		return isEach;
	}

	/** Whether a part may run more than once. */
	#isRepeated(node: AnyNode): boolean {
		for (let at = this.#parents.get(node); at; at = this.#parents.get(at)) {
			if (/^(For|While|DoWhile)|Function/.test(at.type)) return true;
		}
		return false;
	}

	/** `$input.`, `$("Event").`; undefined for what is no step. */
	#sourceOf(node: AnyNode): string | undefined {
		if (node.type === 'Identifier') {
			const variable = this.#references.get(node)?.resolved;
			const given = variable && writtenOnce(variable);
			if (given) return this.#sourceOf(given);
			return node.name === '$input' ? '$input.' : undefined;
		}
		if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== '$') {
			return undefined;
		}
		return this.#stepOf(node.arguments[0]);
	}

	#stepOf(name: AnyNode | undefined): string {
		return name === undefined ? '$input.' : `$(${this.#wordOf(name)}).`;
	}

	/** A name as it is written, or as it was written where it got its own. */
	#wordOf(node: AnyNode): string {
		const variable = node.type === 'Identifier' ? this.#references.get(node)?.resolved : undefined;
		const written = variable && writtenOnce(variable);
		return written?.type === 'Literal' ? this.#text(written) : this.#text(node);
	}
}

/** What is written to a name that is written to once, as a whole; a loop writes to it in each turn. */
function writtenOnce(variable: Variable): AnyNode | undefined {
	if (!written.has(variable)) written.set(variable, findWritten(variable));
	return written.get(variable);
}

/** A name may stand ten thousand times in one Code. */
const written = new WeakMap<Variable, AnyNode | undefined>();

function findWritten({ references, defs: [def] }: Variable): AnyNode | undefined {
	if (def?.type !== 'Variable') return undefined;
	const writes = references.filter((reference) => reference.isWrite());
	const { init } = def.node as AnyNode & { type: 'VariableDeclarator' };
	// What stands in where there is none is written as well.
	if (init) return writes.every((write) => write.init) ? init : undefined;
	const [write, ...more] = writes;
	const isOther = !write || write.init || write.partial || more.length > 0;
	return isOther ? undefined : ((write.writeExpr ?? undefined) as AnyNode | undefined);
}

/** Whether what is written to a name is one of several texts, and no answer to a question or a count. */
const isChosen = (node: AnyNode): boolean =>
	node.type === 'TemplateLiteral' ||
	node.type === 'MemberExpression' ||
	(node.type === 'Literal' && typeof node.value === 'string' && node.value !== '');

const isNumber = (node: AnyNode | undefined): boolean =>
	(node?.type === 'Literal' && typeof node.value === 'number') ||
	(node?.type === 'UnaryExpression' && isNumber(node.argument));

/** A row that is chosen by a row, and so on, grows with each, and doubles where it stands in itself. */
const LONGEST = 1_000;

function firstOf(value: Known): Known {
	if (value.kind !== 'list') return value;
	const { by = '', of, then } = value;
	return { kind: 'one', text: `${by.length > LONGEST ? '' : by}${of}first()${then}` };
}

function memberOf(value: Known, name: string | undefined): Known {
	if (value.kind !== 'one' || name === undefined) return value;
	return andThen(value, /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);
}

const andThen = ({ text }: Known & { kind: 'one' }, more: string): Known => ({
	kind: 'one',
	text: text.length + more.length > LONGEST ? text : text + more,
});

/** The name of a member, where it is written. */
const propertyOf = ({ property, computed }: MemberExpression): string | undefined =>
	computed ? literal(property) : property.type === 'Identifier' ? property.name : undefined;

const nameOf = ({ key, computed }: { key: AnyNode; computed: boolean }): string | undefined =>
	!computed && key.type === 'Identifier' ? key.name : literal(key);

const literal = (node: AnyNode): string | undefined =>
	node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** A part and all of which it is made, in no order; what stands deep in others costs no more. */
function* below(node: AnyNode): Generator<AnyNode> {
	const open = [node];
	for (let next = open.pop(); next; next = open.pop()) {
		yield next;
		open.push(...childrenOf(next));
	}
}

/** In the order in which they stand. */
function childrenOf(node: AnyNode): readonly AnyNode[] {
	const found = children.get(node) ?? findChildren(node);
	children.set(node, found);
	return found;
}

/** Each part is asked several times. */
const children = new WeakMap<AnyNode, readonly AnyNode[]>();

const findChildren = (node: AnyNode): readonly AnyNode[] =>
	Object.values(node)
		.flat()
		.filter(
			(value): value is AnyNode =>
				value !== null && typeof value === 'object' && 'type' in value && 'start' in value,
		)
		.sort((one, other) => one.start - other.start);
