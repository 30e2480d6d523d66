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
