import * as service from '../../service/queue/decode';

export { MAX_BODY_BYTES, MAX_SHOWN_BYTES, shownBody } from '../../service/queue/decode';

const known = new WeakMap<Buffer, service.Decoded>();

/**
 * What `run.mjs` puts in the place of the service's `decode`: a message that is delivered again has the very body it had
 * before, and histories deliver theirs four times on average. The real function reads it the first time.
 */
export function decode(body: Buffer): service.Decoded {
	const decoded = known.get(body) ?? service.decode(body);
	known.set(body, decoded);
	return decoded;
}
