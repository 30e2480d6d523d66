import type { IDataObject } from 'n8n-workflow';
import type { Paging, PagingStyle } from '../../../service/api/client';
import { isTimeZone } from '../../../service/model/timeZone';
import {
	PAGE_SIZE,
	PAGING,
	PARALLEL_DOWNLOADS,
	TIME_ZONE,
	TIMEOUT,
	type WholeNumber,
} from '../descriptions/defaults';
import { plainText, shownValue, unusable, wholeNumber } from './values';

/** How an input item has the service asked. */
export interface CallSettings {
	/** Seconds of silence after which a call is given up. */
	timeoutSeconds: number;
	/** Connections at most. */
	parallelDownloads: number;
	/** How often a call is tried at most: as often as calls are, unless told. */
	tries?: number;
}

export function callSettings(options: IDataObject): CallSettings {
	return {
		timeoutSeconds: wholeNumber(options.timeout, { label: 'Timeout', ...TIMEOUT }),
		parallelDownloads: wholeNumber(options.parallelDownloads, {
			label: 'Parallel Downloads',
			...PARALLEL_DOWNLOADS,
		}),
	};
}

/** Milliseconds to wait for what is not ready yet. */
export function waitMs(options: IDataObject, bounds: WholeNumber): number {
	return wholeNumber(options.waitSeconds, { label: 'Wait Up To', ...bounds }) * 1000;
}

export function paging(options: IDataObject): Paging {
	const style = plainText(options.paging) || PAGING;
	if (!isPagingStyle(style)) {
		throw unusable(
			'Paging',
			`cannot be ${shownValue(style)}`,
			'Choose from the list, or use auto, query or body in an expression.',
		);
	}
	const pageSize = wholeNumber(options.pageSize, { label: 'Page Size', ...PAGE_SIZE });
	return { style, pageSize };
}

function isPagingStyle(style: string): style is PagingStyle {
	return style === 'auto' || style === 'query' || style === 'body';
}

/** The zone the service's dates are in. */
export function timeZone(options: IDataObject): string {
	const zone = plainText(options.timeZone) || TIME_ZONE;
	if (isTimeZone(zone)) return zone;
	throw unusable(
		'Time Zone',
		`is not known: ${shownValue(zone)}`,
		'Use a name such as UTC or Europe/Amsterdam.',
	);
}
