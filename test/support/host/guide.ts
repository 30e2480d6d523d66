import type { Clerk } from './clerk';

/** What a person has in front of them when they begin: accounts by name, and words that others told them. */
export interface Desk {
	queue: string;
	customer: string;
	/** A part of one that a customer asks for. */
	reference: string;
	queueAccount: string;
	serviceAccount: string;
	serviceUrl: string;
	mailAccount: string;
	storageAccount: string;
	bucket: string;
}

const OURS = 'Parcel Document Exchange';

/** The guide itself, docs/first-workflow.md: signed or issued → every PDF → one e-mail. An event waits on the queue. */
export async function firstWorkflow(clerk: Clerk, desk: Desk): Promise<void> {
	await clerk.begin();
	await clerk.add('parcel', OURS, `On new ${OURS} event`);
	await clerk.account(desk.queueAccount);
	await clerk.type('queue', desk.queue);
	await clerk.choose('statuses', 'Signed', 'Issued');
	await clerk.execute('SIGNED');
	await clerk.done();

	await clerk.add('parcel', OURS, 'Get all PDFs of a set');
	await clerk.account(desk.serviceAccount);
	await clerk.toggle('onePerSet');
	await clerk.execute('Bill of lading');
	await clerk.done();

	await clerk.add('send email', 'Send Email', 'Send an Email');
	await clerk.account(desk.mailAccount);
	await clerk.type('fromEmail', 'documents@example.com');
	await clerk.type('toEmail', 'desk@example.com');
	await clerk.showFields();
	await clerk.drag('parcelRef', 'subject');
	await clerk.typeBehind('subject', ' is ');
	await clerk.drag('status', 'subject', 'behind');
	// What n8n tells of a field stands over the next one until one is somewhere else.
	await clerk.press('Options');
	await clerk.choose('emailFormat', 'Text');
	await clerk.type('text', 'The documents are attached. They are copies for reading.');
	await clerk.addField('Add option', 'Attachments');
	// Older versions of n8n have one field for both kinds.
	const field = (await clerk.shows('fileAttachments')) ? 'fileAttachments' : 'attachments';
	await clerk.drag('attachments', field);
	await clerk.addField('Add option', 'Append n8n Attribution');
	await clerk.toggle('appendAttribution');
	await clerk.done();
}

/** Issued parcels of one customer → bills of lading → a folder for each vessel. */
export async function billsByVessel(clerk: Clerk, desk: Desk): Promise<void> {
	await clerk.begin();
	await clerk.add('parcel', OURS, `On new ${OURS} event`);
	await clerk.account(desk.queueAccount);
	await clerk.type('queue', desk.queue);
	await clerk.choose('statuses', 'Issued');
	await clerk.addField('Add option', 'Customers');
	await clerk.account(desk.serviceAccount, 1);
	await clerk.pick('customerId', desk.customer);
	await clerk.done();

	await clerk.add('parcel', OURS, 'Get all PDFs of a set');
	await clerk.account(desk.serviceAccount);
	await clerk.press('Add Document Type');
	await clerk.pick('documentType', 'BILL_OF_LADING');
	await clerk.done();

	await clerk.add('s3', 'S3', 'Upload a file');
	await clerk.account(desk.storageAccount);
	await clerk.type('bucketName', desk.bucket);
	await clerk.drag('fileName', 'fileName');
	await clerk.addField('Add Field', 'Parent Folder Key');
	await clerk.drag('vesselName', 'parentFolderKey');
	await clerk.done();
}

/** A form with a reference → the sets of it → their PDFs. */
export async function papersByForm(clerk: Clerk, desk: Desk): Promise<void> {
	await clerk.begin();
	await clerk.add('form', 'n8n Form', 'On new n8n Form event');
	await clerk.type('formTitle', 'Papers');
	await clerk.press('Add Form Element');
	await clerk.type('fieldLabel', 'Reference');
	await clerk.done();

	await clerk.add('parcel', OURS, 'Search sets of trade documents');
	await clerk.account(desk.serviceAccount);
	await clerk.addField('Add filter', 'Reference Contains');
	await clerk.answerForm(desk.reference);
	await clerk.drag('Reference', 'referenceContains');
	await clerk.done();

	await clerk.add('parcel', OURS, 'Get all PDFs of a set');
	await clerk.account(desk.serviceAccount);
	await clerk.done();
}

/** Drafts of more than three days → a table → a mail. */
export async function lateDrafts(clerk: Clerk, desk: Desk): Promise<void> {
	await clerk.begin();
	await clerk.add('schedule', 'Schedule Trigger');
	await clerk.done();

	await clerk.add('parcel', OURS, 'Search sets of trade documents');
	await clerk.account(desk.serviceAccount);
	await clerk.addField('Add filter', 'Status');
	await clerk.pick('status', 'Drafted');
	await clerk.addField('Add filter', 'Older Than');
	await clerk.execute('parcelRef');
	await clerk.done();

	await clerk.add('html', 'HTML', 'Convert to HTML Table');
	await clerk.execute('table');
	await clerk.done();

	await clerk.add('send email', 'Send Email', 'Send an Email');
	await clerk.account(desk.mailAccount);
	await clerk.type('fromEmail', 'documents@example.com');
	await clerk.type('toEmail', 'desk@example.com');
	await clerk.type('subject', 'Drafts that wait for approval');
	await clerk.drag('table', 'html');
	await clerk.done();
}

/** A call that no step of ours offers, with n8n's HTTP Request. */
export async function callByHand(clerk: Clerk, desk: Desk): Promise<void> {
	await clerk.begin();
	await clerk.add('manual', 'Manual Trigger');
	await clerk.add('http request', 'HTTP Request');
	await clerk.type('url', `${desk.serviceUrl}/v3/exchange/customers`);
	await clerk.choose('authentication', 'Predefined Credential Type');
	await clerk.choose('nodeCredentialType', 'Parcel Document Exchange API');
	await clerk.account(desk.serviceAccount);
	await clerk.execute(desk.customer);
	await clerk.done();
}
