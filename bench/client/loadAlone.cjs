// Loads the package as n8n does, in a process that holds n8n-workflow already: `node loadAlone.cjs <package folder>`.
const { createRequire } = require('node:module');
const { join } = require('node:path');

const folder = process.argv[2];
const { n8n } = require(join(folder, 'package.json'));
// The copy that the package gets: another one would be loaded with it.
createRequire(join(folder, 'package.json'))('n8n-workflow');

const before = { ms: performance.now(), rss: process.memoryUsage.rss() };
for (const file of [...n8n.credentials, ...n8n.nodes]) {
	const [name] = file.split('/').at(-1).split('.');
	new (require(join(folder, file))[name])();
}
const ms = performance.now() - before.ms;
console.log(JSON.stringify({ ms, rssMb: (process.memoryUsage.rss() - before.rss) / 2 ** 20 }));
