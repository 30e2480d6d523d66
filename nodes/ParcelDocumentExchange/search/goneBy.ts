import type { Client, PagingStyle, SetFilters } from '../../../service/api/client';
import { pageOrFailure } from '../../../service/api/question';
import { isServiceError } from '../../../service/errors';

/** Filters of which the sets do not tell whether they match. */
export interface Unseen {
	names: readonly string[];
	/** All filters but that one. */
	without(name: string): SetFilters;
}

/**
 * Those of the filters that change nothing: the service counts as many sets without them. It may not go by them, or all
 * sets may match. Takes a search of one row for each filter, and one with all, side by side; one that fails tells nothing.
 */
export async function changingNothing(
	client: Client,
	filters: SetFilters,
	style: PagingStyle,
	{ names, without }: Unseen,
): Promise<string[]> {
	if (names.length === 0) return [];
	const total = async (asked: SetFilters): Promise<number | undefined> => {
		const page = await pageOrFailure(client.setPages(asked, style)(0, 1));
		return isServiceError(page) ? undefined : page.total;
	};
	const [withAll, ...withoutEach] = await Promise.all([
		total(filters),
		...names.map((name) => total(without(name))),
	]);
	return names.filter((_, index) => !(Number(withoutEach[index]) > Number(withAll)));
}
