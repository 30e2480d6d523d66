import type { NodeTypeAndVersion } from 'n8n-workflow';

/** A field of attachments that is filled in, as the mail steps of n8n have it. */
const ATTACHES = /"\w*[aA]ttachments\w*":(?!""|\{\}|\[\]|null|false)/;

/** Of the steps, those that are on and attach files: mails. */
export const attaching = (steps: readonly NodeTypeAndVersion[]): NodeTypeAndVersion[] =>
	steps.filter(({ parameters, disabled }) => !disabled && ATTACHES.test(JSON.stringify(parameters ?? {})));
