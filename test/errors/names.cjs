/** Loaded into n8n before its own code: two host names as a DNS server with bad intent, or out of order, would answer. */
const { promises } = require('node:dns');

const { lookup } = promises;
let asked = 0;

promises.lookup = async (name, options) => {
	// Nobody ever says.
	if (name === 'slow.example') return new Promise(() => undefined);
	if (name !== 'moves.example') return lookup(name, options);
	// Asked for the check, it is somewhere else than when the connection is made.
	asked += 1;
	const record = { address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 };
	return options?.all ? [record] : record;
};
