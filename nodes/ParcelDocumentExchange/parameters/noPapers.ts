import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { attaching, isMail } from './attaching';
import { bringsFiles, mayMakeFiles, remedyWhereLost } from './handedOn';
import { KEEPING, OURS, givesFiles, parentsOf, quoted } from './stepKinds';

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

type Around = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>;
type Ways = Pick<Around, 'getParentNodes'>;

/**
 * Mails that attach files where no step in front of them gets any, in words: the one that did was taken out, stands behind
 * the mail or beside it, or lists the documents alone. n8n sends them without, green.
 */
export function noPapers(context: Around, mails = mailsAround(context)): string[] {
	return mails
		.filter((mail) => !mayGetFiles(context, mail))
		.map((mail) => {
			const inFront = context.getParentNodes(mail.name, { includeNodeParameters: true });
			const giving = inFront.find((step) => givesFiles(step) && !step.disabled);
			const isBehind = ({ name }: NodeTypeAndVersion) =>
				context.getParentNodes(name).some((step) => step.name === giving?.name);
			const last = inFront.find(
				(step) => givesNone(step) && !givesFiles(step) && !step.disabled && isBehind(step),
			);
			return giving && last
				? `The step ${quoted(last)} hands no files on, and ${quoted(mail)} would send its mail without them. Lead a line of its own from ${quoted(giving)} to ${quoted(mail)}.`
				: `The mail ${quoted(mail)} attaches files, and no step in front of it gets any: its mails would leave without papers. Put Document, Get All PDFs in front of it, or take the attachments out.`;
		});
}

/** Mails that attach files where all that could come to them are let go on the way, in words. */
export function papersLost(context: Around, mails = mailsAround(context)): string[] {
	return mails
		.filter((mail) => mayGetFiles(context, mail) && !mayGetFiles(context, mail, letsGo))
		.flatMap((mail) => {
			const inFront = context.getParentNodes(mail.name, { includeNodeParameters: true });
			const [step] = inFront.filter(letsGo);
			return step
				? [
						`The step ${quoted(step)} hands no files on, and ${quoted(mail)} would send its mail without them. ${remedyWhereLost(step)}, or attach the files before it.`,
					]
				: [];
		});
}

/** Whether a step lets the files go for certain: by how it is set, and not by code. */
const letsGo = (step: NodeTypeAndVersion) =>
	!step.disabled &&
	/\.(set|aggregate|splitOut|dateTime|wait)$/.test(step.type) &&
	remedyWhereLost(step) !== undefined;

/** Whether a mail may get files from a step that is on, where one in front of it is switched off. */
export const getsOthers = (context: Ways, mail: NodeTypeAndVersion): boolean =>
	comesFrom(context, mail, (step) => {
		if (givesFiles(step)) return step.disabled ? undefined : true;
		// What else is unknown, such as Code, would hand on what the one that is switched off gave.
		return mayMakeFiles(step) && !givesNone(step) ? true : undefined;
	});

const givesNone = ({ type, parameters }: NodeTypeAndVersion) =>
	OURS.test(type) ||
	NONE.test(type) ||
	ANSWERED.some(([kind, does]) => kind.test(type) && does.test(String(parameters?.operation)));

const mayGetFiles = (context: Ways, mail: NodeTypeAndVersion, isLost: typeof letsGo = () => false): boolean =>
	comesFrom(context, mail, (step) => {
		const { type, disabled } = step;
		// Of one that is switched off, its own words are told.
		if (givesFiles(step)) return true;
		if (bringsFiles(step, mail)) return true;
		if (isLost(step)) return false;
		if (disabled || KEEPING.test(type) || HANDING_ON.test(type)) return undefined;
		return !givesNone(step);
	});

/** @param hasFiles of a step in front; undefined where it has those that come to it */
function comesFrom(
	context: Ways,
	mail: NodeTypeAndVersion,
	hasFiles: (step: NodeTypeAndVersion) => boolean | undefined,
): boolean {
	const seen = new Set([mail.name]);
	const mayHaveFiles = (step: NodeTypeAndVersion): boolean => {
		if (seen.has(step.name)) return false;
		seen.add(step.name);
		return hasFiles(step) ?? parentsOf(context, step.name).some(mayHaveFiles);
	};
	return parentsOf(context, mail.name).some(mayHaveFiles);
}

/** Those that attach files, in front of a node or behind it, or behind what is in front. */
function mailsAround(context: Around): NodeTypeAndVersion[] {
	const own = context.getNode().name;
	const inFront = context.getParentNodes(own, { includeNodeParameters: true });
	const names = [own, ...inFront.map(({ name }) => name)];
	const around = new Map(
		[
			...inFront,
			...names.flatMap((name) => context.getChildNodes(name, { includeNodeParameters: true })),
		].map((step) => [step.name, step]),
	);
	return attaching([...around.values()]).filter(isMail);
}
