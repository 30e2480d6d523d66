import { inspect } from 'node:util';
import fc from 'fast-check';
import { isSuccess } from '../../../service/api/answer';
import { checkBaseUrl } from '../../../service/api/baseUrl';
import { checked } from '../../../service/api/check';
import { proxyHost, proxySettings } from '../../../service/api/proxy';
import {
	namesRefusedToken,
	refusedStatusIn,
	responseError,
	retryAfterMs,
	tellsTokenEnded,
} from '../../../service/api/responseError';
import { whatWasSaid } from '../../../service/api/said';
import { transportError } from '../../../service/api/transportError';
import { isServiceError, ServiceError } from '../../../service/errors';
import { bearerTokenIn, bearerTokenLifetimeMs } from '../../../service/model/bearerToken';
import { PartyWithId } from '../../../service/model/party';
import { SearchAnswer } from '../../../service/model/searchAnswer';
import { SetResult } from '../../../service/model/set';

function thrown(work: () => unknown): unknown {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
}

describe('the base URL', () => {
	it.each([
		['https://service.example.com', 'https://service.example.com'],
		['HTTPS://Service.Example.COM/', 'https://service.example.com'],
		['  https://service.example.com:8443/api//  ', 'https://service.example.com:8443/api'],
		['https://service.example.com:443', 'https://service.example.com'],
		['http://[::1]:8080/', 'http://[::1]:8080'],
		['https://münchen.example/büro', 'https://xn--mnchen-3ya.example/b%C3%BCro'],
	])('%p is taken as %p', (typed, taken) => expect(checkBaseUrl(typed)).toBe(taken));

	it.each([
		['', 'is empty'],
		['   ', 'is empty'],
		['service.example.com', 'does not begin with'],
		['service.example.com:8443/api', 'does not begin with'],
		['ftp://service.example.com', 'does not begin with'],
		['x:https://service.example.com', 'does not begin with'],
		['https//service.example.com', 'does not begin with'],
		['https://', 'is no address'],
		['https://[', 'is no address'],
		['https://service.example.com:99999', 'is no address'],
		['https://desk:geheim@service.example.com', 'holds a user name'],
		['https://service.example.com/?a=geheim', 'holds a ? or a #'],
		['https://service.example.com/?', 'holds a ? or a #'],
		['https://service.example.com/#', 'holds a ? or a #'],
		['https://service.example.com/a b', 'holds a space'],
		['https://service.exa\nmple.com', 'holds a space'],
		['https:\\\\service.example.com', 'does not begin with'],
		['https://service.example.com\\@elsewhere', 'holds a space, a line break or a backslash'],
	])('%p is refused, with what to do', (typed, text) => {
		const error = thrown(() => checkBaseUrl(typed)) as ServiceError;
		expect(error).toMatchObject({ code: 'invalidInput', remedy: expect.any(String) });
		expect(error.message).toContain(text);
		expect(`${error.message}${error.remedy}`).not.toContain('geheim');
	});

	it.each([
		['', 'Type the address of the service, like https://'],
		['service.example.com', 'Put https:// in front of the address.'],
		['https://a b', 'Type it again without that.'],
		['https://desk@service.example.com', 'put them in their own fields.'],
		['https://:geheim@service.example.com', 'put them in their own fields.'],
		['https://service.example.com?', 'Take that sign and all that follows it out'],
		['https://service.example.com:99999', 'Check it for typing mistakes.'],
	])('%p is refused with what to do in this case', (typed, remedy) => {
		expect((thrown(() => checkBaseUrl(typed)) as ServiceError).remedy).toContain(remedy);
	});

	it('of any text is taken or refused, and what is taken has an origin and no end slash', () => {
		const any = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true }));
		fc.assert(
			fc.property(any, (typed) => {
				const error = thrown(() => {
					const taken = checkBaseUrl(typed);
					expect(taken).toMatch(/^https?:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/);
					expect(checkBaseUrl(taken)).toBe(taken);
				});
				if (error !== undefined && !isServiceError(error)) throw error as Error;
			}),
		);
	});
});

describe('what the service said', () => {
	it.each([
		['errorMessage', '{"errorMessage":"No such set","code":404}', 'No such set'],
		['message', '{"message":"Not allowed"}', 'Not allowed'],
		['errorMessage before message', '{"message":"b","errorMessage":"a"}', 'a'],
		['an error within error', '{"error":{"message":"Deep"}}', 'Deep'],
		['a JSON text', '"Just this"', 'Just this'],
		['JSON without a sentence', '{"code":5}', '{"code":5}'],
		['JSON that is cut', '{"errorMessage":"Half \\"of\\" it","trace":"xxxx', 'Half "of" it'],
		['plain text', '  Gone\r\nfor good ', 'Gone for good'],
		['a title', '<!DOCTYPE html>\n<html><head><title>502 Bad\n Gateway</title>', '502 Bad Gateway'],
		['entities', '<html><title>A &amp; B &#8211; &#x43;&nope;</title>', 'A & B – C&nope;'],
		['a heading', '<html><h1>Closed</h1></html>', 'Closed'],
		['a page that says nothing', '<html><body><p>x</p></body></html>', 'a web page'],
		['nothing', ' \r\n', ''],
		['error', '{"code":5,"error":"Closed"}', 'Closed'],
		['detail', '{"title":"x","detail":"Closed"}', 'Closed'],
		['description in the words of OAuth', '{"error_description":"Closed"}', 'Closed'],
		[
			'first field that says something',
			'{"errorMessage":" ","message":7,"error":{"message":""},"detail":"So"}',
			'So',
		],
		['JSON that is a list', '["a"]', '["a"]'],
		['message where JSON is cut', '{"message" : "Closed","trace":"xx', 'Closed'],
		['message as it stands where its signs are none', '{"message":"Clo\\xsed","trace":"', 'Clo\\xsed'],
		['text where JSON is cut before it speaks', '{"trace":"xx', '{"trace":"xx'],
		['text behind the mark of its order of bytes', '\ufeff{"message":"Closed"}', 'Closed'],
		['heading, where the title is empty', '<html><title> </title><h1 class="x">Closed</h1>', 'a web page'],
		['heading, where there is no title', '<!-- 7 -->\n<body><h1 class="x">Closed</h1>', 'Closed'],
		['page of XHTML', '<?xml version="1.0"?>\n<!DOCTYPE html><title>Closed</title>', 'Closed'],
		['page whose title does not end', '<html><title>Closed', 'a web page'],
		['title in capitals', '<HTML><TITLE lang=en>Closed</TITLE>', 'Closed'],
		['text that holds a page', 'See <html><title>Closed</title>', 'See <html><title>Closed</title>'],
		['text that is no page', '<error>Closed</error>', '<error>Closed</error>'],
		[
			'entities in capitals and those of no sign',
			'<title>&LT;&#1114112;&#x110000;&quot;</title>',
			'<&#1114112;&#x110000;"',
		],
		['200 letters', 'ö'.repeat(200), 'ö'.repeat(200)],
		['first 199 letters, where there are more', '🚢'.repeat(201), `${'🚢'.repeat(199)}…`],
		['control characters and turned writing', 'a\0b\x1b[31mc\u202ed', 'a b [31mc d'],
	])('is its %s', (_label, body, said) => expect(whatWasSaid(body, [])).toBe(said));

	it.each([
		['the password', 'Wrong: Quay 7: Göteborg!', 'Wrong: ***!'],
		['the password over a line', 'Wrong: Quay\n7', 'Wrong: Quay 7'],
		['a password that the cleaning would take apart', 'Wrong: a  b\tc.', 'Wrong: ***.'],
		['a token in the signed form', 'bad eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', 'bad *** here'],
		['a bearer header', 'Authorization: Bearer abc.def-123456', 'Authorization: Bearer ***'],
		['a basic header', 'got Basic ZGVzazpnZWhlaW0=', 'got Basic ***'],
	])('never holds %s', (_label, body, said) =>
		expect(whatWasSaid(body, ['Quay 7: Göteborg', 'a  b\tc', 'pw'])).toBe(said),
	);

	it('does not give a short password away by masking it within words', () => {
		expect(whatWasSaid('access denied for e', ['e'])).toBe('access denied for ***');
	});

	it('is one line of at most 200 characters without secrets, whatever came', () => {
		const secret = 'c0rrect-h0rse';
		const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(secret), fc.constant('\u200b'));
		fc.assert(
			fc.property(fc.array(part), fc.constantFrom('', '{"message":"', '<title>'), (parts, before) => {
				const said = whatWasSaid(before + parts.join(''), [secret]);
				expect([...said].length).toBeLessThanOrEqual(200);
				// eslint-disable-next-line no-control-regex
				expect(said).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
				expect(said).not.toContain(secret);
			}),
		);
	});
});

describe('an answer', () => {
	it.each<[number, string | undefined, boolean]>([
		[199, undefined, false],
		[200, undefined, true],
		[204, undefined, true],
		[299, undefined, true],
		[300, undefined, false],
		[206, undefined, false],
		[200, 'bytes 0-99/100', true],
		[200, 'bytes 0-98/100', false],
		[200, 'bytes 1-99/100', false],
		[200, ' Bytes  0-9/100 ', false],
		[200, 'bytes 0-99/100, bytes 0-99/200', false],
		[200, 'bytes 0-99/*', true],
		[200, 'items 0-9/100', true],
		[200, 'kilobytes 0-9/100', true],
		[200, 'bytes 0-9/100 of it', true],
		[404, 'bytes 0-99/100', false],
	])('with HTTP %i and the range %j is a whole one: %s', (status, range, whole) => {
		expect(isSuccess({ status, headers: range === undefined ? {} : { 'content-range': range } })).toBe(whole);
	});
});

describe('the error of an answer', () => {
	const answer = { headers: {}, secrets: [] };

	it('exists for every status, and never says too much', () => {
		fc.assert(
			fc.property(fc.integer({ min: 100, max: 999 }), fc.boolean(), fc.string(), (status, login, text) => {
				const error = responseError({ ...answer, status }, text, login);
				expect(error.httpStatus).toBe(status);
				expect(error.message).toMatch(/^The /);
				expect(error.remedy).toBeTruthy();
				expect(error.message.length).toBeLessThan(500);
			}),
		);
	});

	it.each([
		[400, 'rejected'],
		[401, 'unauthorized'],
		[403, 'unauthorized'],
		[404, 'notFound'],
		[407, 'rejected'],
		[408, 'timeout'],
		[409, 'rejected'],
		[429, 'rateLimited'],
		[500, 'unavailable'],
		[502, 'unavailable'],
		[599, 'unavailable'],
		[302, 'rejected'],
	])('%i is %s', (status, code) => expect(responseError({ ...answer, status }, '').code).toBe(code));

	it.each<[number, string, string, string]>([
		[401, '', 'unauthorized', 'The service refused the user name or the password'],
		[400, '{"error":"invalid_grant"}', 'unauthorized', 'The service refused the user name or the password'],
		[400, '{"error":"invalid_client"}', 'unauthorized', 'The service refused the user name or the password'],
		[400, '{"error":"invalid_clients"}', 'rejected', 'The service refused the login'],
		[400, '', 'rejected', 'The service refused the login'],
		[403, '', 'unauthorized', 'The service does not let this account do this'],
		[404, '', 'notFound', 'There is no login at this address'],
		[422, 'invalid_grant', 'rejected', 'The service refused the login'],
		[429, '', 'rateLimited', 'The service asks for fewer calls'],
		[503, 'invalid_grant', 'unavailable', 'The service has a problem of its own'],
	])('of a login with %i and %j is %s: it speaks of the login', (status, text, code, sentence) => {
		const error = responseError({ ...answer, status }, text, true);
		expect(error).toMatchObject({ code, httpStatus: status });
		expect(error.message).toMatch(new RegExp(`^${sentence} \\(HTTP ${status}\\)\\.`));
		expect(error.tokenRefused).toBeFalsy();
	});

	it.each<[number, string, Record<string, string>, boolean]>([
		[400, 'the filter is wrong', {}, false],
		[401, '', {}, true],
		[404, 'no such set', {}, false],
		[302, '', { location: 'https://login.example/' }, true],
		[299, '', {}, false],
		[300, '', {}, true],
		[399, '', {}, true],
		[400, 'invalid_token', {}, true],
		[499, 'invalid_token', {}, true],
		[500, 'invalid_token', {}, false],
		[400, '', { 'www-authenticate': 'Bearer error="invalid_token"' }, true],
		[400, 'The token is invalid', {}, true],
		[400, "the jwt' was revoked", {}, true],
		[400, 'SESSION ended', {}, true],
		[400, 'an expired bearer token', {}, true],
		[400, 'a revoked session', {}, true],
		[400, 'ExpiredTokenException', {}, true],
		[400, 'session_expired', {}, true],
		[500, 'jwt expired', {}, true],
		[501, 'jwt expired', {}, false],
		[503, 'The session has ended', {}, false],
		[400, 'The token of the session', {}, false],
		[400, 'A signature has expired', {}, false],
	])('with HTTP %i, %j and %j is about the token: %s', (status, text, headers, refused) => {
		expect(responseError({ ...answer, status, headers }, text).tokenRefused ?? false).toBe(refused);
	});

	it.each<[number, boolean, string, string]>([
		[401, true, 'The service refused the user name or the password', 'Check both in the credential.'],
		[404, true, 'There is no login at this address', 'Check the base URL in the credential'],
		[422, true, 'The service refused the login', 'Check the user name, the password and the base URL'],
		[401, false, 'The service refused the call although the login worked', 'Ask the service whether'],
		[403, false, 'The service does not let this account do this', 'Ask the service for the right'],
		[404, false, 'The service does not know what was asked for', 'Check the IDs'],
		[407, false, 'The proxy on the way asks for a login', 'HTTPS_PROXY or HTTP_PROXY'],
		[408, false, 'The service waited too long for the request', 'Try again in a moment.'],
		[429, false, 'The service asks for fewer calls', 'Wait and try again'],
		[422, false, 'The service refused the request', 'Check what was asked for'],
		[500, false, 'The service has a problem of its own', 'Try again later.'],
		[599, false, 'The service has a problem of its own', 'Try again later.'],
		[
			206,
			false,
			'The service sent a part of the answer as if a part had been asked for',
			'who runs the gateway',
		],
	])('with HTTP %i (a login: %s) says "%s", and what to do', (status, login, sentence, remedy) => {
		const error = responseError({ ...answer, status }, 'No.', login);
		const quoted = status === 206 ? '' : ' It said: "No."';
		expect(error.message).toBe(`${sentence} (HTTP ${status}).${quoted}`);
		expect(error.remedy).toContain(remedy);
	});

	const nouns = ['token', 'jwt', 'session'];
	const ended = [
		...nouns.flatMap((noun) =>
			['expired', 'ended', 'revoked', 'invalid', 'not valid', 'no longer valid'].flatMap((word) =>
				['', 'has ', 'is ', 'was '].map((verb) => `The ${noun} ${verb}${word}`),
			),
		),
		...nouns.flatMap((noun) =>
			['expired', 'invalid', 'revoked'].flatMap((word) =>
				['', 'access ', 'bearer '].map((kind) => `An ${word} ${kind}${noun} came`),
			),
		),
		...nouns.flatMap((noun) => [`expired${noun}`, `EXPIRED_${noun}`, `${noun}expired`, `${noun}_EXPIRED`]),
		...["the token' expired", 'the "session"   is invalid', 'invalid_token'],
	];
	it.each(ended)('says that a token has ended: %s', (text) => {
		expect(tellsTokenEnded(text)).toBe(true);
		expect(responseError({ ...answer, status: 400 }, text).tokenRefused).toBe(true);
	});

	it.each([
		...['The token', 'expired', 'The token    expired', 'The token`s expired', 'The token will be expired'],
		...[
			'An expired access card',
			'An expired old token',
			'expired-jwt',
			'session-expired',
			'invalid token_s'.slice(0, 7),
		],
		...['The token was validated', 'The session is valid', 'invalid-token', 'INVALID_TOKEN'],
	])('says nothing of the kind: %s', (text) => {
		expect(tellsTokenEnded(text)).toBe(false);
		expect(responseError({ ...answer, status: 400 }, text).tokenRefused).toBe(false);
	});

	it.each<[string, boolean]>([
		...[401, 403, 419, 440, 498, 499].flatMap((code): [string, boolean][] => [
			[JSON.stringify({ code }), true],
			[JSON.stringify({ code: String(code) }), true],
			[JSON.stringify({ code: 200, data: { code } }), true],
		]),
		...[400, 404, 429, 500].map((code): [string, boolean] => [JSON.stringify({ code }), false]),
		['{"code":401', false],
		['{}', false],
		['null', false],
		['[401]', false],
	])('names a refused token under HTTP 200, or not: %s', (text, refused) => {
		expect(namesRefusedToken(text)).toBe(refused);
	});

	it('of HTTP 299 quotes nothing, and of HTTP 300 what was said', () => {
		expect(responseError({ ...answer, status: 299 }, 'No.').message).toMatch(/ \(HTTP 299\)\.$/);
		expect(responseError({ ...answer, status: 300 }, 'No.').message).toBe(
			'The service sends us somewhere else, too often or without saying where (HTTP 300). It said: "No."',
		);
	});

	it.each<[string | undefined, string]>([
		[
			'https://desk:geheim@other.example:8443/v3?token=geheim',
			'another address, https://other.example:8443, and',
		],
		['mailto:geheim@other.example', 'somewhere else'],
		['/login?geheim', 'somewhere else'],
		[undefined, 'somewhere else'],
	])('of a redirect to %s names its host alone', (location, text) => {
		const { message, remedy } = responseError({ ...answer, status: 302, headers: { location } }, '');
		expect(message).toContain(text);
		expect(message).toMatch(/ \(HTTP 302\)\.$/);
		expect(remedy).toContain('base URL');
		expect(message + remedy).not.toContain('geheim');
	});

	it.each<[unknown, number | undefined]>([
		[300, 300],
		['401', 401],
		[599, 599],
		[200, undefined],
		[299, undefined],
		[600, undefined],
		[404.5, undefined],
		['', undefined],
		['E500', undefined],
		[[404], undefined],
		[null, undefined],
	])('has the status that an envelope names as its code: %j is %s', (code, status) => {
		expect(refusedStatusIn({ code })).toBe(status);
	});

	it.each([null, 'code 500', 500, undefined])('has none of what is no envelope: %j', (value) => {
		expect(refusedStatusIn(value)).toBeUndefined();
	});

	it.each<[string, string | undefined, number | undefined]>([
		['7', undefined, 7_000],
		[' 1.5 ', undefined, 1_500],
		['0', undefined, 0],
		['', undefined, undefined],
		['  ', undefined, undefined],
		['soon', undefined, undefined],
		['7 apples', undefined, undefined],
		['1234567890', undefined, undefined],
		['Fri, 20 Nov 2026 05:00:07 GMT', 'Fri, 20 Nov 2026 05:00:00 GMT', 7_000],
		['Fri, 20 Nov 2026 05:00:00 GMT', 'Fri, 20 Nov 2026 05:00:07 GMT', 0],
		['Fri, 20 Nov 2026 05:00:07 GMT', 'whenever', 3_000],
		['Fri, 20 Nov 2026 05:00:07 GMT', undefined, 3_000],
	])('reads a Retry-After of %j beside the date %j as %s ms', (sent, date, ms) => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 20, 5, 0, 4));
		try {
			expect(retryAfterMs({ 'retry-after': sent, date })).toBe(ms);
		} finally {
			now.mockRestore();
		}
	});

	it('tells the wait that the service asks for in whole seconds, and none where it asks for none', () => {
		const told = (sent: string) =>
			responseError({ ...answer, status: 429, headers: { 'retry-after': sent } }, '');
		expect(told('1.2')).toMatchObject({
			message: 'The service asks for fewer calls (HTTP 429). It asks to wait 2 seconds.',
			retryAfterMs: 1_200,
		});
		expect(told('0').message).toBe('The service asks for fewer calls (HTTP 429).');
	});

	it('reads any Retry-After as a time that is not negative, or not at all', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), (sent) => {
				const ms = retryAfterMs({ 'retry-after': sent });
				if (ms !== undefined) expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).not.toBeNaN();
			}),
		);
	});
});

describe('the error of a transfer', () => {
	it('is one of ours, whatever was thrown', () => {
		fc.assert(
			fc.property(fc.anything(), (anything) => {
				const error = transportError(anything, 'host');
				expect(isServiceError(error)).toBe(true);
			}),
		);
	});

	it('of ours is the same, whatever it says', () => {
		const ours = new ServiceError('invalidInput', 'It is not allowed.');
		expect(transportError(ours, 'host')).toBe(ours);
		expect(transportError(ours, 'host', { hasBegun: true, proxy: 'proxy' })).toBe(ours);
	});

	it.each([
		['ENOTFOUND', 'network', 'There is no host called host:1.', 'typing mistakes'],
		['EAI_AGAIN', 'network', 'There is no host called host:1.', 'typing mistakes'],
		['EAI_NODATA', 'network', 'There is no host called host:1.', 'typing mistakes'],
		['ECONNREFUSED', 'network', 'Nothing listens at host:1.', 'the port'],
		['EHOSTUNREACH', 'network', 'Nothing listens at host:1.', 'the port'],
		['ENETUNREACH', 'network', 'Nothing listens at host:1.', 'the port'],
		['ECONNRESET', 'network', 'The connection to host:1 was lost (inner).', 'Try again'],
		['EPIPE', 'network', 'The connection to host:1 was lost (inner).', 'Try again'],
		['Z_BUF_ERROR', 'network', 'The connection to host:1 was lost (inner).', 'Try again'],
		['Z_DATA_ERROR', 'unexpectedResponse', 'The compressed answer cannot be read.', 'gateway'],
		['EPROTO', 'network', 'No secure connection to host:1 could be made.', 'http:// and not https://'],
		['ERR_SSL_WRONG_VERSION', 'network', 'No secure connection to host:1 could be made.', 'http://'],
		['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'host:1 was silent for too long.', 'Timeout in its options'],
		['UND_ERR_BODY_TIMEOUT', 'timeout', 'host:1 was silent for too long.', 'Timeout in its options'],
		['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'Nothing answers at host:1.', 'firewall'],
		['ETIMEDOUT', 'timeout', 'Nothing answers at host:1.', 'firewall'],
		[
			'UND_ERR_HEADERS_OVERFLOW',
			'unexpectedResponse',
			'What answers at host:1 does not speak HTTP.',
			'base URL',
		],
		['ERR_ASSERTION', 'unexpectedResponse', 'What answers at host:1 does not speak HTTP.', 'base URL'],
	])('%s is %s: "%s"', (errorCode, code, message, remedy) => {
		const cause = Object.assign(new Error('inner'), { code: errorCode });
		expect(transportError(cause, 'host:1')).toMatchObject({
			...{ code, message, remedy: expect.stringContaining(remedy) },
		});
		// undici wraps some errors of Node.
		const wrapped = new Error('outer', { cause: new Error('middle', { cause }) });
		expect(transportError(wrapped, 'host:1')).toMatchObject({
			...{ code, message: message.replace('inner', 'outer') },
		});
	});

	it.each([
		['CERT_HAS_EXPIRED', 'has expired', 'renew its certificate'],
		['CERT_NOT_YET_VALID', 'is not valid yet', 'check the clock'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed', 'paste it in CA Certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another host name', 'Use the host name'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'comes from an authority this machine does not know', 'CA certificate'],
		[
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'comes from an authority this machine does not know',
			'CA certificate',
		],
		[
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'comes from an authority this machine does not know',
			'CA certificate',
		],
		...[
			...['CERT_REJECTED', 'CERT_REVOKED', 'CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED'],
			...['CERT_CHAIN_TOO_LONG', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE'],
			...['PATH_LENGTH_EXCEEDED', 'UNABLE_TO_GET_ISSUER_CERT'],
		].map((code) => [code, `cannot be trusted (${code})`, 'CA certificate']),
	])('a certificate with %s %s', (errorCode = '', why = '', remedy = '') => {
		const cause = Object.assign(new Error('inner'), { code: errorCode });
		expect(transportError(cause, 'host:1')).toMatchObject({
			...{ code: 'certificate', message: `The certificate of host:1 ${why}.` },
			...{ remedy: expect.stringContaining(remedy), cause },
		});
	});

	it('is lost where what breaks is the body, and holds no bytes of it', () => {
		const broken = Object.assign(new Error('bad chunk'), { name: 'HTTPParserError', data: 'geheim' });
		const { code, message, cause } = transportError(broken, 'host:1', { hasBegun: true });
		expect({ code, message }).toEqual({
			...{ code: 'network', message: 'The connection to host:1 was lost (bad chunk).' },
		});
		expect(inspect(cause)).not.toContain('geheim');
		const never = transportError(broken, 'host:1');
		expect(never.code).toBe('unexpectedResponse');
		expect(inspect(never)).not.toContain('geheim');
	});

	it.each<[string, object, boolean]>([
		['a name that is not found', { syscall: 'getaddrinfo', hostname: 'proxy' }, true],
		['the name of the service', { syscall: 'getaddrinfo', hostname: 'host' }, false],
		['a port where nothing listens', { syscall: 'connect', port: 3128 }, true],
		['the port of the service', { syscall: 'connect', port: 1 }, false],
		['a connection that ended', { syscall: 'read', port: 3128 }, false],
	])('is of the proxy, or not, by what Node says: %s', (_, told, ofProxy) => {
		const error = Object.assign(new Error('inner'), { code: 'ECONNREFUSED', ...told });
		const { message } = transportError(error, 'host:1', { proxy: 'proxy:3128' });
		expect(message.startsWith('The proxy proxy:3128, which n8n goes through')).toBe(ofProxy);
	});

	it('names a proxy that may be what nothing comes through', () => {
		const silent = Object.assign(new Error('inner'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
		const { message, remedy } = transportError(silent, 'host:1', { proxy: 'proxy:3128' });
		expect(message).toBe('Nothing answers at host:1.');
		expect(remedy).toContain('a firewall or the proxy proxy:3128 is in the way');
	});

	it('tells of the certificate of a proxy where that is not trusted, too', () => {
		const untrusted = Object.assign(new Error('inner'), {
			code: 'ECONNRESET',
			syscall: 'connect',
			port: 3128,
		});
		const { remedy } = transportError(untrusted, 'host:1', { proxy: 'proxy:3128' });
		expect(remedy).toContain('NODE_EXTRA_CA_CERTS');
	});
});

describe('the shapes of the interface', () => {
	it.each([
		['SearchAnswer', SearchAnswer],
		['SetResult', SetResult],
		['PartyWithId', PartyWithId],
	])('%s takes or refuses anything, and refuses with one error that names the field', (_name, schema) => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.jsonValue()), (value) => {
				const error = thrown(() => expect(checked(schema, value, [])).toBe(value));
				if (error === undefined) return;
				expect(error).toMatchObject({ name: 'ServiceError', code: 'unexpectedResponse' });
				expect((error as Error).message.length).toBeLessThan(1_000);
			}),
		);
	});

	const total = (value: unknown) => ({ data: { total: value } });
	it.each<[unknown, string]>([
		[total(7.5), 'data.total is "7.5" ('],
		[total(-1), 'data.total is "-1" ('],
		[total(undefined), 'data.total is missing ('],
		[total(null), 'data.total is "null" ('],
		[total([1, 2]), 'data.total is a list of 2 ('],
		[total({ a: 1 }), 'data.total is an object ('],
		[total('of geheim-1'), 'data.total is "of ***" ('],
		[total(`a\n"${'x'.repeat(100)}`), `data.total is "a \\"${'x'.repeat(77)}" (`],
		[{ data: 7 }, 'data is "7" ('],
		['<html><title>Closed</title>', 'the answer is "Closed" ('],
		[{ message: 'Index of geheim-1' }, 'data is missing ('],
	])('what stands where something else belongs is named and shown in short: %j', (value, wrong) => {
		const { message, code } = thrown(() => checked(SearchAnswer, value, ['geheim-1'])) as ServiceError;
		expect(code).toBe('unexpectedResponse');
		expect(message).toContain(`The service answered something else: ${wrong}`);
		expect(message).not.toContain('geheim-1');
		const says = value instanceof Object && 'message' in value;
		expect(message.endsWith(' It said: "Index of ***"')).toBe(says);
	});

	it('what is wrong within a part of an answer is named by its place in the whole', () => {
		const work = () => checked(PartyWithId, {}, [], ['data', 3]);
		expect((thrown(work) as ServiceError).message).toContain(': data[3].customerId is missing (');
	});

	it('a set is taken with any extra fields, and comes back as it is', () => {
		fc.assert(
			fc.property(
				fc.object(),
				fc.string().filter((id) => id.trim() !== ''),
				(extra, setId) => {
					const value = { cargo: extra, setId };
					expect(checked(SetResult, value, [])).toBe(value);
				},
			),
		);
	});
});

describe('a token', () => {
	it('is read from anything without a crash, and can always be sent in a header', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.record({ token: fc.anything() })), (body) => {
				const token = bearerTokenIn(body);
				if (token !== undefined) expect(token).toMatch(/^[\x21-\x7e]+$/);
			}),
		);
	});

	it.each<[unknown, string | undefined]>([
		[{ token: 'abc' }, 'abc'],
		[{ token: ' Bearer  abc ' }, 'abc'],
		[{ token: 'bearerabc' }, 'bearerabc'],
		[{ token: 'x bearer abc' }, undefined],
		[{ token: 'a b' }, undefined],
		[{ token: 'ä' }, undefined],
		[{ token: '' }, undefined],
		[{ token: 7 }, undefined],
		['abc', undefined],
		[null, undefined],
	])('in %j is %s', (body, token) => expect(bearerTokenIn(body)).toBe(token));

	const NOW = 1_800_000_000;
	it.each<[string, unknown, number | undefined]>([
		['its end alone, by our clock', { exp: NOW + 60 }, 60_000],
		['its beginning and its end, whatever our clock says', { iat: NOW - 5_000, exp: NOW - 4_400 }, 600_000],
		['both in milliseconds', { iat: NOW * 1_000, exp: (NOW + 60) * 1_000 }, 60_000],
		['a beginning that is none', { iat: 'now', exp: NOW + 60 }, 60_000],
		['an end in the past', { exp: NOW - 1 }, undefined],
		['an end that is its beginning', { iat: NOW, exp: NOW }, undefined],
		['an end of zero', { exp: 0, iat: -60 }, undefined],
		['an end as a text', { exp: String(NOW + 60) }, undefined],
		['no end', { iat: NOW }, undefined],
		['a text for its claims', 'x', undefined],
		['null for its claims', null, undefined],
	])('that names %s lasts as long as that', (_, claims, ms) => {
		const middle = Buffer.from(JSON.stringify(claims)).toString('base64url');
		expect(bearerTokenLifetimeMs(`e30.${middle}.x`, NOW * 1_000)).toBe(ms);
		expect(bearerTokenLifetimeMs(`e30.${middle}`, NOW * 1_000)).toBeUndefined();
		expect(bearerTokenLifetimeMs(`e30.${middle}.x.y`, NOW * 1_000)).toBeUndefined();
	});

	it('has a lifetime above zero, or none', () => {
		const claims = fc.record({ exp: fc.anything(), iat: fc.anything() });
		const signed = claims.map((value) => {
			const middle = Buffer.from(JSON.stringify(value) ?? '').toString('base64url');
			return `e30.${middle}.x`;
		});
		fc.assert(
			fc.property(fc.oneof(signed, fc.string()), fc.nat(), (token, now) => {
				const lifetime = bearerTokenLifetimeMs(token, now);
				if (lifetime !== undefined) expect(lifetime).toBeGreaterThan(0);
			}),
		);
	});
});

describe('the proxy settings', () => {
	it.each([
		['https:', { HTTPS_PROXY: 'http://a' }, 'http://a'],
		['https:', { HTTP_PROXY: 'http://a' }, ''],
		['http:', { HTTPS_PROXY: 'http://a' }, ''],
		['http:', { HTTP_PROXY: 'http://a', http_proxy: 'http://b' }, 'http://b'],
		['https:', { ALL_PROXY: 'http://a' }, 'http://a'],
		['https:', { ALL_PROXY: 'http://a', HTTPS_PROXY: 'http://b' }, 'http://b'],
		['https:', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128'],
		['https:', { HTTPS_PROXY: '' }, ''],
		['https:', { HTTPS_PROXY: 'SOCKS5://a' }, 'SOCKS5://a'],
		['http:', { HTTP_PROXY: 'desk:x@a://b' }, 'http://desk:x@a://b'],
	])('for %s with %j are %p', (protocol, environment, proxy) => {
		expect(proxySettings(protocol, environment).proxy).toBe(proxy);
	});
});

describe('the proxy that is named in a message', () => {
	it.each([
		['', undefined],
		['http://proxy:3128', 'proxy:3128'],
		['http://proxy', 'proxy'],
		['https://desk:p%40ss@proxy:8443/x', 'proxy:8443'],
		['socks5://proxy:1080', 'proxy:1080'],
		[`http://desk:${'x'.repeat(2_000 - 'http://desk:@proxy'.length)}@proxy`, 'proxy'],
	])('of %j is %j', (proxy, host) => expect(proxyHost({ proxy, noProxy: '' })).toBe(host));

	it.each([
		...['http://', 'http://us er@', 'socks5://a b', 'http://desk:%@proxy', 'http://%@proxy', 'proxy'],
		`http://desk:${'x'.repeat(2_001 - 'http://desk:@proxy'.length)}@proxy`,
	])('is none, and nothing of it is shown: %j', (proxy) => {
		expect(thrown(() => proxyHost({ proxy, noProxy: '' }))).toMatchObject({
			code: 'invalidInput',
			message: 'The proxy that n8n was told to use has no address that can be used.',
			remedy: 'Ask the administrator of n8n to mend HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.',
		});
	});

	it.each([
		[{ NO_PROXY: 'a' }, 'a'],
		[{ NO_PROXY: 'a', no_proxy: 'b' }, 'b'],
		[{}, ''],
	])('is passed by for the hosts of %j', (environment, noProxy) => {
		expect(proxySettings('https:', environment).noProxy).toBe(noProxy);
	});
});
