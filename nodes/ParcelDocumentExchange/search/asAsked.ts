import type { SetFilters } from '../../../service/api/client';
import { chosenFilters, wordOn, type Filter } from '../../../service/api/contradiction';
import { folded } from '../../../service/model/folded';
import { shownText, type SetRow } from '../../../service/model/set';
import { filterLabel } from '../parameters/filters';
import type { Unseen } from './goneBy';

/** The one status of the interface's example (2.4): what it takes in shows on no set, and each item carries its status. */
const ACTIVE = 'ACTIVE';

/**
 * Compares what came with what the service was asked for, and says afterwards what it saw: a filter that a service does
 * not go by would give other sets, and nobody would know.
 */
export class AsAsked {
	private readonly filters: Filter[];
	private readonly leftOut = new Map<Filter, number>();
	private readonly silent = new Map<Filter, number>();
	/** Of the other filters: how many sets carry something else, or nothing, under that name. */
	private readonly differing = new Map<string, number>();
	private readonly missing = new Map<string, number>();
	private given = 0;

	constructor(private readonly asked: SetFilters) {
		this.filters = chosenFilters(asked);
	}

	/** Whether the set is one that was asked for, as far as it says. */
	fits(set: SetRow): boolean {
		const words = this.filters.map((filter) => [filter, wordOn(filter, this.asked, set)] as const);
		const contradicted = words.find(([, word]) => word === 'contradicts')?.[0];
		if (contradicted) {
			count(this.leftOut, contradicted);
			return false;
		}
		this.given++;
		for (const [filter, word] of words) if (word === 'silent') count(this.silent, filter);
		this.compareOthers(set);
		return true;
	}

	/** The filters of which the sets that passed do not tell whether they match. */
	get unseen(): Unseen {
		const named = [...this.silent.keys()].filter((filter) => !this.isNoDoubt(filter));
		return {
			names: [...named, ...this.missing.keys()],
			without: (name) => {
				if (!this.missing.has(name)) return { ...this.asked, [name]: undefined };
				const others = Object.entries(this.asked.otherFilters ?? {}).filter(([other]) => other !== name);
				return { ...this.asked, otherFilters: Object.fromEntries(others) };
			},
		};
	}

	/**
	 * What a person should know of it, one sentence each.
	 *
	 * @param changingNothing those of the unseen filters that make no difference
	 */
	sentences(changingNothing: readonly string[]): string[] {
		const quoted = changingNothing.map((name) => `"${this.missing.has(name) ? name : filterLabel(name)}"`);
		return [
			...[...this.leftOut].map(
				([filter, sets]) =>
					`The service also gave ${numbered(sets)} with another value than "${filterLabel(filter)}" asks for. Left out here.`,
			),
			...[...this.differing].map(
				([name, sets]) =>
					`${numbered(sets)} of ${this.given} ${sets === 1 ? 'has' : 'have'} another ${name} than ${filterLabel('otherFilters')} asks for. Check whether the service knows that filter.`,
			),
			...(quoted.length > 0
				? [
						`Whether the service went by ${quoted.join(' and ')} cannot be seen: its sets do not tell, and it counts as many without.`,
					]
				: []),
		];
	}

	private isNoDoubt(filter: Filter): boolean {
		return filter === 'status' && this.asked.status === ACTIVE;
	}

	private compareOthers(set: SetRow): void {
		for (const [name, value] of Object.entries(this.asked.otherFilters ?? {})) {
			const [asked, carried] = [shownText(value), shownText(set[name])];
			if (carried === null || asked === null) count(this.missing, name);
			else if (folded(asked) !== folded(carried)) count(this.differing, name);
		}
	}
}

function count<K>(numbers: Map<K, number>, key: K): void {
	numbers.set(key, (numbers.get(key) ?? 0) + 1);
}

function numbered(sets: number): string {
	return sets === 1 ? '1 set' : `${sets} sets`;
}
