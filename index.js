/** The node and credential classes, for whoever loads the package by its name; n8n itself reads the files that package.json lists. */
const classes = {
	ParcelDocumentExchange: './dist/nodes/ParcelDocumentExchange/ParcelDocumentExchange.node.js',
	ParcelDocumentExchangePollTrigger:
		'./dist/nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node.js',
	ParcelDocumentExchangeTrigger: './dist/nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node.js',
	ParcelDocumentExchangeApi: './dist/credentials/ParcelDocumentExchangeApi.credentials.js',
	ParcelDocumentExchangeQueueApi: './dist/credentials/ParcelDocumentExchangeQueueApi.credentials.js',
};

for (const [name, file] of Object.entries(classes)) {
	Object.defineProperty(exports, name, { enumerable: true, get: () => require(file)[name] });
}
