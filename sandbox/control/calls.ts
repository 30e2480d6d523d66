import type { Service } from '../service';

/** A call to the service in a clerk's words. */
interface Call {
	at: number;
	what: string;
	/** The HTTP status. */
	status: number;
	bytes: number;
}

const mostCalls = 60;
const pdfPath = /^\/v3\/common\/sets\/([^/]+)\/get-single-pdf\/([^/?]+)/;
const words: Array<[RegExp, string]> = [
	[/^\/v3\/common\/oauth2\/token/, 'Logged in'],
	[/^\/v3\/common\/sets\/search/, 'Searched the sets'],
	[/^\/v3\/common\/counterparties/, 'Looked up the counterparties'],
	[/^\/v3\/exchange\/customers/, 'Looked up the customers'],
];

/** The newest calls that the service answered, newest first. */
export function callsOf(service: Service): Call[] {
	return service.requests
		.slice(-mostCalls)
		.reverse()
		.map(({ at, path, status, bytes }) => ({ at, what: whatOf(service, path), status, bytes }));
}

function whatOf(service: Service, path: string): string {
	const [, setId, documentId] = pdfPath.exec(path) ?? [];
	if (setId && documentId) {
		const set = service.data.find(setId);
		const document = set?.documents.find((one) => one.documentId === documentId.toLowerCase());
		return set && document
			? `Fetched ${document.name} of ${set.parcelRef}`
			: 'Asked for a PDF that is not there';
	}
	return words.find(([pattern]) => pattern.test(path))?.[1] ?? 'Asked for something else';
}
