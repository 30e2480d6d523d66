import type { IDataObject } from 'n8n-workflow';
import type { Paging, PagingStyle } from '../../../service/api/client';
import { isTimeZone } from '../../../service/model/timeZone';
import { plainText, unusable, wholeNumber } from './values';

/** Seconds of silence after which a call is given up. */
export function timeoutSeconds(options: IDataObject): number {
	return wholeNumber(options.timeout, { label: 'Timeout', least: 1, most: 3600, missing: 60 });
}

export function parallelDownloads(options: IDataObject): number {
	return wholeNumber(options.parallelDownloads, {
		label: 'Parallel Downloads',
		least: 1,
		most: 32,
		missing: 8,
	});
}

/** Milliseconds to wait for what is not ready yet. */
export function waitMs(options: IDataObject, missingSeconds: number): number {
	const seconds = wholeNumber(options.waitSeconds, {
		label: 'Wait Up To',
		least: 0,
		most: 3600,
		missing: missingSeconds,
	});
	return seconds * 1000;
}

export function paging(options: IDataObject): Paging {
	const style = plainText(options.paging) || 'auto';
	if (!isPagingStyle(style)) {
		throw unusable(
			'Paging',
			`cannot be "${style}"`,
			'Choose from the list, or use auto, query or body in an expression.',
		);
	}
	const pageSize = wholeNumber(options.pageSize, {
		label: 'Page Size',
		least: 1,
		most: 1000,
		missing: 100,
	});
	return { style, pageSize };
}

function isPagingStyle(style: string): style is PagingStyle {
	return style === 'auto' || style === 'query' || style === 'body';
}

/** The zone the service's dates are in. */
export function timeZone(options: IDataObject): string {
	const zone = plainText(options.timeZone) || 'UTC';
	if (isTimeZone(zone)) return zone;
	throw unusable(
		'Time Zone',
		`is not known: ${JSON.stringify(zone)}`,
		'Use a name such as UTC or Europe/Amsterdam.',
	);
}
