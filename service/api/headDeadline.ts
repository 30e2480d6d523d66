import type { Dispatcher } from 'undici';
import { systemClock, within } from '../surroundings';

/**
 * One deadline from the sending of a request to the end of its answer's head: `headersTimeout`. undici's own begins
 * anew with each answer that is only interim (103), and an endless row of them would outlive it.
 *
 * @param Late undici's error for a head that did not come
 */
export function headInTime(Late: new () => Error): Dispatcher.DispatcherComposeInterceptor {
	return (dispatch) => (options, handler) => {
		const limitMs = options.headersTimeout;
		if (!limitMs) return dispatch(options, handler);
		let over = () => {};
		const watched: Dispatcher.DispatchHandler = {
			// Called again when undici sends it again, over another connection.
			onRequestStart(controller, context) {
				over();
				const head = new Promise<void>((resolve) => (over = resolve));
				within(systemClock, limitMs, head, () => new Late()).catch((late: Error) => controller.abort(late));
				handler.onRequestStart?.(controller, context);
			},
			onResponseStart(controller, statusCode, ...head) {
				if (statusCode >= 200) over();
				handler.onResponseStart?.(controller, statusCode, ...head);
			},
			onResponseData: (...data) => handler.onResponseData?.(...data),
			onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
			onResponseError(...failure) {
				over();
				handler.onResponseError?.(...failure);
			},
		};
		return dispatch(options, watched);
	};
}
