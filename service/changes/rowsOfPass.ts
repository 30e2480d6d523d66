import type { Row } from '../api/page';
import { idKey, isSet } from '../model/set';
import { rowPrint } from './rowPrint';
import { keyPrint } from './setMemory';

/**
 * The different rows of a pass: a total may count rows, of which a set has several, and what is remembered are sets. A row
 * that was modified meanwhile may have come twice, in its old place and in its new one, and counts once: what it left behind
 * moved up to where the pass had been already, and is still due.
 */
export class RowsOfPass {
	private readonly rows = new Set<number>();
	private readonly sets = new Set<number>();
	private modified = 0;

	get count(): number {
		return this.rows.size - this.modified;
	}

	/** Another pass begins, or nobody needs them any more. */
	clear(): void {
		this.rows.clear();
		this.sets.clear();
		this.modified = 0;
	}

	/** A page of the pass: two rows of one set that stand on it are two. */
	came(rows: readonly Row[]): void {
		for (const row of rows) {
			if (!isSet(row.value)) continue;
			this.rows.add(rowPrint(row));
			this.sets.add(keyPrint(idKey(row.value.setId)));
		}
	}

	/** A newer row of the set came: another one, or the one that came before. */
	cameNewer(key: string): void {
		if (this.sets.size > 0 && this.sets.has(keyPrint(key))) this.modified++;
	}
}
