import { methods, type Fields, type Frame } from './amqplib';
import { ServerChannel, type ChannelSurroundings } from './serverChannel';

/** What a connection needs of its broker. */
interface ConnectionSurroundings extends Omit<ChannelSurroundings, 'send' | 'released' | 'mayRead'> {
	/** Frames to the client, which arrive together. */
	send(frames: readonly Frame[]): void;
	/** Closes the socket from this side, when all that was sent has gone. */
	closeSocket(): void;
	knows(user: string, password: string): boolean;
	/** What AMQP says of a virtual host that this user may not enter; undefined for welcome. */
	vhostRefusal(user: string, vhost: string): string | undefined;
	mayRead(user: string, queue: string): boolean;
	freshNumber(): number;
	random(): number;
	/** Nothing more comes from it. */
	gone(): void;
}

const PROTOCOL_HEADER = undefined;

/** One connection at the broker's end. */
export class ServerConnection {
	/** Who logged in, once somebody has. */
	user = '';
	private state: 'opening' | 'open' | 'closing' | 'gone' = 'opening';
	private readonly channels = new Map<number, ServerChannel>();

	constructor(private readonly surroundings: ConnectionSurroundings) {}

	get open(): boolean {
		return this.state === 'open';
	}

	/** It has a consumer, as far as the broker knows. */
	get reads(): boolean {
		for (const { hasConsumers } of this.channels.values()) if (hasConsumers) return true;
		return false;
	}

	/** It reads, or has what it read and did not settle. */
	get takesPart(): boolean {
		for (const { hasConsumers, holdsSome } of this.channels.values())
			if (hasConsumers || holdsSome) return true;
		return false;
	}

	receive(frame: Frame): void {
		if (this.state === 'gone') return;
		if (frame.channel === 0) return this.handle(frame);
		if (this.state !== 'open') return;
		const channel = this.channels.get(frame.channel) ?? this.openChannel(frame.channel);
		channel.receive(frame);
	}

	/** The socket is gone, or nothing was heard for too long. */
	end(): void {
		if (this.state === 'gone') return;
		this.state = 'gone';
		this.terminateChannels();
		this.surroundings.closeSocket();
		this.surroundings.gone();
	}

	/** The broker closes the connection, for a reason of its own. */
	close(replyCode: number, replyText: string): void {
		if (this.state !== 'open' && this.state !== 'opening') return;
		this.state = 'closing';
		this.terminateChannels();
		this.send({ id: methods.ConnectionClose, fields: { replyCode, replyText, classId: 0, methodId: 0 } });
	}

	/** Its channels are closed as when a delivery was out for longer than this. */
	timeOutConsumers(limitMs: number): void {
		for (const channel of this.channels.values()) channel.post(() => channel.timeOut(limitMs));
	}

	block(reason: string | undefined): void {
		if (reason === undefined) this.send({ id: methods.ConnectionUnblocked, fields: {} });
		else this.send({ id: methods.ConnectionBlocked, fields: { reason } });
	}

	private handle({ id, fields = {} }: Frame): void {
		switch (id) {
			case PROTOCOL_HEADER:
				return this.send({
					id: methods.ConnectionStart,
					fields: { mechanisms: Buffer.from('PLAIN AMQPLAIN'), serverProperties: {} },
				});
			case methods.ConnectionStartOk:
				return this.logIn(fields);
			case methods.ConnectionTuneOk:
				return;
			case methods.ConnectionOpen:
				return this.enter(fields['virtualHost'] as string);
			case methods.ConnectionClose:
				this.terminateChannels();
				this.send({ id: methods.ConnectionCloseOk, fields: {} });
				return this.end();
			case methods.ConnectionCloseOk:
				return this.end();
			default:
				throw new Error(`The model of the broker knows no method ${id} of a connection`);
		}
	}

	private logIn(fields: Fields): void {
		const [, user = '', password = ''] = (fields['response'] as Buffer).toString().split('\0');
		if (!this.surroundings.knows(user, password)) {
			return this.close(
				403,
				'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.',
			);
		}
		this.user = user;
		this.send({ id: methods.ConnectionTune, fields: { channelMax: 2047, frameMax: 131072, heartbeat: 60 } });
	}

	private enter(vhost: string): void {
		const refusal = this.surroundings.vhostRefusal(this.user, vhost);
		if (refusal !== undefined) return this.close(530, refusal);
		this.state = 'open';
		this.send({ id: methods.ConnectionOpenOk, fields: { knownHosts: '' } });
	}

	private openChannel(id: number): ServerChannel {
		const { surroundings } = this;
		const channel = new ServerChannel(surroundings.freshNumber(), id, {
			...surroundings,
			send: (frames) => {
				if (this.state !== 'gone') surroundings.send(frames);
			},
			mayRead: (queue) => surroundings.mayRead(this.user, queue),
			released: (number) => {
				if (this.channels.get(number) === channel) this.channels.delete(number);
			},
		});
		this.channels.set(id, channel);
		return channel;
	}

	private terminateChannels(): void {
		// Each ends in its own process, in whatever order.
		for (const waiting = [...this.channels.values()]; waiting.length > 0;) {
			const place = Math.floor(this.surroundings.random() * waiting.length);
			waiting.splice(place, 1)[0]?.terminate();
		}
	}

	private send(frame: Omit<Frame, 'channel'>): void {
		this.surroundings.send([{ channel: 0, ...frame }]);
	}
}
