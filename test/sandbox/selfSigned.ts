import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate for `localhost`, good for a day, made by the openssl of the machine. */
export function selfSigned(): { key: string; cert: string } {
	const folder = mkdtempSync(join(tmpdir(), 'parcel-certificate-'));
	try {
		const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
		const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
		const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
		const files = ['-nodes', '-days', '1', '-keyout', key, '-out', cert];
		execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], { stdio: 'ignore' });
		return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
