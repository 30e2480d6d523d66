import { documentsOf, shownText } from '../../../service/model/set';
import { WAIT_FOR_ONE } from '../descriptions/defaults';
import { factsOfSet, noDocuments } from './documentsOfSet';
import { findWanted, readWanted, type WantedSet } from './lookup';
import type { Operation } from './operation';

/** The documents of a set, one item each. Nothing is downloaded. */
export const documentGetAll: Operation<WantedSet> = {
	sideBySide: true,
	inOneTurn: true,
	read: (parameters) => readWanted(parameters, WAIT_FOR_ONE),
	async answer(wanted, work) {
		const { set } = await findWanted(wanted, work);
		work.looked();
		const documents = documentsOf(set);
		if (documents.length === 0) throw noDocuments(set.setId, wanted.waitMs);
		return documents.map(({ documentId, name, docType }) => ({
			json: {
				...{ name: shownText(name), docType: shownText(docType) },
				...factsOfSet(set),
				...{ setId: set.setId, documentId },
			},
		}));
	},
};
