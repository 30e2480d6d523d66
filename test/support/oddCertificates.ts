import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificates } from '../../sandbox/tls/certificates';

/** A certificate and its key as PEM texts, as a server of Node takes them. */
interface ServerPair {
	key: string;
	cert: string;
}

/** Certificates for 127.0.0.1 with one thing wrong each. */
export interface OddCertificates {
	/** Signed by the authority, good until 2020. */
	expired: ServerPair;
	/** Signed by the authority, good from 2090. */
	notYetValid: ServerPair;
	selfSigned: ServerPair;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const SUBJECT = ['-subj', '/CN=127.0.0.1'];
const NAMES = 'subjectAltName=IP:127.0.0.1';

/** The command `openssl ca` alone takes dates, and wants a register of what it signed. */
const configuration = (register: string, serial: string, folder: string) => `[ca]
default_ca = authority
[authority]
database = ${register}
serial = ${serial}
new_certs_dir = ${folder}
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;

/** Makes them in `folder` with the `openssl` command. About 0.1 s. */
export async function makeOddCertificates(
	folder: string,
	{ caFile, caKeyFile }: Certificates,
): Promise<OddCertificates> {
	await mkdir(folder, { recursive: true });
	const file = (name: string) => join(folder, name);
	const openssl = async (...args: string[]) =>
		void (await promisify(execFile)('openssl', args, { timeout: 20_000 }));
	const pair = async (name: string): Promise<ServerPair> => ({
		key: await readFile(file(`${name}-key.pem`), 'utf8'),
		cert: await readFile(file(`${name}.pem`), 'utf8'),
	});

	const [settings, register, serial] = [file('ca.conf'), file('register.txt'), file('serial.txt')];
	const extensions = file('names.ext');
	await writeFile(settings, configuration(register, serial, folder));
	await writeFile(register, '');
	await writeFile(serial, '1000\n');
	await writeFile(extensions, `${NAMES}\n`);
	const signed = async (name: string, from: number, until: number): Promise<ServerPair> => {
		const request = file(`${name}.csr`);
		await openssl('req', ...CURVE, ...SUBJECT, '-keyout', file(`${name}-key.pem`), '-out', request);
		await openssl(
			...['ca', '-batch', '-notext', '-config', settings, '-extfile', extensions],
			...['-cert', caFile, '-keyfile', caKeyFile, '-in', request, '-out', file(`${name}.pem`)],
			...['-startdate', `${from}0101000000Z`, '-enddate', `${until}0101000000Z`],
		);
		return pair(name);
	};
	const expired = await signed('expired', 2019, 2020);
	const notYetValid = await signed('not-yet-valid', 2090, 2091);
	await openssl(
		...['req', '-x509', ...CURVE, ...SUBJECT, '-days', '30', '-addext', NAMES],
		...['-keyout', file('self-signed-key.pem'), '-out', file('self-signed.pem')],
	);
	return { expired, notYetValid, selfSigned: await pair('self-signed') };
}
