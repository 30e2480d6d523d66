import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { FileNames } from '../../../service/model/fileName';
import { EXTENSION } from './download';

/**
 * Makes the names of a run's files differ from each other. In the order in which the files come out: which of them came
 * in first is chance, and a name must not be.
 */
export function nameFiles(items: readonly INodeExecutionData[], hint: (message: string) => void): void {
	const names = new FileNames();
	for (const { json, binary } of items) {
		for (const [field, file] of Object.entries(binary ?? {})) {
			const facts = factsOf(json, field);
			file.fileName = names.claim(file.fileName ?? `document${EXTENSION}`, EXTENSION);
			facts.fileName = file.fileName;
			if (facts.complete === false)
				hint(`${file.fileName} has no end-of-file mark: it may be cut. Open it before you send it on.`);
		}
	}
}

/** Where an item says what its file is: with several files in one item, under `files`. */
function factsOf(json: IDataObject, field: string): IDataObject {
	const files = Array.isArray(json.files) ? (json.files as IDataObject[]) : [];
	return files.find(({ binaryField }) => binaryField === field) ?? json;
}
