import { Duplex } from 'node:stream';
import type { Clock } from '../../../service/surroundings';
import { Connection, type Fields, type Frame } from './amqplib';

/** amqplib counts a missed beat per interval, from a moment of its own, and gives up at the second. */
const BEATS_MISSED = 2;

interface ClientSide {
	/** Hands frames to the way out, in the order amqplib writes them to its socket. */
	send(frame: Frame): void;
	/** The socket was closed from this side: in order (`ended`), or at once. */
	socketClosed(): void;
}

/** amqplib's connection with frames instead of bytes. */
export class ClientConnection extends Connection {
	/** What channels wrote since the last turn: amqplib's multiplexer lets them leave one by one, a turn later. */
	private readonly written = new Map<number, Frame[]>();
	private leaving = false;
	private readonly received: Frame[] = [];
	private expects: ((error: Error | null, frame?: Frame) => void) | undefined;
	private looping = false;
	private silence: (() => void) | undefined;
	private readonly socket: Socket;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
		private readonly side: ClientSide,
	) {
		const socket = new Socket(() => side.socketClosed());
		super(socket);
		this.socket = socket;
	}

	/** Frames that have come. */
	receive(frames: readonly Frame[]): void {
		if (!this.looping) {
			this.received.push(...frames);
			this.expectNext();
			return;
		}
		try {
			for (const frame of frames) this.accept(frame);
		} catch (error) {
			this.emit('frameError', error);
		}
	}

	/** The other side closed the socket, or it broke with an error. */
	socketGone(error?: Error): void {
		this.silence?.();
		if (this.socket.gone) return;
		this.stream.emit(error ? 'error' : 'end', error);
	}

	/** Nothing comes any more (true), or again. */
	silent(on: boolean): void {
		this.silence?.();
		this.silence = undefined;
		if (!on || !this.heartbeat) return;
		const intervals = BEATS_MISSED + this.random();
		this.silence = this.clock.after(intervals * this.heartbeat * 1000, () => {
			if (!this.looping || this.expectSocketClose) return;
			const error = new Error('Heartbeat timeout');
			this.emit('error', error);
			this.toClosed('Heartbeat timeout', error);
		});
	}

	override startHeartbeater() {
		return { clear: () => this.silence?.() };
	}

	override acceptLoop(): void {
		this.looping = true;
		this.receive(this.received.splice(0));
	}

	override step(stepped: (error: Error | null, frame?: Frame) => void): void {
		this.expects = stepped;
		this.expectNext();
	}

	private expectNext(): void {
		const { expects } = this;
		if (!expects || this.received.length === 0) return;
		this.expects = undefined;
		expects(null, this.received.shift());
	}

	override sendBytes(): void {
		this.side.send({ channel: 0 });
	}

	override sendMethod(channel: number, id: number, fields: Fields): boolean {
		return this.write({ channel, id, fields });
	}

	override sendMessage(
		channel: number,
		id: number,
		fields: Fields,
		_header: number,
		properties: Fields,
		content: Buffer,
	): boolean {
		if (!Buffer.isBuffer(content)) throw new TypeError('content is not a buffer');
		return this.write({ channel, id, fields: { ...fields, properties }, content });
	}

	/** Frames of the connection itself overtake those that channels have written. */
	private write(frame: Frame): boolean {
		if (frame.channel === 0) {
			this.side.send(frame);
			return true;
		}
		const written = this.written.get(frame.channel);
		if (written) written.push(frame);
		else this.written.set(frame.channel, [frame]);
		if (!this.leaving) {
			this.leaving = true;
			this.clock.after(0, () => this.leave());
		}
		return true;
	}

	private leave(): void {
		this.leaving = false;
		const waiting = [...this.written.values()];
		this.written.clear();
		for (let row = 0, left = true; left; row += 1) {
			left = false;
			for (const frames of waiting) {
				const frame = frames[row];
				if (!frame) continue;
				left = true;
				this.side.send(frame);
			}
		}
	}

	override freshChannel(channel: { accept(frame: Frame): void }): number {
		const number = this.freeChannels.nextClearBit(1);
		this.freeChannels.set(number);
		this.channels[number] = { channel, buffer: { end() {} } };
		return number;
	}
}

/** What amqplib knows of a socket: it ends it, it listens to its end, and our link destroys it. */
class Socket extends Duplex {
	gone = false;

	constructor(private readonly onGone: () => void) {
		super();
	}

	override end(): this {
		return this.destroy();
	}

	override destroy(): this {
		if (!this.gone) {
			this.gone = true;
			this.onGone();
		}
		return this;
	}

	override _read(): void {}
}
