// Preloaded into n8n: writes down what each file of the package costs to load when n8n loads it, one JSON line each.
const { appendFileSync } = require('node:fs');
const Module = require('node:module');

const { BENCH_LOADED_FILE: file, BENCH_LOADED_PACKAGE: name } = process.env;
const load = Module._load;
let inside = false;

Module._load = function (request, ...rest) {
	if (inside || !request.includes(`/node_modules/${name}/`) || !request.endsWith('.js'))
		return load.call(this, request, ...rest);
	inside = true;
	const before = { ms: performance.now(), ...process.memoryUsage() };
	try {
		return load.call(this, request, ...rest);
	} finally {
		inside = false;
		const after = process.memoryUsage();
		const ms = performance.now() - before.ms;
		const line = {
			request,
			ms,
			rssMb: (after.rss - before.rss) / 2 ** 20,
			heapMb: (after.heapUsed - before.heapUsed) / 2 ** 20,
		};
		appendFileSync(file, `${JSON.stringify(line)}\n`);
	}
};
