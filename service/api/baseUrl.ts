import { ServiceError } from '../errors';

/**
 * The base URL of an account, ready for a path of the service's interface to be appended: `https://host/some/path`,
 * without a slash at its end.
 *
 * @throws ServiceError `invalidInput` with a remedy. The message never repeats what was typed: it may hold a password.
 */
export function checkBaseUrl(typed: string): string {
	const text = typed.trim();
	if (text === '')
		throw refused('is empty', 'Type the address of the service, like https://service.example.com.');
	if (!/^https?:\/\//i.test(text)) {
		throw refused('does not begin with https:// or http://', 'Put https:// in front of the address.');
	}
	if (/[\s\\\p{Cc}]/u.test(text)) {
		throw refused('holds a space, a line break or a backslash', 'Type it again without that.');
	}
	const url = parse(text);
	if (url.username !== '' || url.password !== '') {
		throw refused(
			'holds a user name or a password',
			'Take them out of the address and put them in their own fields.',
		);
	}
	if (/[?#]/.test(text)) {
		throw refused('holds a ? or a #', 'Take that sign and all that follows it out of the address.');
	}
	let end = url.pathname.length;
	while (url.pathname.charAt(end - 1) === '/') end--;
	return url.origin + url.pathname.slice(0, end);
}

function parse(text: string): URL {
	try {
		return new URL(text);
	} catch (error) {
		throw refused('is no address', 'Check it for typing mistakes.', error);
	}
}

function refused(why: string, remedy: string, cause?: unknown): ServiceError {
	return new ServiceError('invalidInput', `The base URL in the credential ${why}.`, { remedy, cause });
}
