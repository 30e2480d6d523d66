import { shownStatus, shownText, type SetResult } from '../../../service/model/set';

/** What is worth knowing of a set beside each of its documents: a folder is named after it, and a mail. */
export function factsOfSet(set: SetResult) {
	return {
		parcelRef: shownText(set.parcelRef),
		shipmentRef: shownText(set.shipmentRef),
		status: shownStatus(set),
		vesselName: shownText(set.vesselName),
		billOfLadingDate: shownText(set.billOfLadingDate),
	};
}
