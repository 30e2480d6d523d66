import { randomUUID } from 'node:crypto';
import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { earlierIn, setsBefore, type Earlier } from '../../../service/changes/before';
import { Doubts } from '../../../service/changes/doubts';
import { Lately } from '../../../service/changes/lately';
import { look } from '../../../service/changes/look';
import { BEGINNING, leaveChanges, lookForOthers, type Progress } from '../../../service/changes/progress';
import { learnChange, type Change } from '../../../service/changes/seen';
import { keyPrint, SetMemory } from '../../../service/changes/setMemory';
import { askedIn, newest, storedIn, type Asked, type Stored } from '../../../service/changes/stored';
import { RunsOfProcess, withPending, type ToldRun } from '../../../service/changes/told';
import { messageOf, ServiceError } from '../../../service/errors';
import { canonicalJson } from '../../../service/model/canonicalJson';
import { shownStatus, type SetResult } from '../../../service/model/set';
import { isChosenStatus } from '../../../service/model/status';
import { pause, systemClock } from '../../../service/surroundings';
import { AsAsked } from '../search/asAsked';
import { comparesAnything, fitsHere } from '../search/comparedHere';
import { clientOf } from '../adapters/credentials';
import { maskedError, nodeError, nodeErrorInOneText } from '../adapters/errors';
import { outcomeOf } from '../adapters/outcome';
import { isPublishedByPerson } from '../adapters/publishedByPerson';
import { askedWith, looksForOthers, movedByItself, scopeOf } from './asked';
import { budgetMs, outOfTime } from './budget';
import { commitFirstLook, isFirstLook, refusesPublishing } from './firstLook';
import { setItem } from './item';
import { forgetFormerNames, keepNeighbours } from './neighbours';
import { Rest } from './rest';
import { readPollSettings, type PollSettings } from './settings';
import { Trouble } from './trouble';
import { waitingAfter, waitsInVain } from './waiting';
import { isLive, warnOfWritingBack } from './writesBack';

const SECOND = 1_000;
/** Sets that are remembered, in 1.5 MB of text: 100,000 take less than 1 MB. */
const MOST_SETS = 150_000;
/** Sets that one look starts runs for; the others follow with the next look. */
const MOST_CHANGES = 500;
/** The same where each has a run of its own: at least so many, and one for so much since the look before, as far as there is time. */
const MOST_RUNS = 20;
const RUN_EVERY_MS = 3 * SECOND;
const WIDTH = 4;
/** No page is asked for after so much of a look, … */
const READ_MS = 20 * SECOND;
/** … less in publishing, for which somebody waits, … */
const READ_WHILE_PUBLISHING_MS = 10 * SECOND;
/** … none is waited for after so much, so that there is time to hand out what the others showed, … */
const ANSWERED_MS = 28 * SECOND;
/** … and nothing goes on after so much of it: n8n gives up a look after 36 seconds, where it gives up at all. */
const LOOK_MS = 32 * SECOND;
/** The same as parts of what n8n gives, where it was told to give less. */
const ANSWERED_PART = 0.78;
const LOOK_PART = 0.89;
/** A look that has not ended after so much is given up. */
const GIVEN_UP_MS = 300 * SECOND;
/**
 * The run before is stored after this time, almost certainly. When it is not, a set starts a second run; with durable cursors
 * it is missed where n8n is killed before it says that it could not store it, and the one after it was stored.
 */
const STORED_MS = SECOND;
/** What runs of a first look come to, is waited for so long. */
const FIRST_RUNS_MS = 15 * SECOND;

/** What this process knows of a node that looks. */
interface Looking {
	name: string;
	workflow: string;
	runs: RunsOfProcess;
	/** Undefined after a look that was given up, which may go on reading, and remembers nothing. */
	lately?: Lately;
	trouble: Trouble;
	rest: Rest;
	/** What the look before asked for. */
	asked?: Asked;
	/** When the look before began, in milliseconds since 1970. */
	lookedAt?: number;
	/** When the look that is at work began, in milliseconds since 1970; undefined for none. */
	since?: number;
	/** What was remembered last, for when n8n stores none, after a look that started nothing; and the same unpacked. */
	latest?: Stored;
	memory?: SetMemory;
}

/** Nodes that looked in this process: by far more than there are workflows. */
const MOST_NODES = 10_000;
const looking = new Map<string, Looking>();
/** Sets whose memory is kept unpacked, of all nodes: 60 MB. The others' is unpacked when they look. */
const MOST_UNPACKED = 500_000;
/**
 * One look for changed sets, in production: hands n8n the runs, and remembers. Two looks never overlap: where one is
 * still at work, the next one is left out.
 *
 * @throws an error of n8n, which shows it as a failed execution: when something stays wrong, and then hourly
 */
export async function pollForChanges(
	context: IPollFunctions,
	isPublishing = isFirstLook(context),
): Promise<null> {
	const { id, name } = context.getNode();
	const workflow = String(context.getWorkflow().id);
	if (isPublishing) {
		warnOfWritingBack(context);
		const isThere = forgetFormerNames(context);
		for (const [key, each] of looking) {
			if (each.workflow === workflow && !isThere(each.name)) looking.delete(key);
		}
	}
	// A workflow that somebody put together by hand may hold an id twice.
	const here = lookingOf(id, name, workflow);
	const now = systemClock.now();
	// A look that n8n itself holds up, in handing out the credential for example, must not end all looking.
	if (here.since !== undefined && now < here.since + GIVEN_UP_MS) return null;
	if (here.since !== undefined) here.lately = undefined;
	here.since = now;
	try {
		await lookOnce(context, here, { isPublishing, isGivenUp: () => here.since !== now });
	} catch (error) {
		const mayTell = isPublishing ? refusesPublishing(context, error) : here.trouble.isToBeTold(error);
		// Of what refuses publishing, n8n shows the message alone.
		if (mayTell) throw (isPublishing ? nodeErrorInOneText : nodeError)(context.getNode(), error);
		context.logger.warn(`Parcel Document Exchange Poll Trigger: ${messageOf(error)}`);
	} finally {
		if (here.since === now) here.since = undefined;
	}
	return null;
}

async function lookOnce(
	context: IPollFunctions,
	here: Looking,
	{ isPublishing, isGivenUp }: { isPublishing: boolean; isGivenUp: () => boolean },
): Promise<void> {
	const settings = readPollSettings(context);
	const data = context.getWorkflowStaticData('node');
	const { scope, account } = await scopeOf(context, settings);
	// Who publishes has mended something, or wants to know.
	const reason = isPublishing ? undefined : here.rest.reason(account);
	if (reason !== undefined) throw reason;
	const asked = askedWith(context.getNode(), settings);
	const before = here.asked ?? askedIn(data);
	const isByPerson = isPublishing && isPublishedByPerson(context);
	const moved = isByPerson ? undefined : movedByItself(before, asked);
	const stored = newest(storedIn(data, scope), here.latest?.scope === scope ? here.latest : undefined);
	const remembered = takeMemory(here, stored);
	const earlier = stored ?? newest<Earlier>(earlierIn(data), here.latest);
	const setsOfBefore = earlier && memoryBefore(earlier, remembered !== undefined, settings);
	const memory = remembered ?? new SetMemory(MOST_SETS);
	// With other filters, what changed lately is still shown as before by a service that is behind.
	if (!remembered && !setsOfBefore) here.lately = new Lately();
	// Of another process, or the one before.
	else if (remembered && stored && (stored.at !== here.latest?.at || !here.lately)) {
		const now = systemClock.now();
		here.lately = Lately.of(stored.lately, Doubts.of(stored.doubted, now), now);
	}
	const progress: Progress = remembered && stored ? { ...stored.progress } : { ...BEGINNING };
	const isStoredBefore = isLive(data);
	let told: ToldRun[] = stored?.told ?? (setsOfBefore && earlier?.told) ?? [];
	// What this look commits, n8n has stored before a run that it is still storing: it may fail, and n8n end before it says so.
	if (!isStoredBefore) told = withPending(told, earlierIn(data)?.told ?? []);
	const untold = new Set<number>();
	const forgetLost = () => {
		const { open, lost, unknown } = here.runs.settle(told);
		for (const print of isStoredBefore ? [...lost, ...unknown] : lost) {
			memory.untell(print, progress.pass);
			setsOfBefore?.untell(print, progress.pass);
			untold.add(print);
		}
		told = open;
	};
	forgetLost();
	const lately = (here.lately ??= new Lately());
	// Which sets these filters ask for, only a reading of the list shows.
	if (looksForOthers(before, asked)) {
		lookForOthers(progress);
		lately.forgetOthers();
	}

	const client = await clientOf(context, 0, {
		timeoutSeconds: settings.timeoutSeconds,
		parallelDownloads: WIDTH,
		signal: AbortSignal.timeout(Math.min(ANSWERED_MS, budgetMs(context) * ANSWERED_PART)),
	});
	if (isGivenUp()) return;
	const began = systemClock.now();
	const readMs = isPublishing ? READ_WHILE_PUBLISHING_MS : READ_MS;
	const lookMs = Math.min(LOOK_MS, budgetMs(context) * LOOK_PART);
	const { compared, filters } = settings;
	const { style } = settings.paging;
	const narrower = client.narrower(filters, style);
	const sinceLastMs = began - (here.lookedAt ?? stored?.at ?? began);
	here.lookedAt = began;
	const looked = look(client.setPages(filters, style, { withoutXml: settings.simplify }), memory, progress, {
		pageSize: settings.paging.pageSize,
		mostChanges: mostChanges(settings, isPublishing ? 0 : sinceLastMs),
		width: WIDTH,
		sinceLastMs,
		until: began + Math.min(readMs, budgetMs(context) / 2),
		now: systemClock.now,
		lately,
		showMore: async (count, isKnown) => await narrower.showMore(count, isKnown),
		customerLeftOut: async (count, isKnown) => await narrower.customerLeftOut(count, isKnown),
		zone: settings.zone,
		wanted: (set) => isWanted(set, settings),
		...(comparesAnything(compared) && { among: (set) => fitsHere(set, compared, settings.zone) }),
		...{ since: settings.since, before: setsOfBefore },
	});
	const { changes, isFull, trouble } = await looked.then(
		({ trouble, ...seen }) => ({ ...seen, trouble: trouble && maskedError(tooSlow(trouble), client.masked) }),
		(error: unknown) => {
			const told = maskedError(tooSlow(error), client.masked);
			here.rest.after(told, account);
			throw told;
		},
	);
	here.rest.after(trouble, account);
	// Another look has told what this one saw, and remembers more.
	if (isGivenUp()) return;
	// When n8n starts, nobody hears of it: the next look says so.
	here.asked = isPublishing && moved ? before : asked;
	const isEdited = before !== undefined && before.typed !== asked.typed && before.sent !== asked.sent;
	if (!remembered && !moved && Object.keys(data).length > 0) sayThatItBeginsAnew(context, isEdited);

	const neighbours = [...looking.values()].filter(
		(each) => each !== here && each.workflow === here.workflow && each.name !== here.name,
	);
	let at = stored?.at ?? 0;
	let waiting = changes.length;
	const remember = () => {
		if (isStoredBefore) keepNeighbours(context, neighbours);
		// Killed here, n8n has not heard of the others, which may stand where a pass alone comes to; so may what was lost.
		const kept = { ...progress };
		if (waiting > 0 || untold.size > 0) leaveChanges(kept);
		const latest: Stored = {
			version: 5,
			scope,
			// Never before the one it follows, in this look too, however the clock was set.
			at: (at = Math.max(at + 1, Date.now())),
			sets: memory.packed(),
			progress: kept,
			asked: here.asked ?? asked,
			...{ since: settings.sinceTyped, before: setsOfBefore?.packed() },
			told: [...told],
			lately: lately.stored(systemClock.now()),
			doubted: lately.doubts.stored(systemClock.now()),
		};
		here.memory = memory;
		packAway();
		// What n8n has already, it need not store again.
		const isKept = stored !== undefined && data.at === stored.at && isSame(stored, latest);
		here.latest = isKept ? stored : latest;
		if (isKept) return;
		Object.assign(data, { ...latest, progress: { ...kept }, told: [...told] });
	};
	const waited = progress.waiting;
	const noteWaiting = () => {
		if (isPublishing) return;
		const isAnyLeft = isFull || waiting > 0;
		// Of more than a look gives, nobody has counted all.
		progress.waiting = isAnyLeft ? waitingAfter(waited, isFull ? 0 : waiting, began) : null;
	};
	noteWaiting();
	const ends: Promise<void>[] = [];
	const runs = settings.oneRunPerSet ? changes.map((change) => [change]) : [changes];
	for (const sets of runs.filter((each) => each.length > 0)) {
		if (ends.length > 0) await forAtMost(STORED_MS, ends.slice(-1));
		if (isGivenUp()) return;
		// What one run takes along holds nothing of those before it that were lost.
		forgetLost();
		if (systemClock.now() > began + lookMs) {
			remember();
			break;
		}
		const run = randomUUID();
		for (const change of sets) {
			learnChange(change, memory, lately, progress.pass, systemClock.now());
			untold.delete(keyPrint(change.key));
		}
		told = [...toldBefore(told, sets), { run, sets: sets.map(({ key }) => keyPrint(key)) }];
		waiting -= sets.length;
		// With each run: behind the last one, n8n may store nothing more of a look.
		noteWaiting();
		remember();
		const done = context.helpers.createDeferredPromise<IRun | undefined>();
		const isOver = isStored(outcomeOf(done.promise));
		here.runs.watch(run, isOver);
		context.__emit([itemsOf(sets, settings)], undefined, done);
		ends.push(isOver.catch(() => undefined));
	}
	// Each run took along what was remembered until then.
	if (ends.length === 0) remember();
	// At the end of publishing, n8n stores the live object once more, and then only with a run: what is not known to be told
	// by now would start a run after each restart.
	else if (isPublishing && isStoredBefore) {
		await forAtMost(FIRST_RUNS_MS, ends);
		if (isGivenUp()) return;
		forgetLost();
		remember();
	}
	if (isPublishing) await commitFirstLook(context);
	if (moved) throw moved;
	if (trouble) throw trouble;
	const started = changes.length - waiting;
	const { oneRunPerSet } = settings;
	const inVain = isPublishing
		? undefined
		: waitsInVain(waited, progress.waiting, { started, began, oneRunPerSet });
	if (inVain) throw inVain;
	// A page that could not be had is asked for again in the pass that catches up, not in each look.
	// Sets that still wait may be fewer for a look.
	if (lately.missing.size === 0) here.trouble.isOver(progress.waiting ? 'invalidInput' : undefined);
}

/** What a look a minute tells in a day, a look a day has to tell as well: else it never comes to what changed before. */
function mostChanges({ oneRunPerSet }: PollSettings, sinceLastMs: number): number {
	if (!oneRunPerSet) return MOST_CHANGES;
	return Math.min(MOST_CHANGES, Math.max(MOST_RUNS, Math.floor(sinceLastMs / RUN_EVERY_MS)));
}

function tooSlow(error: unknown): unknown {
	return outOfTime(
		error,
		'What it did show is passed on. If this stays, choose filters that match fewer sets, or a smaller Page Size in the options, and tell the service.',
	);
}

/**
 * Who publishes other filters has changed them a moment ago. A credential that somebody edited, this trigger alone knows of,
 * also where its workflow is published after that.
 */
function sayThatItBeginsAnew(context: IPollFunctions, isEdited: boolean): void {
	const remedy =
		'What it remembers of the sets is of another account, of other filters or of another version, or cannot be read. What changed since its last look starts a run only where Start With Sets Changed Since says so: look the others up in the service.';
	const error = new ServiceError('invalidInput', 'The poll trigger begins anew', { remedy });
	const [node, workflow] = [context.getNode(), context.getWorkflow()].map(({ name }) => JSON.stringify(name));
	context.logger.warn(`${node} of the workflow ${workflow}: ${error.message}. ${remedy}`);
	if (!isEdited) context.__emitError(nodeError(context.getNode(), error));
}

/** What is stored, unpacked: that of the look before, where it is the same. Whoever takes it may change it. */
function takeMemory(here: Looking, stored: Stored | undefined): SetMemory | undefined {
	const { memory } = here;
	here.memory = undefined;
	const isSameText = stored !== undefined && stored.sets === here.latest?.sets;
	return isSameText && memory ? memory : SetMemory.unpacked(stored?.sets, MOST_SETS);
}

/** What was looked at with other filters, as long as the time to begin with is the same. */
function memoryBefore(
	earlier: Earlier,
	isOfSameFilters: boolean,
	settings: PollSettings,
): SetMemory | undefined {
	const { since, sinceTyped } = settings;
	if (since === undefined || earlier.since !== sinceTyped) return undefined;
	return isOfSameFilters
		? SetMemory.unpacked(earlier.before, MOST_SETS)
		: setsBefore(earlier, since, Date.now());
}

/** Runs that are open, without sets that another run is for by now: when one of them turns out to be lost, these are told. */
function toldBefore(told: readonly ToldRun[], changes: readonly Change[]): ToldRun[] {
	const again = new Set(changes.map(({ key }) => keyPrint(key)));
	return told
		.map((each) => ({ ...each, sets: each.sets.filter((print) => !again.has(print)) }))
		.filter(({ sets }) => sets.length > 0);
}

function packAway(): void {
	let count = 0;
	for (const each of [...looking.values()].reverse()) {
		count += each.memory?.size ?? 0;
		if (count > MOST_UNPACKED) each.memory = undefined;
	}
}

function isSame(one: Stored, other: Stored): boolean {
	const rest = ({ progress, asked, told, since, before, doubted }: Stored) =>
		canonicalJson([
			progress,
			asked ?? null,
			told,
			since ?? null,
			before ?? null,
			doubted.map(([print, , passes]) => [print, passes]),
		]);
	return one.sets === other.sets && rest(one) === rest(other);
}

/** Waits until all have ended, or so many milliseconds. */
async function forAtMost(limitMs: number, ends: readonly Promise<void>[]): Promise<void> {
	const over = new AbortController();
	await Promise.race([Promise.all(ends), pause(systemClock, limitMs, over.signal)]);
	over.abort();
}

/** Rejects where n8n could not store the run. */
async function isStored(ended: ReturnType<typeof outcomeOf>): Promise<void> {
	const outcome = await ended;
	if (outcome.kind === 'notStarted') throw new Error(outcome.reason);
}

function itemsOf(changes: readonly Change[], settings: PollSettings): INodeExecutionData[] {
	return changes.map(({ set }) => setItem(set, settings));
}

/** Whether a run is started for the set. A service may give others than it was asked for. */
export function isWanted(set: SetResult, { statuses, filters, compared, zone }: PollSettings): boolean {
	const fits = isChosenStatus(shownStatus(set) ?? '', statuses) && fitsHere(set, compared, zone);
	return fits && new AsAsked(filters).fits(set);
}

function lookingOf(id: string, name: string, workflow: string): Looking {
	const key = JSON.stringify([workflow, id, name]);
	const here = looking.get(key) ?? {
		...{ name, workflow, runs: new RunsOfProcess() },
		...{ trouble: new Trouble(), rest: new Rest() },
	};
	looking.delete(key);
	looking.set(key, here);
	for (const old of [...looking.keys()].slice(0, -MOST_NODES)) looking.delete(old);
	return here;
}
