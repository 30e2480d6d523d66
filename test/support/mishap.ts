import type { N8nClient } from '../../sandbox/n8n/n8n';
import type { NodeSketch } from '../../sandbox/n8n/workflows';
import type { Stage } from './host/stage';
import type { FakeServiceOptions } from './fakeService';

/** What a person reads. `…` stands for what differs from case to case. */
export interface Told {
	/** What happened: all of it. */
	says: string;
	/** What to do: a part of it. */
	remedy: string;
}

/** What is wrong with an account; everything else about it is right. */
export interface AccountMishap extends Told {
	/** In place of the service. */
	instead?: (stage: Stage) => FakeServiceOptions;
	account?: Record<string, unknown> | ((stage: Stage) => Promise<Record<string, unknown>>);
}

/** Something goes wrong when a node is executed. */
export interface Mishap extends AccountMishap {
	parameters?: (stage: Stage) => Record<string, unknown>;
	/** What the node before gives, or several one behind the other; an empty item unless told. */
	input?: Record<string, unknown> | Record<string, unknown>[];
	/** What else is put wrong before. */
	before?: (stage: Stage) => Promise<unknown>;
	/** What happens once the step has begun. */
	meanwhile?: (stage: Stage) => Promise<unknown>;
}

/** Something goes wrong when a list is opened. */
export interface ListMishap extends Mishap {
	parameter: string;
	/** Into its search field. */
	typed?: string;
}

/** A published workflow, and what happens to it that its trigger then reports. */
export interface ReportMishap extends Told {
	options?: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** Whose workflow it is: the owner's unless told. */
	by?: (stage: Stage) => Promise<N8nClient>;
	/** What follows the trigger: nothing that fails unless told. */
	next?: (n8n: N8nClient) => Promise<NodeSketch>;
	happens: (stage: Stage, queue: string, n8n: N8nClient) => Promise<unknown>;
}

export type Mishaps<M extends Told = Mishap> = Record<string, M>;

/** What the text can be, as a source for a regular expression. */
export function patternOf(text: string): string {
	return text
		.split('…')
		.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('[^]*');
}
