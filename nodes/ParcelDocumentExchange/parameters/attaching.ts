import type { NodeTypeAndVersion } from 'n8n-workflow';
import { isObject } from './shape';
import { KEEPING } from './stepKinds';
import { textsIn } from './typedInto';

/** A field of attachments that is filled in, as the mail steps of n8n have it. */
const ATTACHES = /"\w*[aA]ttachments\w*":(?!""|\{\}|\[\]|null|false)/;

/** Of the steps, those that are on and attach files: mails. */
export const attaching = (steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] =>
	steps.filter(({ parameters, disabled }) => !disabled && ATTACHES.test(JSON.stringify(parameters ?? {})));

/** What stands in a step's fields of attachments. */
export function attachmentsOf(parameters: unknown): string[] {
	if (!isObject(parameters) && !Array.isArray(parameters)) return [];
	return Object.entries(parameters).flatMap(([name, value]) =>
		/attachments/i.test(name) ? textsIn(value) : attachmentsOf(value),
	);
}

/** Mails that can carry files, when they send. */
const MAILS = /\.(emailSend|gmail|microsoftOutlook|mailgun|sendGrid)$/;
const SENDS = /^(undefined|send|reply|create)$/;

export const isMail = ({ type, parameters }: NodeTypeAndVersion): boolean =>
	MAILS.test(type) && SENDS.test(String(parameters?.operation));

/**
 * Of the steps behind one that gives files, the mails, where they attach nothing and nothing else takes the files either. A
 * mail of words beside a drive, or beside a mail that attaches, is meant.
 */
export function attachingNone(steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] {
	const on = steps.filter(({ disabled }) => !disabled);
	const takesNone = (step: NodeTypeAndVersion) =>
		isMail(step) || KEEPING.test(step.type) || /\.set$/.test(step.type);
	return attaching(on).length === 0 && on.every(takesNone) ? on.filter(isMail) : [];
}

/** Steps that send files to people, though no mail: each with what stands in it when it does. */
const MESSAGES: ReadonlyArray<[RegExp, RegExp]> = [
	[/\.telegram$/, /"binaryData":true/],
	[/\.slack$/, /"resource":"file"/],
	[/\.discord$/, /"files":\{/],
	[/\.whatsApp$/, /"useMedian8n"/],
	[/\.matrix$/, /"resource":"media"/],
	[/\.httpRequest$/, /"(contentType":"binaryData|parameterType":"formBinaryData)"/],
];

/** Of the steps, those that are on and send files by a chat, or to another service. */
export const messaging = (steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] =>
	steps.filter(({ type, parameters, disabled }) => {
		const how = JSON.stringify(parameters ?? {});
		return !disabled && MESSAGES.some(([name, sends]) => name.test(type) && sends.test(how));
	});
