import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from '../../nodes/ParcelDocumentExchange/actions/download';
import { FILE_NAME_OF_ONE, FILE_NAME_OF_SET } from '../../nodes/ParcelDocumentExchange/descriptions/defaults';
import { fileNameFacts, PLACEHOLDERS } from '../../service/model/fileNameTemplate';
import { optionsOf } from '../support/panel';
import { unsaid } from '../support/unsaid';

/** What a page and a panel say of file names is what the code does. */

const PAGE = 'docs/pdfs.md';
const PANEL = 'the panel of Get All PDFs (descriptions/document.ts)';
const page = readFileSync(join(__dirname, '..', '..', PAGE), 'utf8').replace(/\s+/g, ' ');
const option = optionsOf('document', 'getAllPdfs').find(({ name }) => name === 'fileName');

/** Whatever a name can be made of is known: none is left out of the example. */
const SET = {
	...{ setId: 'a', parcelRef: 'PCL-1017', shipmentRef: 'SHIP-7', billOfLadingDate: '2026-06-18' },
	...{ vesselName: 'EASTERN QUAY', status: 'SIGNED' },
};
const DOCUMENT = { documentId: 'b', name: 'Bill of lading', docType: 'BILL_OF_LADING' };
const FACTS = fileNameFacts(SET, DOCUMENT);
const EXAMPLE = fileNameOf(FILE_NAME_OF_SET, FACTS);
const placeholders = PLACEHOLDERS.map((name) => `{${name}}`);

it('the example has something for each placeholder', () => {
	expect(PLACEHOLDERS.filter((name) => !FACTS[name])).toEqual([]);
});

it.each([
	['the default of Get All PDFs', PAGE, `Get All PDFs uses \`\`\` ${FILE_NAME_OF_SET} \`\`\``],
	['what that gives; npm run pictures shows it too', PAGE, `which gives, for example, \`${EXAMPLE}\``],
	['the default of Get PDF', PAGE, `the file is called \`${FILE_NAME_OF_ONE}\``],
	[
		'each placeholder',
		PAGE,
		`these placeholders: ${placeholders.map((name) => `\`${name}\``).join(' ')} and`,
	],
	['each placeholder', PANEL, `It can use ${placeholders.join(' ')}, and`],
])('%s is told in %s', (_, place, words) => {
	expect(unsaid(place, place === PAGE ? page : (option?.description ?? ''), words)).toEqual([]);
});
