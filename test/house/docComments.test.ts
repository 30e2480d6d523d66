import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const PROJECT = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files', 'service'], { cwd: PROJECT, encoding: 'utf8' })
	.split('\n')
	.filter((file) => file.endsWith('.ts'));

/** The exported names of a file, and whether one says what it promises: of a schema and its type, one says it for both. */
function exportedBy(file: string): Map<string, boolean> {
	const text = readFileSync(join(PROJECT, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const names = new Map<string, boolean>();
	for (const statement of source.statements) {
		if (!ts.canHaveModifiers(statement) || !statement.modifiers) continue;
		if (!statement.modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
		const declared = ts.isVariableStatement(statement)
			? statement.declarationList.declarations.map(({ name }) => name.getText())
			: [(statement as ts.FunctionDeclaration).name?.text ?? ''];
		const isTold = ts.getJSDocCommentsAndTags(statement).length > 0;
		for (const name of declared) names.set(name, isTold || names.get(name) === true);
	}
	return names;
}

it('every exported name of service/ says what it promises, in a comment above it', () => {
	const all = files.flatMap((file) =>
		[...exportedBy(file)].map(([name, isTold]) => ({ file, name, isTold })),
	);
	expect(all.length).toBeGreaterThan(200);
	const without = all.filter(({ isTold }) => !isTold).map(({ file, name }) => `${file}: ${name}`);
	expect(without).toEqual([]);
});
