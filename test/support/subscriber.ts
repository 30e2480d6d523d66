import type { Broker } from '../../sandbox/broker/broker';
import type {
	DeliveredEvent,
	LaneOptions,
	Problem,
	QueueAddress,
	RunOutcome,
	Subscription,
} from '../../service/queue/contract';
import type { Logger } from '../../service/surroundings';

export const READER = { user: 'reader', password: 'reader: pässword' };

/** A logger that keeps its lines. */
export function recordingLogger(): Logger & { lines: string[] } {
	const lines: string[] = [];
	const write = (level: string) => (message: string, meta?: unknown) =>
		void lines.push(`${level} ${message} ${meta ? JSON.stringify(meta) : ''}`);
	return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export function addressOf(broker: Broker, changes: Partial<QueueAddress> = {}): QueueAddress {
	return {
		host: '127.0.0.1',
		port: broker.port,
		vhost: '/',
		username: READER.user,
		password: READER.password,
		tls: false,
		caCertificate: '',
		clientCertificate: '',
		clientKey: '',
		passphrase: '',
		serverName: '',
		...changes,
	};
}

const DEFAULT_OPTIONS: LaneOptions = {
	removeWhen: 'succeeded',
	parallelRuns: 5,
	keepOrder: true,
	attempts: 5,
	batchSize: 1,
	batchWaitMs: 2_000,
	skipRepeats: true,
};

export interface Run {
	events: readonly DeliveredEvent[];
	attempt: number;
}

export interface RecordingSubscriber extends Subscription {
	runs: Run[];
	/** Set ids in the order their runs began. */
	readonly setIds: string[];
	problems: Problem[];
	/** Runs going on at this moment, and the most there were. */
	running: number;
	mostRunning: number;
}

/** A subscriber that writes down what it is given; `outcome` decides how its runs end. */
export function subscriber(
	address: QueueAddress,
	queue: string,
	changes: Partial<Omit<Subscription, 'options'>> & {
		options?: Partial<LaneOptions>;
		outcome?: (run: Run) => RunOutcome | Promise<RunOutcome>;
	} = {},
): RecordingSubscriber {
	const { options, outcome = () => ({ kind: 'succeeded' }), ...rest } = changes;
	const recording: RecordingSubscriber = {
		key: 'workflow:node',
		title: 'Test workflow',
		queue,
		filter: { statuses: [], customerIds: [], instances: [] },
		options: { ...DEFAULT_OPTIONS, ...options },
		readAddress: async () => address,
		runs: [],
		problems: [],
		running: 0,
		mostRunning: 0,
		get setIds() {
			return recording.runs.flatMap(({ events }) => events.map(({ event }) => event.setId ?? ''));
		},
		async run(events, attempt) {
			const run = { events: [...events], attempt };
			recording.runs.push(run);
			recording.running += 1;
			recording.mostRunning = Math.max(recording.mostRunning, recording.running);
			try {
				return await outcome(run);
			} finally {
				recording.running -= 1;
			}
		},
		report: (problem) => void recording.problems.push(problem),
		...rest,
	};
	return recording;
}
