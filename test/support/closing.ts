/** Closes what a test opened, also when it fails: an open server would keep the test run from ending. */
const opened: Array<{ close(): Promise<void> }> = [];

/** Hands back what it was given, to be closed after the test. */
export async function opening<T extends { close(): Promise<void> }>(what: Promise<T>): Promise<T> {
	const it = await what;
	opened.push(it);
	return it;
}

afterEach(async () => {
	await Promise.all(opened.splice(0).map((one) => one.close()));
});
