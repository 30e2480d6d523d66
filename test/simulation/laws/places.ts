import { placeOf } from '../history/history';
import { passes, type Facts } from './facts';
import type { Violation } from './law';

/** Nothing of a queue of the same name elsewhere is run or shown: only where the broker let the workflow in, in this process. */
export function nothingComesFromElsewhere(facts: Facts): Violation[] {
	const law = 'nothingComesFromElsewhere';
	const ran = facts.ledger.runs.map((run) => ({ ...run, did: 'ran', at: run.handedAt }));
	const shown = facts.ledger.reports.map((report) => ({ ...report, did: 'was shown' }));
	for (const { did, workflow, life, events, at } of [...ran, ...shown]) {
		const event = events.find((each) => !facts.wasProven(workflow, life, at, facts.placeOf(each)));
		if (event === undefined) continue;
		const says = `Workflow ${workflow} ${did} event ${event} of virtual host ${facts.placeOf(event)}, where it was never let in`;
		return [{ law, says, event, workflow, at }];
	}
	return [];
}

/** What is off a queue that one workflow alone ever read was run for it, or is written down, wherever it reads by now. */
export function nothingIsLostInAMove(facts: Facts): Violation[] {
	const { credentials, messages, wishes } = facts.ledger;
	for (const { event, fate } of messages) {
		if ((fate !== 'removed' && fate !== 'rejected') || facts.isUnreadable(event)) continue;
		const place = facts.placeOf(event);
		const readers = new Set(
			credentials.filter((each) => placeOf(each) === place).map(({ workflow }) => workflow),
		);
		const [workflow] = readers;
		if (workflow === undefined || readers.size > 1 || facts.isOnTheQueue(event)) continue;
		const own = wishes.filter((wish) => wish.workflow === workflow);
		if (!own.every(({ published, statuses }) => published && passes(facts.statusOf(event), statuses)))
			continue;
		if (facts.isHandled(workflow, event) || facts.isWrittenDown(workflow, event)) continue;
		const says = `Event ${event} is off the queue at ${place}, which workflow ${workflow} alone ever read: it was not run, and nothing says so`;
		return [{ law: 'nothingIsLostInAMove', says, event, workflow }];
	}
	return [];
}
