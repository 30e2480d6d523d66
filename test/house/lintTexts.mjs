import { ESLint } from 'eslint';
import { json } from 'node:stream/consumers';

/** Lints the texts of standard input, [{ filePath, code }]; prints what is said of each. ESLint loads its configuration by `import()`, which jest does not have. */
const linter = new ESLint();
const said = [];
for (const { filePath, code } of await json(process.stdin)) {
	const [{ messages }] = await linter.lintText(code, { filePath });
	said.push(messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}
process.stdout.write(JSON.stringify(said));
