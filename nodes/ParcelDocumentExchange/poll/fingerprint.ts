import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../service/model/canonicalJson';

/** Tells values apart without telling them. */
export function fingerprint(parts: unknown[]): string {
	return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
