import { Readable } from 'node:stream';
import { readText } from '../../../service/api/body';

const MB = 1024 * 1024;

/** A body without end, and how many pieces were taken of it. */
function endless() {
	const taken = { pieces: 0 };
	const body = Readable.from(
		(function* () {
			for (;;) {
				taken.pieces++;
				yield Buffer.alloc(MB, 'a');
			}
		})(),
		{ highWaterMark: 1 },
	);
	return { body, taken };
}

const read = (body: Readable, length: string | undefined, refuse?: () => undefined) =>
	readText(body, {
		mostBytes: 8 * MB,
		timeoutMs: 5_000,
		headers: length === undefined ? {} : { 'content-length': length },
		refuse,
	});

describe('a body that says how long it is', () => {
	it('is not read where it is too long and a part is no use', async () => {
		const { body, taken } = endless();
		expect(await read(body, String(9 * MB), () => undefined)).toEqual({
			text: '',
			bytes: MB,
			came: MB,
			cut: 'is larger than 8 MB',
		});
		expect(taken.pieces).toBeLessThan(4);
		expect(body.destroyed).toBe(true);
	});

	it('is read as far as it may be where its beginning is of use', async () => {
		const { body } = endless();
		expect((await read(body, String(9 * MB))).text).toHaveLength(8 * MB);
	});

	it.each(['8388608', '1', 'x', '8388608, 9388608', '', undefined])(
		'or says %j, has the bound all the same',
		async (length) => {
			const { body } = endless();
			expect(await read(body, length, () => undefined)).toMatchObject({
				text: '',
				cut: 'is larger than 8 MB',
			});
		},
	);
});
