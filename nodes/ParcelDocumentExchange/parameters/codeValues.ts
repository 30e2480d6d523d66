import { parse, type AnyNode, type CallExpression, type MemberExpression, type Pattern } from 'acorn';
import { analyze, type Reference, type Variable } from 'eslint-scope';

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

/** What is called in more places gets more than one thing. */
const MOST_CALLS = 20;

/** Give the same list, in another order or with fewer in it. */
const SAME_LIST = /^(filter|slice|sort|reverse|toSorted|toReversed|concat|flat|values)$/;
/** What n8n says anew for each item, where Code runs for each. */
const OF_EACH = /^(\$json|\$itemIndex|item)$/;

const CALLED_FOR_EACH = /^(map|forEach|filter|flatMap)$/;

/** A piece of Code, and what is known of its parts: which of them are items that a step gave, or what one of these says. */
export class Program {
	readonly root: AnyNode;
	/** Without its comments. */
	readonly code: string;
	private readonly parents = new Map<AnyNode, AnyNode>();
	private readonly references = new Map<unknown, Reference>();
	/** Functions that have a name of their own. */
	private readonly named = new Map<AnyNode, Variable>();
	private readonly calls = new Map<AnyNode, CallExpression[] | undefined>();
	private readonly known = new Map<AnyNode, Known | undefined>();
	private readonly byEach = new Map<AnyNode, boolean>();

	/** @param isForAll whether it runs once for all items, and not for each of them */
	constructor(
		code: string,
		readonly isForAll: boolean,
	) {
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
		this.code = bare + code.slice(from);
		this.root = root as AnyNode;
		for (const node of below(this.root)) {
			for (const child of childrenOf(node)) this.parents.set(child, node);
			if (this.parents.size > MOST_PARTS) throw new RangeError('Too long to be read');
		}
		const scopes = analyze(root as Parameters<typeof analyze>[0], {
			...{ ecmaVersion: 2022, sourceType: 'commonjs', ignoreEval: true },
		});
		for (const { references, variables } of scopes.scopes) {
			for (const reference of references) this.references.set(reference.identifier, reference);
			for (const variable of variables) {
				const written = functionOf(variable);
				if (written) this.named.set(written, variable);
			}
		}
	}

	parentOf(node: AnyNode): AnyNode | undefined {
		return this.parents.get(node);
	}

	referenceOf(node: AnyNode): Reference | undefined {
		return this.references.get(node);
	}

	/** Whether it is what n8n says anew for each item, where Code runs for each. */
	isOfItsTurn(node: AnyNode): boolean {
		if (this.isForAll) return false;
		if (node.type === 'MemberExpression') return this.sourceOfLinked(node) !== undefined;
		const reference = this.references.get(node);
		return reference !== undefined && !reference.resolved && OF_EACH.test(reference.identifier.name);
	}

	/** As it is written, without comments. */
	text(node: AnyNode): string {
		return this.code.slice(node.start, node.end);
	}

	/** Whether what is returned in the end is made of each of the items that come: a list of them, or what is put into one in a loop. */
	givesEach(): boolean {
		const last = childrenOf(this.root).at(-1);
		const given = last?.type === 'ReturnStatement' ? last.argument : undefined;
		if (!given) return false;
		const known = this.knownOf(given);
		if (known !== undefined) return known.kind === 'list' && known.of === '$input.';
		const variable = given.type === 'Identifier' ? this.references.get(given)?.resolved : undefined;
		return (variable?.references ?? []).some(({ identifier }) => {
			const member = this.parents.get(identifier as AnyNode);
			if (member?.type !== 'MemberExpression' || propertyOf(member) !== 'push') return false;
			return this.isRepeated(member);
		});
	}

	/** Undefined for what is no item, and for that of which nobody can tell. */
	knownOf(node: AnyNode): Known | undefined {
		if (!this.known.has(node)) {
			// What goes by itself is not known.
			this.known.set(node, undefined);
			this.known.set(node, this.judge(node));
		}
		return this.known.get(node);
	}

	private judge(node: AnyNode): Known | undefined {
		switch (node.type) {
			case 'Identifier':
				return this.ofName(node);
			case 'MemberExpression':
				return this.ofMember(node);
			case 'CallExpression':
				return this.ofCall(node);
			case 'NewExpression':
				return this.text(node.callee) === 'Set' ? this.ofFirst(node.arguments) : undefined;
			case 'AwaitExpression':
				return this.knownOf(node.argument);
			case 'ChainExpression':
			case 'ParenthesizedExpression':
				return this.knownOf(node.expression);
			case 'LogicalExpression':
				return node.operator === '&&' ? this.knownOf(node.right) : this.either(node.left, node.right);
			case 'ConditionalExpression':
				return this.either(node.consequent, node.alternate);
			case 'ArrayExpression': {
				const [spread, ...more] = node.elements;
				return spread?.type === 'SpreadElement' && more.length === 0
					? this.knownOf(spread.argument)
					: undefined;
			}
			default:
				return undefined;
		}
	}

	private either(one: AnyNode, other: AnyNode): Known | undefined {
		const known = this.knownOf(one) ?? this.knownOf(other);
		// What stands in for it is no item, and is to be seen as well.
		return known?.kind === 'list' ? known : undefined;
	}

	private ofFirst([first]: readonly AnyNode[]): Known | undefined {
		return first && this.knownOf(first);
	}

	private ofName(node: AnyNode & { type: 'Identifier' }): Known | undefined {
		const reference = this.references.get(node);
		if (reference === undefined || reference.isWriteOnly()) return undefined;
		const variable = reference.resolved;
		if (!variable) return this.ofNameOfHost(node.name);
		const [def] = variable.defs;
		if (def?.type === 'Parameter') return this.ofParameter(variable, def.node as AnyNode);
		const declarator = def?.node as AnyNode & { type: 'VariableDeclarator' };
		if (def?.type === 'Variable' && this.countsItems(declarator, node.name)) return { kind: 'place' };
		const written = writtenOnce(variable);
		if (!written) return undefined;
		const value = this.knownOf(written);
		return value && this.within(declarator.id, value, variable.name);
	}

	/** Whether a loop gives a name the place of each item that comes: `i < items.length`, `[i, item] of items.entries()`. */
	private countsItems(declarator: AnyNode & { type: 'VariableDeclarator' }, name: string): boolean {
		const declared = this.parents.get(declarator);
		const loop = declared && this.parents.get(declared);
		const isOfItems = (node: AnyNode, property: string) => {
			const known = node.type === 'MemberExpression' ? this.knownOf(node.object) : undefined;
			const isList = known?.kind === 'list' && known.of === '$input.';
			return isList && propertyOf(node as MemberExpression) === property;
		};
		if (loop?.type === 'ForStatement') {
			const { init, test } = loop;
			if (init !== declared || test?.type !== 'BinaryExpression') return false;
			return this.text(test.left) === name && isOfItems(test.right, 'length');
		}
		const { id } = declarator;
		const [first] = id.type === 'ArrayPattern' ? id.elements : [];
		if (loop?.type !== 'ForOfStatement' || loop.left !== declared || first?.type !== 'Identifier')
			return false;
		return (
			first.name === name &&
			loop.right.type === 'CallExpression' &&
			isOfItems(loop.right.callee as AnyNode, 'entries')
		);
	}

	/** Where Code runs once for all, n8n gives by these what the first item that comes says. */
	private ofNameOfHost(name: string): Known | undefined {
		if (name === 'items') return { kind: 'list', of: '$input.', then: '' };
		if (!this.isForAll || !/^\$(json|binary)$/.test(name)) return undefined;
		return { kind: 'one', text: `$input.first().${name.slice(1)}` };
	}

	/** What a name gets of a value: `{ json: { setId } }`, `[first]`. */
	private within(pattern: Pattern, value: Known, name: string): Known | undefined {
		switch (pattern.type) {
			case 'Identifier':
				return pattern.name === name ? value : undefined;
			case 'AssignmentPattern':
				return this.within(pattern.left, value, name);
			case 'ObjectPattern':
				for (const property of pattern.properties) {
					const found =
						property.type === 'RestElement'
							? this.within(property.argument, value, name)
							: this.within(property.value, memberOf(value, nameOf(property)), name);
					if (found) return found;
				}
				return undefined;
			case 'ArrayPattern':
				for (const element of pattern.elements) {
					const found =
						element?.type === 'RestElement'
							? this.within(element.argument, value, name)
							: element && this.within(element, firstOf(value), name);
					if (found) return found;
				}
				return undefined;
			default:
				return undefined;
		}
	}

	/** What a function gets that is called with the same everywhere; the second of what one gets that is called for each item. */
	private ofParameter({ name }: Variable, called: AnyNode): Known | undefined {
		const calls = this.callsOf(called);
		if (calls && calls.length <= MOST_CALLS && 'params' in called) {
			for (const [at, pattern] of called.params.entries()) {
				const [value, ...others] = calls.map(({ arguments: given }) => given[at] && this.knownOf(given[at]));
				const isSame = value && others.every((other) => JSON.stringify(other) === JSON.stringify(value));
				const found = isSame && this.within(pattern, value, name);
				if (found) return found;
			}
			return undefined;
		}
		const by = this.parents.get(called);
		const second = 'params' in called ? called.params[1] : undefined;
		if (by?.type !== 'CallExpression' || second?.type !== 'Identifier' || second.name !== name)
			return undefined;
		const { callee } = by;
		if (callee.type !== 'MemberExpression' || !CALLED_FOR_EACH.test(propertyOf(callee) ?? ''))
			return undefined;
		const list = this.knownOf(callee.object);
		return list?.kind === 'list' && list.of === '$input.' ? { kind: 'place' } : undefined;
	}

	/** Where a function is called by its name; undefined where it is given to somebody. */
	private callsOf(called: AnyNode): CallExpression[] | undefined {
		if (!this.calls.has(called)) this.calls.set(called, this.findCalls(called));
		return this.calls.get(called);
	}

	private findCalls(called: AnyNode): CallExpression[] | undefined {
		const uses = this.named.get(called)?.references.filter((reference) => !reference.isWrite());
		const calls = uses?.flatMap(({ identifier }) => {
			const call = this.parents.get(identifier as AnyNode);
			return call?.type === 'CallExpression' && call.callee === (identifier as AnyNode) ? [call] : [];
		});
		return calls?.length === uses?.length ? calls : undefined;
	}

	/** What a function gives that is called by its name: it is said where it is called. */
	isGiven(node: AnyNode): boolean {
		let called = this.parents.get(node);
		if (called?.type !== 'ReturnStatement' && called?.type !== 'ArrowFunctionExpression') return false;
		while (called && !/Function/.test(called.type)) called = this.parents.get(called);
		if (!called || returnedOf(called) !== node || this.callsOf(called) === undefined) return false;
		// What a list was made with is said where it is made.
		return this.knownOf(node)?.kind === 'one';
	}

	private ofMember(node: MemberExpression): Known | undefined {
		const source = this.isForAll ? this.sourceOfLinked(node) : undefined;
		if (source !== undefined) return { kind: 'one', text: `${source}first()` };
		const of = this.knownOf(node.object);
		if (of === undefined) return undefined;
		const { property, computed } = node;
		if (of.kind === 'one') {
			return computed && propertyOf(node) === undefined
				? andThen(of, `[${this.text(property)}]`)
				: memberOf(of, propertyOf(node));
		}
		if (of.kind !== 'list' || !computed) return undefined;
		if (this.isPlaceOfOne(property) || /\.length\s*-\s*1$/.test(this.text(property))) return firstOf(of);
		const isPlace = this.knownOf(property)?.kind === 'place' && of.of !== '$input.';
		return isPlace ? { kind: 'one', text: `${of.of}all()[$itemIndex]${of.then}` } : undefined;
	}

	private ofCall(node: CallExpression): Known | undefined {
		const { callee, arguments: args } = node;
		const [first] = args;
		if (callee.type === 'Identifier') {
			if (/^(structuredClone|deepCopy)$/.test(callee.name)) return this.ofFirst(args);
			if (callee.name === '$items') return { kind: 'list', of: this.stepOf(first), then: '' };
			const variable = this.references.get(callee)?.resolved ?? undefined;
			const called = variable && functionOf(variable);
			const given = called && this.callsOf(called) && returnedOf(called);
			return given && this.knownOf(given);
		}
		if (callee.type !== 'MemberExpression') return undefined;
		const does = propertyOf(callee);
		if (does === undefined) return undefined;
		const source = this.sourceOf(callee.object);
		if (source !== undefined) {
			if (does === 'all') return { kind: 'list', of: source, then: '' };
			const isOne = /^(first|last)$/.test(does) || (does === 'itemMatching' && this.isPlaceOfOne(first));
			return isOne ? { kind: 'one', text: `${source}first()` } : undefined;
		}
		if (/^(Array\.from|Promise\.all|Object\.values)$/.test(this.text(callee))) {
			const list = this.ofFirst(args);
			const by = args[1];
			if (list?.kind !== 'list' || !by) return list;
			return { ...list, then: list.then + this.takenOfEach(by, list.then) };
		}
		if (this.text(callee) === 'JSON.parse' && first?.type === 'CallExpression') {
			return this.text(first.callee) === 'JSON.stringify' ? this.ofFirst(first.arguments) : undefined;
		}
		const of = this.knownOf(callee.object);
		if (of?.kind === 'one') {
			return andThen(of, `.${does}(${args.map((one) => this.text(one)).join(', ')})`);
		}
		return of?.kind === 'list' ? this.ofList(of, does, node) : undefined;
	}

	private ofList(list: Known & { kind: 'list' }, does: string, node: CallExpression): Known | undefined {
		const [by] = node.arguments;
		if (/^(map|flatMap)$/.test(does)) return { ...list, then: list.then + this.takenOfEach(by, list.then) };
		if (SAME_LIST.test(does))
			return by && this.goesByEach(by) ? undefined : { ...list, by: this.chosenBy(by) };
		if (/^(find|findLast)$/.test(does)) {
			return by && this.goesByEach(by) ? undefined : firstOf({ ...list, by: this.chosenBy(by) });
		}
		if (does === 'at') return firstOf(list);
		return /^(shift|pop)$/.test(does) && !this.isRepeated(node) ? firstOf(list) : undefined;
	}

	/** What a function takes of each: `(item) => item.json`. */
	private takenOfEach(by: AnyNode | undefined, then: string): string {
		if (by?.type !== 'ArrowFunctionExpression') return '';
		const [param] = by.params;
		const text = this.text(by.body);
		if (param?.type === 'Identifier' && text.startsWith(param.name)) {
			const rest = text.slice(param.name.length);
			if (/^(\??\.\w+)*$/.test(rest)) return rest;
		}
		if (param?.type === 'ObjectPattern' && /^\w+$/.test(text)) return `.${text}`;
		// What is written anew there says what the item says.
		return then === '' && !/\bjson\s*:/.test(text) ? '.json' : '';
	}

	/** What one item says by which a function chooses. */
	private chosenBy(part: AnyNode | undefined): string {
		if (part === undefined) return '';
		const known = this.knownOf(part);
		if (known?.kind === 'one') return `${known.text}, `;
		return childrenOf(part)
			.map((child) => this.chosenBy(child))
			.join('');
	}

	/** Whether what a function chooses goes by something that has its turn around it. */
	goesByEach(part: AnyNode): boolean {
		const known = this.byEach.get(part);
		if (known !== undefined) return known;
		this.byEach.set(part, true);
		const isEach = [...below(part)].some((node) => {
			if (node.type === 'ThisExpression' || this.isOfItsTurn(node)) return true;
			const variable = this.references.get(node)?.resolved;
			if (!variable) return false;
			const [def] = variable.defs;
			const name = def?.name as AnyNode | undefined;
			if (!name || def?.type === 'FunctionName' || (name.start >= part.start && name.end <= part.end))
				return false;
			const written = writtenOnce(variable);
			return written === undefined || this.goesByEach(written);
		});
		this.byEach.set(part, isEach);
		return isEach;
	}

	/** The step of which the item is asked that this one came from: `$("Event").item`, `$node["Event"]`. */
	private sourceOfLinked(node: MemberExpression): string | undefined {
		const { object, property, computed } = node;
		if (propertyOf(node) === 'item') return this.sourceOf(object);
		if (object.type !== 'Identifier' || object.name !== '$node') return undefined;
		return `$(${computed ? this.wordOf(property) : JSON.stringify(propertyOf(node))}).`;
	}

	/** Whether it is the place of one item, whichever has its turn. */
	private isPlaceOfOne(node: AnyNode | undefined): boolean {
		const isFirst = this.isForAll && node?.type === 'Identifier' && node.name === '$itemIndex';
		return isFirst || isNumber(node);
	}

	/** Whether a part may run more than once. */
	isRepeated(node: AnyNode): boolean {
		for (let at = this.parents.get(node); at; at = this.parents.get(at)) {
			if (/^(For|While|DoWhile)|Function/.test(at.type)) return true;
		}
		return false;
	}

	/** `$input.`, `$("Event").`; undefined for what is no step. */
	private sourceOf(node: AnyNode): string | undefined {
		if (node.type === 'Identifier') {
			const variable = this.references.get(node)?.resolved;
			const given = variable && writtenOnce(variable);
			if (given) return this.sourceOf(given);
			return node.name === '$input' ? '$input.' : undefined;
		}
		if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== '$') {
			return undefined;
		}
		return this.stepOf(node.arguments[0]);
	}

	private stepOf(name: AnyNode | undefined): string {
		return name === undefined ? '$input.' : `$(${this.wordOf(name)}).`;
	}

	/** A name as it is written, or as it was written where it got its own. */
	private wordOf(node: AnyNode): string {
		const variable = node.type === 'Identifier' ? this.references.get(node)?.resolved : undefined;
		const written = variable && writtenOnce(variable);
		return written?.type === 'Literal' ? this.text(written) : this.text(node);
	}
}

/** The function to which a name was given, for good. */
function functionOf(variable: Variable): AnyNode | undefined {
	const [def] = variable.defs;
	if (def?.type === 'FunctionName') return def.node as AnyNode;
	const written = writtenOnce(variable);
	return written && /Function/.test(written.type) ? written : undefined;
}

/** The one thing that a function gives; undefined where there may be several. */
function returnedOf(called: AnyNode): AnyNode | undefined {
	if (!returned.has(called)) returned.set(called, findReturned(called));
	return returned.get(called);
}

const returned = new WeakMap<AnyNode, AnyNode | undefined>();

function findReturned(called: AnyNode): AnyNode | undefined {
	if (!('body' in called)) return undefined;
	const body = called.body as AnyNode;
	if (body.type !== 'BlockStatement') return body;
	const [only, ...more] = [...below(body)].filter((node) => node.type === 'ReturnStatement');
	return more.length === 0 ? (only?.argument ?? undefined) : undefined;
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
export const propertyOf = ({ property, computed }: MemberExpression): string | undefined =>
	computed ? literal(property) : property.type === 'Identifier' ? property.name : undefined;

const nameOf = ({ key, computed }: { key: AnyNode; computed: boolean }): string | undefined =>
	!computed && key.type === 'Identifier' ? key.name : literal(key);

const literal = (node: AnyNode): string | undefined =>
	node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** A part and all of which it is made, in no order; what stands deep in others costs no more. */
export function* below(node: AnyNode): Generator<AnyNode> {
	const open = [node];
	for (let next = open.pop(); next; next = open.pop()) {
		yield next;
		open.push(...childrenOf(next));
	}
}

/** In the order in which they stand. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
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
