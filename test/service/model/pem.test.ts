import { pemBlocks, repairPem } from '../../../service/model/pem';

const LINES = ['QUJD'.repeat(16), 'REVG'.repeat(16), 'R0hJ'];
const block = (label: string, lines: readonly string[] = LINES) =>
	[`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
const CERTIFICATE = `${block('CERTIFICATE')}\n`;

it.each([
	['in order', CERTIFICATE],
	['without its last line break', CERTIFICATE.trim()],
	['with its line breaks as two signs', CERTIFICATE.replaceAll('\n', '\\n')],
	['with those of Windows as four signs', CERTIFICATE.replaceAll('\n', '\\r\\n')],
	['with those of Windows', CERTIFICATE.replaceAll('\n', '\r\n')],
	['as one line', CERTIFICATE.replaceAll('\n', ' ')],
	['without any blanks between its letters', CERTIFICATE.replaceAll('\n', '')],
	['with blanks around its lines', CERTIFICATE.replaceAll('\n', ' \t\n  ')],
	['with text around it', `My CA:\n${CERTIFICATE}and no more`],
])('a certificate pasted %s is read as it was meant', (_, pasted) => {
	expect(repairPem(pasted)).toBe(CERTIFICATE);
});

it('several blocks are each put in order, one behind the other', () => {
	const both = `${block('CERTIFICATE')}\n${block('PRIVATE KEY', ['QUJD'])}\n`;
	expect(repairPem(both.replaceAll('\n', ' '))).toBe(both);
});

it('an encrypted key of the old form keeps its lines, which carry meaning', () => {
	const key = block('RSA PRIVATE KEY', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-256-CBC,00', '', 'QUJD']);
	expect(repairPem(` ${key} `)).toBe(`${key}\n`);
});

it('what holds no block stays, but for what stands around it', () => {
	expect(repairPem(' no certificate\\nat all \n')).toBe('no certificate\nat all');
	expect(repairPem('-----BEGIN CERTIFICATE-----\nQUJD')).toBe('-----BEGIN CERTIFICATE-----\nQUJD');
});

it.each<[string, string, string[]]>([
	['one block', block('A'), ['A']],
	['a beginning without its end', `-----BEGIN A-----\n${block('B')}\n-----BEGIN B-----`, ['B']],
	['the end of another', '-----BEGIN A-----x-----END B-----', []],
	['a block within another', '-----BEGIN A-----\n-----BEGIN B-----x-----END B----------END A-----', ['A']],
	['a label that nobody writes', block('a'), []],
	['a label longer than any', block('A'.repeat(41)), []],
	['one of 40 letters', block('A'.repeat(40)), ['A'.repeat(40)]],
	['blocks behind each other', block('A') + block('A') + block('B'), ['A', 'A', 'B']],
])('in %s there are so many blocks', (_, text, labels) => {
	expect(pemBlocks(text).map(({ label }) => label)).toEqual(labels);
});

it('a block has what stands between its lines, and itself as it stands in the text', () => {
	const whole = block('A', ['x']);
	expect(pemBlocks(`front ${whole} behind`)).toEqual([{ label: 'A', body: '\nx\n', whole }]);
});
