/**
 * The door of the sandbox's n8n, loaded into it before its own code (node --require). Whoever asks a new n8n first becomes
 * its owner, and n8n runs programs for its owner: while the file with the key is there, only who shows it is answered.
 *
 * The file is made once n8n has its port: another program that listened there before could have been shown the key.
 */
const { randomBytes, timingSafeEqual } = require('node:crypto');
const { existsSync, writeFileSync } = require('node:fs');
const { IncomingMessage, Server } = require('node:http');

const { PARCEL_DOOR_KEY_FILE: keyFile, N8N_PORT: port } = process.env;
// The threads and children of n8n load this too, and have no door.
delete process.env.PARCEL_DOOR_KEY_FILE;
if (keyFile) putDoor();

function putDoor() {
	const key = randomBytes(32).toString('hex');
	const { emit } = Server.prototype;
	let shut;
	Server.prototype.emit = function (event, ...args) {
		// The server of n8n's task broker is left alone: runners show a token of their own there.
		if (event === 'listening' && this.address()?.port === Number(port)) {
			writeFileSync(keyFile, key, { mode: 0o600, flag: 'wx' });
			shut = this;
		}
		// A request of any kind: an ordinary one, or one for a web socket.
		const [request, answer] = args;
		if (this !== shut || !(request instanceof IncomingMessage)) return emit.call(this, event, ...args);
		if (!existsSync(keyFile)) shut = undefined;
		else if (!isSame(request.headers['x-door-key'], key)) return refuse(answer);
		return emit.call(this, event, ...args);
	};
}

/** Equal or not, in a time that does not tell how much of it was equal. */
function isSame(given, wanted) {
	const [one, other] = [Buffer.from(String(given)), Buffer.from(wanted)];
	return one.length === other.length && timingSafeEqual(one, other);
}

/** @param answer the answer of a request; of one for a web socket, the connection */
function refuse(answer) {
	const text = 'The sandbox is starting: n8n answers once it has its owner.\n';
	if ('writeHead' in answer) answer.writeHead(403, { connection: 'close' }).end(text);
	else {
		// Node.js has let go of it: nobody else hears that whoever asked is gone, and an error that nobody hears ends a program.
		answer.on('error', () => answer.destroy());
		answer.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => answer.destroy());
	}
	return true;
}
