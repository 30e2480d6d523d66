import fc from 'fast-check';
import { checkBaseUrl } from '../../../service/api/baseUrl';
import { checked } from '../../../service/api/check';
import { proxySettings } from '../../../service/api/proxy';
import { responseError, retryAfterMs } from '../../../service/api/responseError';
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

	it.each([
		['ENOTFOUND', 'network', 'no host called'],
		['ECONNREFUSED', 'network', 'nothing listens'],
		['ECONNRESET', 'network', 'was lost'],
		['EPROTO', 'network', 'no secure connection'],
		['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'nothing answers'],
		['CERT_HAS_EXPIRED', 'certificate', 'has expired'],
		['CERT_REVOKED', 'certificate', 'cannot be trusted (CERT_REVOKED)'],
		['UND_ERR_HEADERS_OVERFLOW', 'unexpectedResponse', 'does not speak HTTP'],
	])('%s is %s: "%s"', (errorCode, code, text) => {
		const cause = Object.assign(new Error('inner'), { code: errorCode });
		for (const error of [cause, new Error('outer', { cause })]) {
			const ours = transportError(error, 'host:1');
			expect(ours.code).toBe(code);
			expect(ours.message.toLowerCase()).toContain(text.toLowerCase());
		}
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
	])('for %s with %j are %p', (protocol, environment, proxy) => {
		expect(proxySettings(protocol, environment).proxy).toBe(proxy);
	});
});
