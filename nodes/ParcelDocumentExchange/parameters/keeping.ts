/** Steps of n8n that hand every item on as it is, or leave it out. */
export const KEEPING =
	/\.(noOp|if|filter|switch|limit|sort|removeDuplicates|splitInBatches|wait|renameKeys|crypto|executionData|respondToWebhook|stopAndError|timeSaved|textClassifier)$/;
