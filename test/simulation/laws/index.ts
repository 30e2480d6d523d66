import { USUAL_HOST } from '../history/history';
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
import { whoReturnsInTimeLosesNothing } from './returns';
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
	whoReturnsInTimeLosesNothing,
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

/** They need what was learned of one place: under another host all of it is learned anew, as after a new start. */
const OF_ONE_HOST: readonly unknown[] = [
	whatTheQueueTakesIsTold,
	attemptsAreKept,
	thereIsNoStorm,
	theLinkIsNotLostOverABody,
];

/** What a history broke; nothing when all is well. */
export function violationsOf(ledger: Ledger): Violation[] {
	const facts = new Facts(ledger);
	const isMoved = ledger.credentials.some(({ host = USUAL_HOST }) => host !== USUAL_HOST);
	const laws = Object.values(LAWS).filter((law) => !isMoved || !OF_ONE_HOST.includes(law));
	return laws.flatMap((law) => law(facts));
}
