import { connect } from 'node:net';
import { startMail, type Mail, type Message } from '../../sandbox/mail';
import { talk } from './talk';

let mail: Mail;
beforeEach(async () => {
	mail = await startMail({ keep: 3 });
});
afterEach(() => mail.close());

const envelope = ['EHLO desk', 'MAIL FROM:<n8n@example.com>', 'RCPT TO:<buyer@example.com>'];
const plain = (subject: string) => `Subject: ${subject}\r\n\r\nThe copy.\r\n.`;
const send = (subject: string, port = mail.port) => talk(port, [...envelope, 'DATA', plain(subject)]);

const pdf = Buffer.from('%PDF-1.7\n\xff%%EOF', 'latin1');
const withAttachments = [
	'From: Documents <documents@example.com>',
	'To: buyer@example.com',
	'Subject: =?utf-8?Q?Signed_f=C3=BCr_G=C3=B6teborg?=',
	'Content-Type: multipart/mixed; boundary=cut',
	'',
	'--cut',
	'Content-Type: text/plain; charset=utf-8',
	'Content-Transfer-Encoding: 8bit',
	'',
	'Zwei Dokumente für Sie.',
	'--cut',
	'Content-Type: application/pdf',
	"Content-Disposition: attachment; filename*=utf-8''Konnossement%20f%C3%BCr%20Sie.pdf",
	'Content-Transfer-Encoding: base64',
	'',
	pdf.toString('base64'),
	'--cut',
	'Content-Type: text/csv',
	'Content-Disposition: attachment',
	'',
	'a,b',
	'--cut--',
	'.',
].join('\r\n');

test('keeps a message with its attachments, byte for byte', async () => {
	await talk(mail.port, [...envelope, 'RCPT TO:<broker@example.com>', 'DATA', withAttachments]);
	const [message] = mail.messages();
	expect(message).toMatchObject({
		from: 'documents@example.com',
		to: ['buyer@example.com', 'broker@example.com'],
		subject: 'Signed für Göteborg',
		text: expect.stringContaining('Zwei Dokumente für Sie.'),
		receivedAt: expect.any(Number),
	});
	expect(message?.attachments).toEqual([
		{ name: 'Konnossement für Sie.pdf', type: 'application/pdf', bytes: pdf },
		{ name: 'attachment 2', type: 'text/csv', bytes: expect.any(Buffer) },
	]);
});

test('takes any user and password, and does not offer STARTTLS', async () => {
	const login = Buffer.from('\0desk\0secret').toString('base64');
	const answers = await talk(mail.port, [
		'EHLO desk',
		`AUTH PLAIN ${login}`,
		...envelope,
		'DATA',
		plain('x'),
	]);
	expect(answers.find((answer) => answer.startsWith('235'))).toBeDefined();
	expect(answers.join()).not.toContain('STARTTLS');
	expect(mail.messages()).toHaveLength(1);
});

test('keeps the newest messages, newest first', async () => {
	for (const subject of ['one', 'two', 'three', 'four']) await send(subject);
	expect(mail.messages().map((message) => message.subject)).toEqual(['four', 'three', 'two']);
});

test('waits for a message that has come already and for one still to come', async () => {
	const about = (subject: string) => (message: Message) => message.subject === subject;
	await send('early');
	await send('other');
	expect((await mail.waitFor(about('early'), 1000)).subject).toBe('early');
	const late = mail.waitFor(about('late'), 5000);
	await send('late');
	expect((await late).subject).toBe('late');
});

test('stops waiting at the deadline and says what is here', async () => {
	await send('other');
	await expect(mail.waitFor(() => false, 20)).rejects.toThrow(
		'No such message came within 0.02 s; caught so far: 1',
	);
});

test('refuses a message that is too large and takes the next', async () => {
	const answers = await talk(mail.port, ['EHLO desk', 'MAIL FROM:<a@example.com> SIZE=40000000', 'RSET']);
	expect(answers.some((answer) => answer.startsWith('552'))).toBe(true);
	await send('small');
	expect(mail.messages()).toHaveLength(1);
});

test('a client that breaks off leaves no message and no harm', async () => {
	await new Promise<void>((resolve) => {
		const socket = connect(mail.port, '127.0.0.1', () =>
			socket.write('EHLO desk\r\nMAIL FROM:<a@b.example>\r\n'),
		);
		socket.on('data', () => socket.resetAndDestroy());
		socket.on('close', () => resolve());
	});
	await send('after');
	expect(mail.messages().map((message) => message.subject)).toEqual(['after']);
});

test('a port that is taken is said at once', async () => {
	await expect(startMail({ port: mail.port })).rejects.toThrow('EADDRINUSE');
});
