import type { ChannelModel } from 'amqplib';
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';

/**
 * The inside of amqplib. What it makes of the broker's frames is its own code here as in production; the model replaces
 * what is below: the encoding of frames, the socket, and the broker at its other end.
 */
const load = createRequire(__filename);
const inside = (file: string): unknown => load(join(dirname(load.resolve('amqplib')), 'lib', file));

/** One frame, decoded. Those of the header of a body have a size, those of the body have content. */
export interface Frame {
	channel: number;
	/** The number of the method, as in {@link methods}. */
	id?: number;
	fields?: Fields;
	size?: number;
	content?: Buffer;
}

export type Fields = Record<string, unknown>;

interface ConnectionInside extends EventEmitter {
	readonly stream: Duplex;
	readonly channels: ({ channel: { accept(frame: Frame): void }; buffer: { end(): void } } | null)[];
	readonly freeChannels: {
		nextClearBit(from: number): number;
		set(bit: number): void;
		clear(bit: number): void;
	};
	readonly channelMax: number;
	heartbeat: number;
	/** True once the end of the socket is no surprise any more. */
	expectSocketClose: boolean;
	accept(frame: Frame): void;
	open(fields: Fields, opened: (error: Error | null) => void): void;
	startHeartbeater(): { clear(): void } | null;
	acceptLoop(): void;
	step(stepped: (error: Error | null, frame?: Frame) => void): void;
	sendBytes(bytes: Buffer): void;
	sendMethod(channel: number, method: number, fields: Fields): boolean;
	sendMessage(
		channel: number,
		method: number,
		fields: Fields,
		header: number,
		properties: Fields,
		content: Buffer,
	): boolean;
	freshChannel(channel: { accept(frame: Frame): void }, options?: object): number;
	toClosed(stack: string, error?: Error): void;
}

export const { Connection } = inside('connection.js') as {
	Connection: new (socket: Duplex) => ConnectionInside;
};

export const { ChannelModel: ModelOfConnection } = inside('channel_model.js') as {
	ChannelModel: new (connection: ConnectionInside) => ChannelModel;
};

/** Numbers of the methods of AMQP 0-9-1. */
export const methods = inside('defs.js') as Record<MethodName, number> & {
	info(id: number): { classId: number; methodId: number };
};

type MethodName =
	| `Connection${'Start' | 'StartOk' | 'Tune' | 'TuneOk' | 'Open' | 'OpenOk' | 'Close' | 'CloseOk'}`
	| `Connection${'Blocked' | 'Unblocked'}`
	| `Channel${'Open' | 'OpenOk' | 'Close' | 'CloseOk'}`
	| `Queue${'Declare' | 'DeclareOk'}`
	| `ConfirmSelect${'' | 'Ok'}`
	| `Basic${'Qos' | 'QosOk' | 'Consume' | 'ConsumeOk' | 'Cancel' | 'CancelOk' | 'Publish' | 'Deliver'}`
	| `Basic${'Get' | 'GetOk' | 'GetEmpty' | 'Ack' | 'Nack' | 'Reject' | 'Properties'}`;
