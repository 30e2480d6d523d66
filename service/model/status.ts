/** The statuses of the interface's part 3, canonical, in the order of a set's life. More may come. */
export const KNOWN_STATUSES = ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD', 'TRANSFER_DRAFTED'] as const;

/** The filter value for every status that is not one of the known ones. */
export const OTHER_STATUS = 'OTHER';

/** True when a canonical status is among the chosen filter values; none chosen lets everything through. */
export function isChosenStatus(status: string, chosen: readonly string[]): boolean {
	if (chosen.length === 0 || chosen.includes(status)) return true;
	return chosen.includes(OTHER_STATUS) && !(KNOWN_STATUSES as readonly string[]).includes(status);
}
