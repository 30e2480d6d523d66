import { addressOf } from '../../nodes/ParcelDocumentExchange/parameters/othersPapers';
import { growsFaster, wall } from '../support/doubling';

/** The folders of a path that is typed together with the name of a file. */

const folders = (path: string) =>
	addressOf({ name: 'Drive', type: 'x.ftp', parameters: { path } } as never).parameters;

it.each([
	['=/a/{{ $json.b }}/{{ $json.c }}.pdf', ['={{ $json.b }}']],
	['={{ $json.b }}/{{ $json.c }} }}/x {{', ['={{ $json.b }}', '={{ $json.c }}']],
	['={{ $json.b }}', []],
	['/papers/all.pdf', []],
])('%s', (path, expected) => expect(folders(path)).toEqual({ path: expected }));

it.each(['{{', '{{ $json.b }}/', '}}'])(
	'a path of nothing but %s takes time in proportion',
	async (piece) => expect(await growsFaster((size) => () => folders(wall(piece, size)))).toBeUndefined(),
	120_000,
);
