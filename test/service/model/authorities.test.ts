import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { trustedAuthorities } from '../../../service/model/authorities';

const [first = '', second = ''] = rootCertificates;
const printsOf = (all: readonly string[] = []) => all.map((pem) => new X509Certificate(pem).fingerprint256);

it('beside a pasted certificate, those that everybody trusts are trusted still', () => {
	const trusted = printsOf(trustedAuthorities(`My own:\n${first}\n${second}`));
	expect(trusted.slice(-2)).toEqual(printsOf([first, second]));
	expect(trusted.slice(0, -2)).toEqual(expect.arrayContaining(printsOf(rootCertificates)));
});

it.each(['', ' \n'])('without one, the choice is that of Node.js: %j', (pasted) => {
	expect(trustedAuthorities(pasted)).toBeUndefined();
});

it.each([
	['no certificate', 'my certificate'],
	['one that is cut', first.slice(0, 200)],
	['one of which a part is lost', first.replace(/^M.{20}/m, '')],
	['one good and one bad', `${first}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----`],
	['a key', first.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
])('what cannot be read is refused, with what to paste: %s', (_, pasted) => {
	expect(() => trustedAuthorities(pasted)).toThrow(
		expect.objectContaining({
			code: 'invalidInput',
			message: 'The CA certificate in the credential cannot be read.',
			remedy: 'Paste the whole text from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
		}),
	);
});

it('what else is pasted beside a certificate changes nothing', () => {
	const key = first.replaceAll('CERTIFICATE', 'PRIVATE KEY');
	expect(printsOf(trustedAuthorities(`${key}\n${first}`)).at(-1)).toBe(printsOf([first])[0]);
});
