import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const sameSecond = 'Fri Nov 20 09:48:18 UTC 2026';
/** Events that differ only in fields that one might overlook. */
const lookAlikes = (
	changes: (number: number) => Record<string, unknown>,
	set?: (number: number) => number,
) => {
	const plans = events(3, (number) => ({ set: set?.(number) ?? 1, changes: changes(number) }));
	return history({ events: plans, steps: sent(plans, 0) });
};
const arrays = events(60, () => ({ odd: 'array' }));
const amongGood = (odd: string) => {
	const plans = events(5, (number) => (number === 3 ? { odd } : {}));
	return history({ events: plans, steps: sent(plans, 0) });
};
const poison = events(1, () => ({ poison: true }));
const dropped = events(2, (number) => ({ status: number === 1 ? 'DRAFTED' : 'SIGNED' }));

/** What a message holds, and what becomes of it. */
export const messages: Record<string, Example> = {
	alikeButForTheText: {
		story: 'Three events of one set within a second, with different texts',
		law: 'nothingIsLost',
		history: lookAlikes(() => ({ updatedDate: sameSecond })),
	},
	alikeWithoutASet: {
		story: 'Three events of three parcels without a set id',
		law: 'nothingIsLost',
		history: lookAlikes((number) => ({
			updatedDate: sameSecond,
			setId: undefined,
			transactionId: undefined,
			parcelReference: `PRC-${number}`,
		})),
	},
	alikeWithoutADate: {
		story: 'Three events without a date, of one set',
		law: 'nothingIsLost',
		history: lookAlikes(() => ({ updatedDate: undefined })),
	},
	alikeWithNumbersForIds: {
		story: 'Three events whose ids are numbers',
		law: 'nothingIsLost',
		history: lookAlikes(
			(number) => ({ updatedDate: sameSecond, setId: number, customerId: number, transactionId: number }),
			(number) => number,
		),
	},
	alikeButForTheCompany: {
		story: 'Three events of one second by people of three companies',
		law: 'nothingIsLost',
		history: lookAlikes((number) => ({ updatedDate: sameSecond, actorCompany: `Company ${number}` })),
	},
	prototypeInABody: {
		story: 'One message holds a field "__proto__" with a number in it',
		law: 'theLinkIsNotLostOverABody',
		history: amongGood('protoAction'),
	},
	prototypeOfASet: {
		story: 'One message holds a field "__proto__" with an object for a set id in it',
		law: 'theLinkIsNotLostOverABody',
		history: amongGood('protoSetId'),
	},
	floodOfUnreadableOnes: {
		story: 'The sender begins to send arrays',
		law: 'thereIsNoStorm',
		history: history({ events: arrays, steps: sent(arrays, 0) }),
	},
	deadLettersReturn: {
		story: 'What is rejected comes back to the same queue',
		law: 'deliveriesAreBounded',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, deadLettersReturn: true },
			workflows: [{ options: { attempts: 1 } }],
			events: poison,
			steps: sent(poison, 0),
		}),
	},
	narrowerFilter: {
		story: 'A workflow is published again and asks for less, while an event of the dropped status is at rest',
		law: 'onlyWhatIsAskedForRuns',
		history: history({
			workflows: [{}, { statuses: ['ISSUED'] }],
			events: dropped,
			steps: [
				{ at: 0, do: 'runsEnd', workflow: 'A', how: 'fails', count: 2 },
				...sent(dropped, 0),
				{ at: 8 * SECOND, do: 'republish', workflow: 'A', gapMs: 200, statuses: ['SIGNED'] },
			],
		}),
	},
};
