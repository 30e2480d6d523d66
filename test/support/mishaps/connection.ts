import { raw } from '../fakeService';
import type { Mishaps } from '../mishap';

/** What can be wrong on the way to the service. */
export const CONNECTION: Mishaps = {
	'a certificate that has expired': {
		account: async ({ serve, odd, certificates: { ca } }) => ({
			...{ baseUrl: (await serve({ tls: odd.expired })).baseUrl, caCertificate: ca },
		}),
		says: 'The certificate of 127.0.0.1:… has expired.',
		remedy: 'Tell the service: it has to renew its certificate.',
	},
	'a certificate that is not valid yet': {
		account: async ({ serve, odd, certificates: { ca } }) => ({
			...{ baseUrl: (await serve({ tls: odd.notYetValid })).baseUrl, caCertificate: ca },
		}),
		says: 'The certificate of 127.0.0.1:… is not valid yet.',
		remedy: 'check the clock of the machine that n8n runs on',
	},
	'a certificate that is self-signed': {
		instead: ({ odd }) => ({ tls: odd.selfSigned }),
		says: 'The certificate of 127.0.0.1:… is self-signed.',
		remedy: 'Ask the service for this certificate and paste it',
	},
	'a certificate for another host': {
		account: async ({ serve, certificates: { ca, otherServer } }) => {
			const tls = { key: otherServer.key, cert: otherServer.certificate };
			return { baseUrl: (await serve({ tls })).baseUrl, caCertificate: ca };
		},
		says: 'The certificate of 127.0.0.1:… is for another host name.',
		remedy: 'Use the host name that the certificate is for as the base URL.',
	},
	'a certificate that comes with its unknown authority': {
		instead: ({ certificates: { server, ca } }) => ({
			tls: { key: server.key, cert: server.certificate + ca },
		}),
		says: 'The certificate of 127.0.0.1:… comes from an authority this machine does not know.',
		remedy: 'Ask the service for its CA certificate and paste it in the credential.',
	},
	'https where there is http': {
		account: async ({ serve }) => ({ baseUrl: (await serve()).baseUrl.replace('http:', 'https:') }),
		says: 'No secure connection to 127.0.0.1:… could be made.',
		remedy: 'If the service has no TLS at this port, the base URL begins with http:// and not https://.',
	},
	'something that is no web server': {
		instead: () => ({ logins: () => 'noHttp' }),
		says: 'What answers at 127.0.0.1:… does not speak HTTP.',
		remedy: 'Check the base URL: http:// or https://, the host and the port.',
	},
	'a gateway that sends interim answers': {
		instead: () => ({ calls: () => raw('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n') }),
		says: '127.0.0.1:… sent an HTTP 100 or 101 that nobody asked for.',
		remedy: 'ask who runs the gateway in front of the service to switch that off',
	},
	'a connection that breaks': {
		instead: () => ({ calls: () => 'resetBeforeHeaders' }),
		says: 'The connection to 127.0.0.1:… was lost (…).',
		remedy: 'Try again. If it stays, check whether the base URL must begin with https://',
	},
	'a host that never answers': {
		account: async ({ listen }) => ({ baseUrl: `https://127.0.0.1:${await listen(() => undefined)}` }),
		says: 'Nothing answers at 127.0.0.1:….',
		remedy: 'Check the host and the port of the base URL, and whether a firewall is in the way.',
	},
};
