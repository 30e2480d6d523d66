import type { Ledger } from '../ledger';
import { attemptsAreKept } from './attempts';
import {
	aChannelIsConsumedOnce,
	deliveriesAreBounded,
	inFlightIsBounded,
	theLinkIsNotLostOverABody,
} from './broker';
import { Facts } from './facts';
import { nothingIsLeft, onlyPublishingIsRefused, onlyTheProvenAreServed, thereIsNoStorm } from './house';
import type { Violation } from './law';
import { nothingIsRunAnewByTheNextProcess, whatRunsComesToNoOther } from './lives';
import {
	nothingIsLost,
	onlyTheGuiltyEndInReports,
	reportsSayWhatIsTrue,
	whatTheQueueTakesIsTold,
	whoLeftIsToldOfWhatItHadBegun,
} from './loss';
import { nothingComesFromElsewhere, nothingIsLostInAMove } from './places';
import { neverMoreRunsThanAsked, nothingIsDoubled, onlyWhatIsAskedForRuns, orderIsKept } from './runs';
import { reportsTellNumberAndCause } from './told';
import {
	allIsHandledInTime,
	aWaitingWorkflowResumes,
	nobodyIsHeldUp,
	publishingAgainTriesAtOnce,
} from './time';

/** Every law, the gravest first. */
export const LAWS = {
	nothingIsLost,
	nothingIsLostInAMove,
	whatTheQueueTakesIsTold,
	whoLeftIsToldOfWhatItHadBegun,
	nothingComesFromElsewhere,
	onlyTheGuiltyEndInReports,
	reportsSayWhatIsTrue,
	reportsTellNumberAndCause,
	nothingIsDoubled,
	nothingIsRunAnewByTheNextProcess,
	whatRunsComesToNoOther,
	attemptsAreKept,
	orderIsKept,
	allIsHandledInTime,
	nobodyIsHeldUp,
	aWaitingWorkflowResumes,
	publishingAgainTriesAtOnce,
	theLinkIsNotLostOverABody,
	onlyTheProvenAreServed,
	deliveriesAreBounded,
	inFlightIsBounded,
	aChannelIsConsumedOnce,
	neverMoreRunsThanAsked,
	onlyWhatIsAskedForRuns,
	onlyPublishingIsRefused,
	thereIsNoStorm,
	nothingIsLeft,
};

/** What a history broke; nothing when all is well. */
export function violationsOf(ledger: Ledger): Violation[] {
	const facts = new Facts(ledger);
	return Object.values(LAWS).flatMap((law) => law(facts));
}
