import type { AnyNode } from 'acorn';
import type { Variable } from 'eslint-scope';
import { below, childrenOf, propertyOf, type Program } from './codeValues';

/** What Code writes into a field of the items that it gives. */
export interface CodeField {
	/** Whether it is the same in each of them. */
	isAlike: boolean;
	/** The steps of which it says for each item what all of theirs say, as `$input.` or `$("Rows").`, with how it is made. */
	ofAll: { of: string; text: string }[];
}

/** More are no fields that a person wrote. */
const MOST_WRITES = 20;

export function readField(program: Program, field: string): CodeField {
	const values: AnyNode[] = [];
	for (const node of below(program.root)) {
		const value = writtenBy(node, field);
		if (value) values.push(value);
		if (values.length > MOST_WRITES) return { isAlike: false, ofAll: [] };
	}
	const each = values.map((value) => ({ value, parts: madeOf(program, value) }));
	/** What another is made of is no value of its own: `CONFIG.to`. */
	const made = each.filter(
		({ value }) =>
			!each.some((other) => other.value !== value && other.parts?.some((part) => isWithin(value, part))),
	);
	const texts = new Set(made.map(({ value }) => program.text(value)));
	return {
		isAlike:
			texts.size === 1 && made.every(({ value, parts }) => parts !== undefined && !isChosen(program, value)),
		ofAll: made.flatMap(({ value, parts = [] }) =>
			program.isForAll && !program.isRepeated(value) ? [] : listsIn(program, parts),
		),
	};
}

function writtenBy(node: AnyNode, field: string): AnyNode | undefined {
	if (node.type === 'AssignmentExpression') {
		return node.left.type === 'MemberExpression' && propertyOf(node.left) === field ? node.right : undefined;
	}
	if (node.type !== 'Property') return undefined;
	const { key } = node;
	const name = key.type === 'Identifier' && !node.computed ? key.name : key.type === 'Literal' && key.value;
	return name === field ? (node.value as AnyNode) : undefined;
}

/** Whether it is written where something is so, and not otherwise. */
function isChosen(program: Program, value: AnyNode): boolean {
	for (let at = program.parentOf(value); at; at = program.parentOf(at)) {
		if (/^(If|Switch|Try)|^(Conditional|Logical)Expression/.test(at.type)) return true;
	}
	return false;
}

/** All of which a value is made, itself among it; undefined where it goes by what has its turn around it. */
function madeOf(program: Program, value: AnyNode): AnyNode[] | undefined {
	const parts = new Set([value]);
	// Those that are found on the way are looked at too.
	for (const part of parts) {
		for (const node of below(part)) {
			if (node.type === 'ThisExpression' || program.isOfItsTurn(node)) return undefined;
			const variable = program.referenceOf(node)?.resolved;
			const name = variable?.defs[0]?.name as AnyNode | undefined;
			if (!variable || (name && [...parts].some((one) => isWithin(name, one)))) continue;
			const making = makingOf(program, variable, value);
			if (!making) return undefined;
			for (const one of making) parts.add(one);
			if (parts.size > MOST_WRITES) return undefined;
		}
	}
	return [...parts];
}

const isWithin = (node: AnyNode, other: AnyNode) => node.start >= other.start && node.end <= other.end;

const PUTS_INTO = /^(push|unshift|add|set|splice)$/;

/** By what a name gets what it stands for, up to where it is read; undefined where that has its turn. */
function makingOf(program: Program, { defs: [def], references }: Variable, read: AnyNode) {
	const node = def?.node as AnyNode | undefined;
	if (def?.type === 'FunctionName' && node) return [node];
	const declared = node && program.parentOf(node);
	const around = declared && program.parentOf(declared);
	if (def?.type !== 'Variable' || !around || /^For/.test(around.type)) return undefined;
	const making = node.type === 'VariableDeclarator' && node.init ? [node.init as AnyNode] : [];
	for (const reference of references) {
		const name = reference.identifier as AnyNode;
		if (reference.init || (!reference.isWrite() && !isPutInto(program, name))) continue;
		let statement = name;
		for (let at = program.parentOf(name); at && at !== around; at = program.parentOf(at)) statement = at;
		if (isWithin(read, statement)) return undefined;
		making.push(statement);
	}
	return making;
}

function isPutInto(program: Program, name: AnyNode): boolean {
	const member = program.parentOf(name);
	if (member?.type !== 'MemberExpression' || member.object !== name) return false;
	const by = program.parentOf(member);
	if (by?.type === 'AssignmentExpression') return by.left === member;
	return by?.type === 'CallExpression' && by.callee === member && PUTS_INTO.test(propertyOf(member) ?? '');
}

/** The lists of items of which not one is chosen. */
function listsIn(program: Program, parts: readonly AnyNode[]) {
	const text = parts.map((part) => program.text(part)).join('\n');
	const lists = new Set<string>();
	const open = [...parts];
	for (let next = open.pop(); next; next = open.pop()) {
		const known = program.knownOf(next);
		if (known?.kind === 'one') continue;
		if (known?.kind === 'list') lists.add(known.of);
		open.push(...childrenOf(next));
	}
	return [...lists].map((of) => ({ of, text }));
}
