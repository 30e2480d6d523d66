import { addressOf } from '../../nodes/ParcelDocumentExchange/parameters/addressOf';
import { growsFaster, wall } from '../support/doubling';

/** The folders of a path that is typed together with the name of a file. */

const folders = (path: string) =>
	addressOf({ name: 'Drive', type: 'x.ftp', parameters: { path } } as never).parameters;

it.each([
	['=/a/{{ $json.b }}/{{ $json.c }}.pdf', ['={{ $json.b }}']],
	['={{ $json.b }}/{{ $json.c }} }}/x {{', ['={{ $json.b }}', '={{ $json.c }}']],
	['={{ $json.b }}{{ $json.c }}', ['={{ $json.b }}']],
	['={{ "/a/" + $json.b + "/" + $json.c }}', ['={{ $json.b }}']],
	['={{ `/a/${$json.b}/${$json.fileName}` }}', ['={{ $json.b }}']],
	['={{ ["a", $json.b, $json.fileName].join("/") }}', ['={{ $json.b }}']],
	['=/a/{{ $json.b }}/{{ $json.c.replaceAll("/", "-") }}', ['={{ $json.b }}']],
	['={{ $json.c.split("/").join("-") }}.pdf', []],
	['={{ $json.b }}', ['={{ $json.b }}']],
	['={{ $json.fileName }}', []],
	['={{ $binary.data.fileName }}', []],
	['={{ $json.b }}.pdf', []],
	['/papers/all.pdf', []],
])('%s', (path, expected) => expect(folders(path)).toEqual({ path: expected }));

it.each([
	['ssh', 'path', '/a/{{ $json.b }}', ['={{ $json.b }}']],
	['ssh', 'fileName', '={{ $json.b }}.pdf', []],
	['httpRequest', 'url', '=https://x/{{ $json.b }}?name={{ $json.fileName }}', ['={{ $json.b }}']],
	['azureStorage', 'blobCreate', '={{ $json.b }}/{{ $json.c }}', ['={{ $json.b }}']],
])('%s: %s', (type, name, value, expected) =>
	expect(addressOf({ name: 'Drive', type: `x.${type}`, parameters: { [name]: value } } as never)).toEqual({
		type: `x.${type}`,
		parameters: { [name]: expected },
	}),
);

it.each(['{{', '{{ $json.b }}/', '}}', "={{ '/'", '}}{{ "/" + `'])(
	'a path of nothing but %s takes time in proportion',
	async (piece) => expect(await growsFaster((size) => () => folders(wall(piece, size)))).toBeUndefined(),
	120_000,
);

it.each(['\\"', '"\'`', '"/"', '$json.b + '])(
	'an expression of nothing but %s takes time in proportion',
	async (piece) =>
		expect(
			await growsFaster((size) => () => folders(`={{ ${wall(piece, size)} + '/' + $json.b }}`)),
		).toBeUndefined(),
	120_000,
);
