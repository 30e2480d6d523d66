import type { NodeTypeAndVersion } from 'n8n-workflow';

/** A field of attachments that is filled in, as the mail steps of n8n have it. */
const ATTACHES = /"\w*[aA]ttachments\w*":(?!""|\{\}|\[\]|null|false)/;

/** Of the steps, those that are on and attach files: mails. */
export const attaching = (steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] =>
	steps.filter(({ parameters, disabled }) => !disabled && ATTACHES.test(JSON.stringify(parameters ?? {})));

/** Mails that can carry files, when they send. */
const MAILS = /\.(emailSend|gmail|microsoftOutlook|mailgun|sendGrid)$/;
const SENDS = /^(undefined|send|reply|create)$/;

export const isMail = ({ type, parameters }: NodeTypeAndVersion): boolean =>
	MAILS.test(type) && SENDS.test(String(parameters?.operation));

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
