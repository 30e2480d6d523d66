import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTexts } from '../support/errorTexts';

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'troubleshooting.md'), 'utf8');

/** Never shown: what they are about is over, or a session reads them and connects again. */
const UNSEEN = [
	'The run was stopped.',
	'Every subscriber left',
	'The session was closed',
	'The channel to the message queue was closed',
	'The message queue ended the subscription',
	'The PDF was not read to its end.',
];

const all = errorTexts();
const shown = all.filter(({ text }) => !UNSEEN.includes(text));

/** What the page quotes in front of a remedy, in the pieces between what differs. */
const quoted = PAGE.split('\n')
	.filter((line) => line.startsWith('|'))
	.flatMap((row) =>
		[...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => pieces(text)),
	)
	.filter((parts) => parts.length > 0);

function pieces(text: string): string[] {
	return text
		.split('…')
		.map((piece) => piece.replace(/^[\s,.:]+|[\s,.:]+$/g, ''))
		.filter((piece) => piece !== '');
}

it('the table of errors is read from the code itself', () => expect(shown.length).toBeGreaterThan(80));

it('what is never shown is still made', () => {
	const made = new Set(all.map(({ text }) => text));
	expect(UNSEEN.filter((text) => !made.has(text))).toEqual([]);
});

it.each(shown.map(({ text, at }) => [text, at]))('"%s" is on the page of troubleshooting (%s)', (text) => {
	const isQuoted = quoted.some((parts) => parts.every((part) => text.includes(part)));
	expect(isQuoted ? [] : [`docs/troubleshooting.md needs a row that begins with \`${text}\``]).toEqual([]);
});

it.each(shown)('"$text" comes with what to do ($at)', ({ text, remedy }) => {
	expect(/\p{L}|…/u.test(remedy ?? '') ? [] : [`"${text}" needs a remedy where it is made`]).toEqual([]);
});
