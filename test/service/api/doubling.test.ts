import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chosenFilters, contradicted, isComparable, wordOn } from '../../../service/api/contradiction';
import { anyOf } from '../../../service/api/anyOf';
import { secretFree } from '../../../service/api/secretFree';
import { Readable } from 'node:stream';
import { readJson, readShortText, unexpected, type HttpAnswer } from '../../../service/api/answer';
import { checkBaseUrl } from '../../../service/api/baseUrl';
import { decoded, hasPlainSigns, readText, withoutHalfLetter } from '../../../service/api/body';
import { named } from '../../../service/api/callName';
import { checked } from '../../../service/api/check';
import { JsonBounds } from '../../../service/api/jsonBounds';
import { logIn, loginKey, secretsOf, tokenSecrets } from '../../../service/api/login';
import {
	beginningWithoutSecrets,
	maskOf,
	withoutKnownSecrets,
	withoutSecrets,
} from '../../../service/api/masking';
import { bodyOf, pageAsker, type AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import { takePdf } from '../../../service/api/pdf';
import { proxyHost, proxySettings } from '../../../service/api/proxy';
import {
	namesRefusedToken,
	refusedStatusIn,
	responseError,
	retryAfterMs,
	tellsTokenEnded,
} from '../../../service/api/responseError';
import { saysNo, saysYes } from '../../../service/api/yesOrNo';
import { moreFollows, otherTotalIn, totalInHeaders } from '../../../service/api/moreFollows';
import { cutIn, isTrouble, troubleIn } from '../../../service/api/trouble';
import { printOf } from '../../../service/api/print';
import { contentId, makePrints, rowId, RowNames } from '../../../service/api/rowNames';
import { isPdf, wasTakenForText } from '../../../service/api/pdfStart';
import { isWebPage, sentenceIn, whatWasSaid } from '../../../service/api/said';
import { transportError } from '../../../service/api/transportError';
import { isServiceError, ServiceError } from '../../../service/errors';
import { trustedAuthorities } from '../../../service/model/authorities';
import { bearerTokenIn, bearerTokenLifetimeMs } from '../../../service/model/bearerToken';
import { canonicalJson } from '../../../service/model/canonicalJson';
import { documentsOfTypes, documentTypeKey } from '../../../service/model/documentType';
import { isExact } from '../../../service/model/exactJson';
import { eventIdentity, readStatusEvent, StatusEventBody } from '../../../service/model/event';
import { eventInstant } from '../../../service/model/eventDate';
import { fileNameKey, FileNames, safeFileName, withIdBehind } from '../../../service/model/fileName';
import {
	checkTemplate,
	fileNameFacts,
	fillTemplate,
	PLACEHOLDERS,
} from '../../../service/model/fileNameTemplate';
import { folded } from '../../../service/model/folded';
import { instanceKind } from '../../../service/model/instance';
import {
	isoInstant,
	modifiedInstant,
	modifiedIso,
	modifiedSince,
	offsetMinutes,
} from '../../../service/model/modifiedDate';
import { monthOf } from '../../../service/model/month';
import { parsedJson } from '../../../service/model/parsedJson';
import { membersIn, memberTwice, withLongNumbersAsText } from '../../../service/model/wholeJson';
import { asParty, mergedParty, partyId, partyName, PartyWithId } from '../../../service/model/party';
import { pemBlocks, repairPem } from '../../../service/model/pem';
import { SearchAnswer } from '../../../service/model/searchAnswer';
import {
	asRow,
	documentIdOf,
	documentsOf,
	idKey,
	isSet,
	SetResult,
	shownStatus,
	shownText,
	mergedSet,
} from '../../../service/model/set';
import { seenIdentity, setEvent } from '../../../service/model/setEvent';
import { simplifySet } from '../../../service/model/simplifiedSet';
import { isChosenStatus } from '../../../service/model/status';
import { isTimeZone } from '../../../service/model/timeZone';
import { canonicalWord } from '../../../service/model/canonicalWord';
import { isUuid } from '../../../service/model/uuid';
import { apiAccount, readAll } from '../../support/apiAccount';
import { growsFaster, wall } from '../../support/doubling';
import { silent } from '../../support/silent';

/** Every reader of what the service sends or a person types takes time in proportion to its length. */

const SECRETS = ['Quay 7: Göteborg', 'aaaa', 'pw'];

/** An answer of the service that comes in small pieces. */
function answer(text: string, status = 200): HttpAnswer {
	const bytes = Buffer.from(text);
	const pieces = Array.from({ length: Math.ceil(bytes.length / 256) }, (_, index) =>
		bytes.subarray(index * 256, (index + 1) * 256),
	);
	return {
		...{ status, headers: {}, body: Readable.from(pieces, { objectMode: false }) },
		...{ redirected: false, secrets: SECRETS },
		...{ timeoutMs: 60_000 },
		asError: (error) => transportError(error, 'host'),
	};
}

const json = JSON.stringify;
const set = (text: string) => ({
	...{ setId: text, parcelRef: text, shipmentRef: text, status: text, quantity: text, modifiedDate: text },
	...{ signature: text, vesselName: text, billOfLadingDate: text },
	documents: [{ documentId: text, name: text, docType: text }],
});
const facts = (text: string) => fileNameFacts(set(text), { documentId: text, name: text, docType: text });
const event = (text: string) => ({
	newStatus: text,
	instance: text,
	actor: text,
	updatedDate: text,
	[text]: text,
});

/** Searches through so many rows, as the service words them. */
async function searchThrough(
	total: number,
	key: (index: number) => string,
	endsFirst: boolean,
): Promise<void> {
	const calls = {
		send: () => Promise.reject(new Error('is not asked for')),
		json: async <T>({ path }: { path: string }, read: (json: never) => T) => {
			const query = new URL(path, 'http://x').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
			const results = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) => ({
				setId: key(offset + index),
			}));
			return read({
				value: { data: { offset, total, results } },
				bytes: 100,
				secrets: [],
				headers: {},
			} as never);
		},
	};
	const askPage: AskPage = pageAsker(calls, {}, 'query');
	for await (const rows of searchRows(askPage, {
		style: 'query',
		pageSize: 100,
		width: 8,
		endsFirst,
		logger: silent,
	})) {
		if (rows.length < 0) break;
	}
}

/** What each reader does with a text. */
const READERS: Record<string, (text: string) => unknown> = {
	trustedAuthorities,
	bearerTokenIn: (text) => [bearerTokenIn({ token: text }), bearerTokenIn({ token: `Bearer ${text}` })],
	bearerTokenLifetimeMs: (text) => [bearerTokenLifetimeMs(text, 0), bearerTokenLifetimeMs(`a.${text}.b`, 0)],
	canonicalJson: (text) => canonicalJson({ [text]: [text] }),
	parsedJson: (text) => [parsedJson(text), parsedJson(JSON.stringify([text])), parsedJson(`"${text}`)],
	isExact: (text) => [
		isExact(text, {}),
		isExact(JSON.stringify([text, { [text]: text }]), {}),
		isExact(`"${text}`, []),
	],
	documentTypeKey,
	'documentsOfTypes, by entries': (text) =>
		documentsOfTypes(
			[...text].map((letter) => ({ documentId: null, docType: letter })),
			[...text],
		),
	eventIdentity: (text) => eventIdentity(event(text)),
	readStatusEvent: (text) => readStatusEvent(event(text)),
	StatusEventBody: (text) => StatusEventBody.safeParse(event(text)),
	eventInstant: (text) => [eventInstant(text), eventInstant(`Fri Nov 20 09:48:00 ${text} 2026`)],
	safeFileName: (text) => safeFileName(text, '.pdf'),
	withIdBehind: (text) => [withIdBehind(`${text}.pdf`, 'id', '.pdf'), withIdBehind('a.pdf', text, '.pdf')],
	'FileNames, by names': (text) => {
		const names = new FileNames();
		// As many names as a text has letters, one of them long.
		names.claim(`${text}.pdf`, '.pdf');
		for (const letter of text) names.claim(`${letter}.pdf`, '.pdf');
	},
	fileNameKey,
	fileNameFacts: facts,
	checkTemplate: (text) => checkTemplate(text, PLACEHOLDERS),
	fillTemplate: (text) => {
		fillTemplate('{name}_{parcelRef}', facts(text));
		fillTemplate(text, facts('x'));
	},
	folded,
	instanceKind,
	modifiedInstant: (text) => modifiedInstant(text, 'Europe/Berlin'),
	modifiedIso: (text) => modifiedIso(text, 'Europe/Berlin'),
	isoInstant: (text) => isoInstant(text, 'UTC'),
	offsetMinutes: (text) => offsetMinutes('+', text, text),
	modifiedSince: (text) => modifiedSince(text, 0, 'UTC'),
	monthOf,
	PartyWithId: (text) => PartyWithId.safeParse({ customerId: text, [text]: text }),
	partyId: (text) => partyId({ customerId: text }),
	partyName: (text) => partyName({ customerName: text }),
	pemBlocks,
	repairPem: (text) => [
		repairPem(text),
		repairPem(`-----BEGIN CERTIFICATE-----${text}-----END CERTIFICATE-----`),
	],
	SearchAnswer: (text) => SearchAnswer.safeParse({ data: { total: 1, results: [...text], [text]: text } }),
	SetResult: (text) => SetResult.safeParse(set(text)),
	asRow,
	isSet: (text) => isSet(set(text)),
	idKey,
	'documentsOf, by entries': (text) =>
		documentsOf({ documents: [...text].map((letter) => ({ name: letter })) }),
	documentIdOf: (text) => documentIdOf({ documentId: null, name: text, docType: text }),
	shownText,
	shownStatus: (text) => shownStatus({ status: text }),
	setEvent: (text) => setEvent(set(text), 'UTC'),
	seenIdentity: (text) => seenIdentity(set(text)),
	simplifySet: (text) => [simplifySet(set(text), 'UTC')],
	'simplifySet, by entries': (text) => [
		simplifySet({ documents: [...text], setId: 'a' }, 'UTC'),
		simplifySet(Object.fromEntries([...text].map((letter, index) => [`${letter}${index}`, letter])), 'UTC'),
	],
	isChosenStatus: (text) => isChosenStatus(text, ['OTHER', text]),
	isTimeZone,
	canonicalWord,
	isUuid,
	decoded: (text) => readAll(decoded(answer(text).body, { 'content-encoding': text })),
	hasPlainSigns: (text) =>
		[text, `charset=${text}`, `${text};charset=x`].map((type) => hasPlainSigns({ 'content-type': type })),
	readText: (text) =>
		readText(answer(text).body, {
			timeoutMs: 60_000,
			mostBytes: 1e9,
			headers: { 'content-type': `charset=${text}` },
		}),
	readJson: async (text) => {
		for (const body of [text, json(text), `[${json(text)}`])
			await readJson(answer(body)).catch(() => undefined);
	},
	readShortText: (text) => readShortText(answer(text, 500)),
	unexpected: (text) => unexpected({ secrets: SECRETS }, 'is odd', text),
	checkBaseUrl: (text) => {
		for (const typed of [text, `https://${text}`, `https://host/${text}`, `https://host${text}/`]) {
			try {
				checkBaseUrl(typed);
			} catch {
				// The next one.
			}
		}
	},
	named: (text) =>
		named({ method: 'GET', path: text }, () => Promise.reject(new ServiceError('network', 'No'))).catch(
			() => undefined,
		),
	checked: (text) => {
		try {
			checked(SearchAnswer, { message: text, data: { total: text } }, SECRETS);
		} catch {
			checked(SearchAnswer, { data: { [text]: text, total: -1 } }, SECRETS);
		}
	},
	JsonBounds: (text) => {
		const bounds = new JsonBounds();
		for (const letter of text) bounds.exceededBy(Buffer.from(letter));
	},
	logIn: async (text) => {
		for (const body of [text, json({ token: text }), json(text)]) {
			await logIn(apiAccount('http://host'), () => Promise.resolve(answer(body))).catch(() => undefined);
		}
		const typed = apiAccount('http://host', { loginStyle: 'headers', username: text, password: text });
		await logIn(typed, () => Promise.resolve(answer('{}')));
	},
	secretsOf: (text) => secretsOf(apiAccount('http://host', { username: text, password: text })),
	tokenSecrets,
	loginKey: (text) => loginKey(apiAccount('http://host', { username: text, password: text })),
	withoutSecrets: (text) => withoutSecrets(text, SECRETS),
	'withoutSecrets, by the secret': (text) => withoutSecrets(wall('a', 4_000), [text]),
	bodyOf: (text) => bodyOf({ status: text, otherFilters: { [text]: text } }),
	anyOf: (text) => [
		anyOf(['Quay 7: Göteborg', `${text.slice(0, 20)}9:a`])(text),
		anyOf([`${text.slice(-20)}9a`])(text),
	],
	printOf: (text) => [printOf(text), printOf({ [text]: [text] })],
	'RowNames, rowId and contentId': (text) => {
		const names = new RowNames();
		for (const value of [set(text), set(`${text}a`), { ...set(text), vesselName: 'a' }]) {
			rowId({ key: text, value });
			contentId({ key: text, value });
			names.compare({ key: text, value }, text);
			names.name({ key: text, value }, 'here', new Set());
		}
	},
	makePrints: async (text) => {
		const rows = Array.from(text.slice(0, text.length / 8), (sign) => ({ key: sign, value: set(sign) }));
		await makePrints(rows, 8);
	},
	'RowNames, by rows of one set': (text) => {
		const names = new RowNames();
		for (let row = 0; row < text.length / 8; row++) {
			const value = { setId: 'a', documents: [{ documentId: String(row) }] };
			names.name({ key: 'a', value }, row % 2 === 0 && 'elsewhere', new Set());
		}
	},
	'RowNames, by rows of one set that hold the same papers': (text) => {
		for (const changes of [false, true]) {
			const names = new RowNames();
			const row = (cargoName: string) => ({ key: 'a', value: { setId: 'a', cargoName } });
			for (const page of ['first', 'second']) {
				const given = new Set<string>();
				for (let at = 0; at < text.length / 4; at++)
					given.add(names.name(row(`${page} ${at}`), 'here', given));
				if (changes) names.compare(row('other'), 'a');
			}
		}
	},
	'pageAsker, searchRows and Reading, by rows': async (text) => {
		await searchThrough(text.length, (index) => `${text.charAt(index)}${index}`, false);
		await searchThrough(text.length, (index) => `${text.charAt(index)}${index}`, true);
	},
	'pageAsker, searchRows and Reading, by rows that repeat': (text) =>
		searchThrough(text.length, (index) => `${text.charAt(index)}${index % 1_000}`, false),
	takePdf: async (text) => {
		for (const body of [text, `%PDF-1.7\n${text}`])
			await takePdf(answer(body), readAll, new Set()).catch(() => undefined);
	},
	'proxySettings and proxyHost': (text) => {
		const settings = proxySettings('https:', { HTTPS_PROXY: text, NO_PROXY: text });
		try {
			proxyHost(settings);
		} catch (error) {
			if (!isServiceError(error)) throw error;
		}
	},
	refusedStatusIn: (text) => refusedStatusIn({ code: text }),
	'tellsTokenEnded and namesRefusedToken': (text) =>
		[text, `token ${text}`, json({ code: text })].map((told) => [
			tellsTokenEnded(told),
			namesRefusedToken(told),
		]),
	responseError: (text) => {
		const headers = { location: text, 'www-authenticate': text, 'retry-after': text };
		for (const status of [302, 400, 401, 500]) responseError({ status, headers, secrets: SECRETS }, text);
	},
	retryAfterMs: (text) => retryAfterMs({ 'retry-after': text, date: text }),
	'withoutKnownSecrets, beginningWithoutSecrets, maskOf and secretFree': (text) => {
		withoutKnownSecrets(text, SECRETS);
		beginningWithoutSecrets(text, text.length / 2, SECRETS);
		maskOf(SECRETS)(text);
		secretFree({ a: [text], [text]: text }, json(text), ['Quay 7: Göteborg', `${text.slice(0, 20)}9:a`]);
	},
	'setEvent and seenIdentity': (text) => [setEvent(set(text), 'Europe/Berlin'), seenIdentity(set(text))],
	'wordOn, chosenFilters, contradicted and isComparable': (text) => {
		const asked = { status: text, instance: text, customerIds: [text], shipmentRef: text };
		contradicted(asked, { status: 'x', instance: text, shipmentRef: text });
		isComparable({ status: text });
		return [chosenFilters(asked), wordOn('shipmentRef', asked, { shipmentRef: `${text}x` })];
	},
	'asParty, mergedParty and mergedSet': (text) => [
		mergedParty([{ signatures: [text] }, { signatures: [...text] }]),
		asParty(text),
		mergedSet([
			{ setId: text, documents: [text] },
			{ setId: text, documents: [text] },
		]),
	],
	whatWasSaid: (text) => {
		for (const body of [text, json({ message: text }), `{"message":${json(text)}`, `<html>${text}`]) {
			whatWasSaid(body, SECRETS);
		}
	},
	'withLongNumbersAsText, memberTwice and membersIn': (text) => {
		for (const given of [json({ [text]: [text] }), `{"a":${json(text)},"a":"b${json(text).slice(1)}}`]) {
			withLongNumbersAsText(given);
			memberTwice(given);
		}
		withLongNumbersAsText(`[${text.replace(/./gs, '1')}]`);
		membersIn({ [text]: [...text] });
	},
	'moreFollows and totalInHeaders': (text) => {
		moreFollows({ link: text }, { links: [{ rel: text }], [text]: text });
		totalInHeaders({ 'content-range': text, 'x-total-count': text, 'x-total': `items 0-${text}` });
	},
	otherTotalIn: (text) => otherTotalIn({ totalCount: text, [text]: 1, page: { total: text, [text]: text } }),
	'troubleIn, cutIn and isTrouble': (text) =>
		[{ error: [text], success: text }, { partial: text, [text]: true }, { isTruncated: text }].map((told) => [
			troubleIn(told),
			cutIn(told),
			isTrouble([...text]),
		]),
	'saysYes and saysNo': (text) => [text, ` ${text}`].map((told) => [saysYes(told), saysNo(told)]),
	'isPdf, wasTakenForText and withoutHalfLetter': (text) =>
		[text, `${text}%PDF-1.7\n${text}`, `%PDF-1.7\n${text}`]
			.map((start) => Buffer.from(start))
			.map((start) => [isPdf(start), wasTakenForText(start), withoutHalfLetter(start)]),
	isWebPage: (text) => [isWebPage(text), isWebPage(`<!--${text}`), isWebPage(`<?xml ${text}`)],
	sentenceIn: (text) => sentenceIn({ errorMessage: ' ', message: { message: text }, error: text }),
	transportError: (text) => [
		transportError(new Error(text), 'host'),
		transportError(Object.assign(new Error(`Proxy response (${text}`), { code: text }), text),
	],
};

/** What is exported and reads no text from outside: constants, ways to send and to wait, and what is made of readers above. */
const NO_READERS = [
	...['KNOWN_STATUSES', 'LONGEST_DATE', 'OTHER_STATUS', 'PLACEHOLDERS', 'UUID_PATTERN'],
	...['grouped', 'instantIn', 'isoIn', 'wallTime'],
	...['CONNECTIONS', 'MOST_CONNECTIONS', 'LARGE_BYTES', 'MOST_JSON_BYTES', 'SHORT_TEXT_BYTES', 'isSuccess'],
	...['LARGEST_PAGE_BYTES', 'PRINT'],
	...['inOrder', 'isRoundCount', 'leavesOut', 'listMayGoOn', 'Narrower', 'retrying', 'troubleAsSuccess'],
	...['decodedBody', 'wayTo', 'headInTime', 'mendPausedParser', 'openCalls', 'openClient'],
	...['Gathered', 'isPageLike', 'completenessOf', 'mayBeOnePage', 'readsOn', 'totalsOf', 'READINGS'],
	...[
		'openTransport',
		'testAccount',
		'tokensOf',
		'pageOrFailure',
		'isRefusal',
		'refusesPage',
		'isBehindEnd',
		'TAIL_BYTES',
	],
];

const exported = ['api', 'model'].flatMap((part) => {
	const folder = join(__dirname, '../../../service', part);
	return readdirSync(folder).flatMap((file) => Object.keys(jest.requireActual<object>(join(folder, file))));
});

it('every export is a reader that is tried below, or none', () => {
	const known = [
		...Object.keys(READERS).flatMap((name) => name.replace(/, by .*/, '').split(/, | and /)),
		...NO_READERS,
	];
	expect([...new Set(known)].sort()).toEqual([...new Set(exported)].sort());
});

/** Of such pieces, a text is a wall that careless patterns run against. */
const PIECES = [
	...[
		'a',
		'A',
		'1',
		' ',
		'\t',
		'\n',
		'\u0000',
		'\u200b',
		'e\u0301',
		'\u0301',
		'İ',
		'ß',
		'\ud83d\udea2',
		'\ud83d',
	],
	...['.', '-', '_', '/', '=', '+', ':', ',', '%', '&', '&#', '&amp;', '%2526', '\\', '\\\\n', '\\u0041'],
	...['{', '}', '{}', '[', '"', '":"', '{"a":', '"message":"', '{name}', '{first ', '{first 8 of '],
	...[
		'<',
		'<title',
		'<title>',
		'<h1 ',
		'<?xml',
		'.pdf',
		'.pdf ',
		'_vti_',
		'null ',
		' of ',
		'1 of ',
		'20 November ',
	],
	...[
		'Basic ',
		'Bearer a',
		'eyJaaaaa',
		'eyJaaaaa-',
		'eyJaaaaa.',
		'aaab',
		'-----BEGIN A-----',
		'-----',
		' -',
		'T1',
	],
];

it.each(Object.entries(READERS))(
	'%s takes no time that grows faster than what it reads',
	async (name, read) => {
		const slow: Record<string, number[]> = {};
		// How many there are counts for these, and not what they hold.
		for (const piece of name.includes(', by ') ? ['ab'] : PIECES) {
			const work = await growsFaster((size) => {
				const text = wall(piece, size);
				return () => read(text);
			});
			if (work) slow[piece] = work;
		}
		expect(slow).toEqual({});
	},
	// The work is counted, and not the time.
	300_000,
);

describe('the test itself', () => {
	it.each<[string, (text: string) => unknown]>([
		['a pattern that looks on from each place', (text) => /\s+$/.test(text.slice(text.length / 2))],
		[
			'a list that is gone through for each of its entries',
			(text) => {
				const rows = [...text.slice(text.length * 0.75)];
				return rows.filter((_, index) => rows.lastIndexOf('?', index) >= 0);
			},
		],
	])('sees %s', async (_label, read) => {
		const work = await growsFaster((size) => () => read(wall(' ', size)));
		expect(work).toBeDefined();
	});

	it('takes work in proportion for what it is', async () => {
		expect(
			await growsFaster(
				(size) => () =>
					wall('a', size * 20)
						.split('')
						.sort().length,
			),
		).toBeUndefined();
	});
});
