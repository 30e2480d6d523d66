/** Ends a request with a status and a sentence; fastify answers `{ message }`. */
export function refuse(statusCode: number, message: string): never {
	throw Object.assign(new Error(message), { statusCode });
}
