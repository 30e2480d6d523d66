import type { INodePropertyOptions } from 'n8n-workflow';

/** The known statuses, in the order of a set's life, not of the alphabet: that is how people know them. */
export const statusOptions: INodePropertyOptions[] = [
	{ name: 'Drafted', value: 'DRAFTED', description: 'The set was drafted' },
	{ name: 'Signed', value: 'SIGNED', description: 'A party signed the set' },
	{ name: 'Issued', value: 'ISSUED', description: 'The set was issued' },
	{ name: 'Title Held', value: 'TITLE_HELD', description: 'A party holds the title' },
	{ name: 'Transfer Drafted', value: 'TRANSFER_DRAFTED', description: 'A transfer was drafted' },
];

export const otherStatus: INodePropertyOptions = {
	name: 'Other',
	value: 'OTHER',
	description: 'Any status that is not listed here',
};
