/** Our nodes, by their types. */
export const OURS = /\.parcelDocumentExchange(PollTrigger|Trigger)?$/;
