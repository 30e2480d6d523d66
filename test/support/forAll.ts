/** What is started before the first test of a file, or of a describe, and closed after the last one. It is there within tests only. */
export function forAll<T extends { close(): Promise<unknown> }>(start: () => Promise<T>): T {
	const started = {} as T;
	beforeAll(async () => void Object.assign(started, await start()));
	afterAll(() => started.close());
	return started;
}
