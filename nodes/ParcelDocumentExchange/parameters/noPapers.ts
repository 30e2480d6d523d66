import { attaching, attachmentsOf, isMail } from './attaching';
import {
	bringsFiles,
	mayMakeFiles,
	OWN_LINE,
	remedyWhereLost,
	returnsNewItems,
	handsNoFilesOn,
} from './handedOn';
import { ACTION, givesFiles, KEEPING, OURS, quoted, type Step } from './stepKinds';
import { anyWay, behindOf, inFrontOf, leadsTo, type Around, type InFront } from './ways';

/** Steps of which no item has a file, whatever came to them. */
const NONE =
	/\.(manualTrigger|scheduleTrigger|cron|interval|errorTrigger|rabbitmqTrigger|summarize|googleSheets|dataTable|postgres|mySql|emailSend)$/;

/** Steps that hand on what a drive, or a chat, answers: each with what it does then. */
const ANSWERED: ReadonlyArray<[RegExp, RegExp]> = [
	[
		/\.(googleDrive|googleCloudStorage|microsoftOneDrive|microsoftSharePoint|awsS3|s3|dropbox|nextCloud|box|azureStorage)$/,
		/^(upload|create)$/,
	],
	[
		/\.(gmail|microsoftOutlook|slack|telegram|discord|microsoftTeams|mattermost|rocketchat|googleChat|whatsApp|twilio)$/,
		/^(post|postMessage|update|upload|reply|create|send\w*)$/,
	],
];

/** Steps that give files only where some came to them. */
const HANDING_ON = /\.(set|merge|aggregate|splitOut|dateTime)$/;

/**
 * Mails that attach files where no step in front of them gets any, in words: the one that did was taken out, stands behind
 * the mail or beside it, or lists the documents alone. n8n sends them without, green.
 */
export function noPapers(context: Around, mails = mailsAround(context)): string[] {
	return mails
		.filter((mail) => !mayGetFiles(context, mail))
		.map((mail) => {
			const inFront = inFrontOf(context, mail.name);
			const giving = inFront.find((step) => givesFiles(step) && !step.disabled);
			const isBehind = ({ name }: Step) => giving !== undefined && leadsTo(context, giving.name, name);
			const last = inFront.find(
				(step) => givesNone(step) && !givesFiles(step) && !step.disabled && isBehind(step),
			);
			return giving && last
				? `${handsNoFilesOn(last, mail)} Lead a line of its own from ${quoted(giving)} to ${quoted(mail)}.`
				: `The mail ${quoted(mail)} attaches files, and no step in front of it gets any: its mails would leave without papers. Put Document, Get All PDFs in front of it, or take the attachments out.`;
		});
}

/** Mails that attach files where all that could come to them are let go on the way, in words. */
export function papersLost(context: Around, mails = mailsAround(context)): string[] {
	const givingTo = ({ name }: Step) =>
		inFrontOf(context, name).find((one) => givesFiles(one) && !one.disabled);
	const isLost = (step: Step, mail: Step) =>
		letsGo(step, mail) && (BY_SETTING.test(step.type) || givingTo(step) !== undefined);
	return mails
		.filter((mail) => mayGetFiles(context, mail) && !mayGetFiles(context, mail, isLost))
		.flatMap((mail) => {
			const inFront = inFrontOf(context, mail.name);
			const step = inFront.find((one) => isLost(one, mail));
			if (!step) return [];
			const giving = givingTo(step);
			const remedy = remedyWhereLost(step);
			const keeps =
				giving && remedy === OWN_LINE
					? `Put ${quoted(step)} in front of ${quoted(giving)}, or lead a line of its own from ${quoted(giving)} to ${quoted(mail)}.`
					: `${remedy}, or attach the files before it.`;
			return [`${handsNoFilesOn(step, mail)} ${keeps}`];
		});
}

/** Steps that may bring a file of their own, though never the list of a set's papers. */
const BRINGING = /\.(httpRequest|form)$/;

/** Whether a step lets the files that come to it go for certain. */
const letsGo = (step: Step, mail: Step) =>
	!step.disabled &&
	!ACTION.test(step.type) &&
	remedyWhereLost(step) !== undefined &&
	(!CODE.test(step.type) || returnsNewItems(step)) &&
	(!BRINGING.test(step.type) || attachmentsOf(mail.parameters).every(isListOfSet));

/** Steps of which it is known whatever came to them; of others, where papers came. */
const BY_SETTING = /\.(set|aggregate|splitOut|dateTime|wait)$/;

const CODE = /\.(code|function|aiTransform)$/;

const isListOfSet = (text: string) => /\bjson\b.*\battachments\b/.test(text);

/** Whether a mail may get files from a step that is on, where one in front of it is switched off. */
export const getsOthers = (context: InFront, mail: Step): boolean =>
	anyWay(context, mail, (step) => {
		if (givesFiles(step)) return step.disabled ? undefined : true;
		// What else is unknown, such as Code, would hand on what the one that is switched off gave.
		return mayMakeFiles(step) && !givesNone(step) && step.name !== mail.name ? true : undefined;
	});

const givesNone = ({ type, parameters }: Step) =>
	OURS.test(type) ||
	NONE.test(type) ||
	ANSWERED.some(([kind, does]) => kind.test(type) && does.test(String(parameters?.operation)));

const mayGetFiles = (context: InFront, mail: Step, isLost: typeof letsGo = () => false): boolean =>
	anyWay(context, mail, (step) => {
		const { name, type, disabled } = step;
		if (name === mail.name) return false;
		// Of one that is switched off, its own words are told.
		if (givesFiles(step)) return true;
		if (bringsFiles(step, mail)) return true;
		if (isLost(step, mail)) return false;
		if (disabled || KEEPING.test(type) || HANDING_ON.test(type)) return undefined;
		return !givesNone(step);
	});

/** Those that attach files, in front of a node or behind it, or behind what is in front. */
function mailsAround(context: Around): Step[] {
	const own = context.getNode().name;
	const inFront = inFrontOf(context, own);
	const names = [own, ...inFront.map(({ name }) => name)];
	const around = [...inFront, ...names.flatMap((name) => behindOf(context, name))];
	return attaching([...new Map(around.map((step) => [step.name, step])).values()]).filter(isMail);
}
