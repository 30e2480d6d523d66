/**
 * What the laws hold the trigger to, from the description of the life of an event in the project's design. One place, so
 * that a promise that changes changes here.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A waiting workflow is probed at least so often; where the broker counts deliveries, more seldom. */
export const PROBED_EVERY_MS = 10 * MINUTE;
export const PROBED_EVERY_COUNTED_MS = 2 * HOUR;
/** What came back so often may be dropped soon, and is tried at marks of 12 hours, in the end of 24, no sooner than half of that after a try. */
export const PROBED_RARELY_FROM = 15;
export const PROBED_RARELY_MS = 36 * HOUR;

/** Published again, a waiting workflow tries within this: it is let in, and what it is to choose from is gathered. */
export const TRIED_AT_ONCE_MS = 30 * SECOND;
/** Frames one after another, until a connection stands, and its first channel is followed by a larger one. */
export const OPENED_IN_FRAMES = 10;

/** After the last fault everything is handled within this, and the time its own work takes. */
export const HANDLED_WITHIN_MS = 4 * HOUR;

/** Everything was closed so long ago that nothing may be left. */
export const CLOSING_MS = 40 * MINUTE;

/** A workflow that is well waits so long at most for another one, or after something that all share was ill. */
export const WELL_HELD_UP_MS = 2 * MINUTE;
/** Events that fail for ever hold up the others of their own workflow so long at most. */
export const HELD_UP_BY_POISON_MS = 40 * MINUTE;
/** From the end of an outage of the broker to listening again. */
export const LISTENING_AGAIN_MS = 90 * SECOND;

/** Whoever could not be let in is let in so soon after its cause is gone. */
export const ADMITTED_AGAIN_MS = 60 * SECOND;

/** Who left may return for so long, and what it asks for is kept. */
export const RETURNS_WITHIN_MS = 3 * MINUTE;

/** Nobody is there for so long: another process may have led meanwhile. */
export const LED_ELSEWHERE_MS = SECOND;

/** While n8n starts, what was handled waits so long for the next workflow, counted from the one before. */
export const HANDLED_WAITS_MS = 40 * SECOND;

/** Shares that ended are gathered so long into one report. */
export const TOLD_AFTER_MS = 2 * MINUTE;

/** An absent workflow's share is kept so long, and up to so many events, of so many bytes. */
export const KEPT_FOR_ABSENT_MS = 20 * MINUTE;
export const OWED_AT_MOST = 200;
export const OWED_BYTES = 16 * 1024 * 1024;
/** Deliveries of an owed event beside well workflows. */
export const OWED_DELIVERIES = 15;

/** A run that was not refused for so long has begun. */
export const TAKEN_AFTER_MS = MINUTE;

/** A run has no word for so long, from the delivery of its event: its result is unknown. */
export const UNKNOWN_AFTER_MS = 25 * MINUTE;
/** The oldest unsettled message goes back to the queue at this age, or a little later. */
export const GIVEN_BACK_AFTER_MS = 20 * MINUTE;
/** So much later at most. */
export const GIVEN_BACK_LATER_MS = MINUTE;
/** RabbitMQ by itself takes back what is out for so long. */
export const TAKEN_BACK_BY_DEFAULT_MS = 30 * MINUTE;
/** Deliveries of a message beyond one for each return that the history made. */
export const SPARE_DELIVERIES = 3;
/** What came back so often is left on the queue until it can run. */
export const SPARED_FROM = 5;
/** Returns that a broker's limit leaves to the trigger itself: an outage of a day costs no event at this limit. */
export const LIMIT_OF_A_DAY = 17;

/** From a decision to its report, where n8n's database or store of secrets does not answer. */
export const REPORTED_WITHIN_MS = 2 * SECOND;

/** What went back and did not come again is told no sooner after the time before. */
export const MISSING_EVERY_MS = 20 * MINUTE;

/** A line on which a frame travels for so long. */
export const SLOW_LINE_MS = SECOND;

/** A credential that n8n does not hand out keeps those beside it waiting for so long, when a connection is to be opened. */
export const CREDENTIAL_READ_MS = 20 * SECOND;

/** Reports on unreadable messages in an hour, before they are told of once a minute. */
export const UNREADABLE_REPORTS = 20;
/** Reports beyond one for each event that the history made guilty, in any hour and for each workflow. */
export const SPARE_REPORTS_PER_HOUR = 4;
/** Log lines above info in any hour, beyond a few for each event and each fault. */
export const SPARE_WARNINGS_PER_HOUR = 40;

/** Tries to connect of a process in a minute, and further ones for each workflow, which may have an account of its own. */
export const CONNECTS_PER_MINUTE = 20;
export const CONNECTS_OF_EACH = 5;

/** How long after it was handled an event is known, and for how many newer ones. */
export const REMEMBERED_MS = 24 * HOUR;
export const REMEMBERED = 10_000;

/** Events that a waiting workflow chooses its tries from. */
export const LOOKED_THROUGH = 1_000;
/** The prefetch grows to so many times its first size, by what rests and is owed. */
const GROWTH = 16;

/** Messages delivered for one that has nothing to run, beside what a slow one holds. */
export const HELD_BESIDE = 10_000;
/** Further steps of growth to there: each costs what comes along a delivery, and is taken where none is counted. */
export const GROWTHS_BESIDE = 3;
/** Bytes in flight; and the part of them beside which a body that is long gone may be counted as if it came again. */
export const BYTES_IN_FLIGHT = 64 * 1024 * 1024;
export const SPARE_ROOM = 4;

/** Messages in flight for so many runs, beside those that are owed to whoever is away. */
export const inFlightAtMost = (demand: number, owed: number): number =>
	GROWTH * Math.min(2 * demand + 20, 12 * demand) + owed;
