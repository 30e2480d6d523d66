import { isFree } from './process/freePort';

/** The fixed addresses of the sandbox, with the option of `npm start` that changes each. */
export const PORTS = {
	n8n: { port: 5678, what: 'n8n' },
	control: { port: 5680, what: 'the control page' },
	service: { port: 5681, what: 'the stand-in service' },
	queue: { port: 5682, what: 'RabbitMQ' },
	mail: { port: 5683, what: 'the mail catcher' },
} as const;

type PortName = keyof typeof PORTS;
export type SandboxPorts = Record<PortName, number>;

/** One sentence for each port that another program uses, with the option that chooses another. */
export async function takenPorts(ports: Partial<SandboxPorts>): Promise<string[]> {
	const names = Object.keys(ports) as PortName[];
	const free = await Promise.all(names.map((name) => isFree(ports[name] ?? PORTS[name].port)));
	return names
		.filter((_, index) => !free[index])
		.map((name) => {
			const port = ports[name] ?? PORTS[name].port;
			const other = `npm start -- --${name}-port ${port + 100}`;
			return `Port ${port}, meant for ${PORTS[name].what}, is used by another program: choose another with "${other}".`;
		});
}
