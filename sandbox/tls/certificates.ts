import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate and its key, as files and as text (PEM). */
interface Certificate {
	certificateFile: string;
	keyFile: string;
	certificate: string;
	key: string;
}

/** A certificate authority made on the fly and what it signed. Nothing on any machine trusts it by itself. */
export interface Certificates {
	caFile: string;
	caKeyFile: string;
	ca: string;
	/** For `localhost` and 127.0.0.1. */
	server: Certificate;
	/** For the host name `queue.example.com` alone. */
	otherServer: Certificate;
	/** For a client that shows who it is; common name `sandbox-client`. */
	client: Certificate;
	/** The key of `client` once more (PKCS #8, AES-256), encrypted with `passphrase`. */
	encryptedClientKey: string;
	passphrase: string;
}

const PASSPHRASE = 'open sesame';
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes them in `folder` with the `openssl` command, valid for `days` from now. About 0.1 s. */
export async function makeCertificates(folder: string, { days = 30 } = {}): Promise<Certificates> {
	await mkdir(folder, { recursive: true });
	const file = (name: string) => join(folder, name);
	const openssl = async (...args: string[]) =>
		void (await promisify(execFile)('openssl', args, { timeout: 20_000 }));
	const text = (name: string) => readFile(file(name), 'utf8');

	const caFile = file('ca.pem');
	const caKeyFile = file('ca-key.pem');
	await openssl(
		...['req', '-x509', ...CURVE, '-days', String(days), '-subj', '/CN=Sandbox certificate authority'],
		...['-keyout', caKeyFile, '-out', caFile],
	);
	const sign = async (name: string, subject: string, extensions: string): Promise<Certificate> => {
		const [keyFile, request, certificateFile] = [
			file(`${name}-key.pem`),
			file(`${name}.csr`),
			file(`${name}.pem`),
		];
		await openssl('req', ...CURVE, '-subj', subject, '-keyout', keyFile, '-out', request);
		await writeFile(file(`${name}.ext`), extensions);
		await openssl(
			...['x509', '-req', '-in', request, '-CA', caFile, '-CAkey', caKeyFile, '-CAcreateserial'],
			...['-days', String(days), '-extfile', file(`${name}.ext`), '-out', certificateFile],
		);
		return {
			certificateFile,
			keyFile,
			certificate: await readFile(certificateFile, 'utf8'),
			key: await readFile(keyFile, 'utf8'),
		};
	};
	const server = await sign(
		'server',
		'/CN=localhost',
		'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n',
	);
	const otherServer = await sign(
		'other-server',
		'/CN=queue.example.com',
		'subjectAltName=DNS:queue.example.com\nextendedKeyUsage=serverAuth\n',
	);
	const client = await sign('client', '/CN=sandbox-client', 'extendedKeyUsage=clientAuth\n');
	await openssl(
		...['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-in', client.keyFile],
		...['-passout', `pass:${PASSPHRASE}`, '-out', file('client-key-encrypted.pem')],
	);
	return {
		caFile,
		caKeyFile,
		ca: await text('ca.pem'),
		server,
		otherServer,
		client,
		encryptedClientKey: await text('client-key-encrypted.pem'),
		passphrase: PASSPHRASE,
	};
}
