import type { INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';

/** A node of the workflow, as it was built. */
export type Step = NodeTypeAndVersion;

export type Steps = readonly Step[];

/** What a step gives in a run. */
export type Items = readonly INodeExecutionData[];

/** Our nodes, by their types. */
export const OURS = /\.parcelDocumentExchange(PollTrigger|Trigger)?$/;

/** The one of them that is no trigger. */
export const ACTION = /\.parcelDocumentExchange$/;

/** Ours that give files. */
export const givesFiles = ({ type, parameters }: Step): boolean =>
	ACTION.test(type) && /^get(All)?Pdfs?$/.test(String(parameters?.operation));

/** Steps of n8n that hand every item on as it is, or leave it out. */
export const KEEPING =
	/\.(noOp|if|filter|switch|limit|sort|removeDuplicates|splitInBatches|wait|renameKeys|crypto|executionData|respondToWebhook|stopAndError|timeSaved|textClassifier)$/;

/** Those of them that leave the names of its fields. */
export const keepsNames = ({ type }: Step): boolean => KEEPING.test(type) && !/\.renameKeys$/.test(type);

/** Those of them that ask something of each item, and go on by the answer. */
export const ASKING = /\.(if|filter|switch)$/;

/** Gives what comes to it in turn, so many items at a time. */
export const isLoop = ({ type }: { type: string }): boolean => /\.splitInBatches$/.test(type);

/** How many items a loop gives in each round; NaN where an expression says it. Before version 3, ten unless told. */
export const roundOf = ({ parameters, typeVersion }: Pick<Step, 'typeVersion' | 'parameters'>): number =>
	Number(parameters?.batchSize ?? (typeVersion < 3 ? 10 : 1));

export const isLoopOfOne = (step: Step): boolean => isLoop(step) && roundOf(step) === 1;

/** All that stands in a step, as n8n stores it. */
export const builtOf = ({ parameters }: { parameters?: unknown }): string => JSON.stringify(parameters ?? {});

/** Steps that give rows that are kept elsewhere. */
export const TABLE = /\.(dataTable|googleSheets|airtable|microsoftExcel|postgres|mySql|microsoftSql)$/;

const READS = /^(get|read|lookup|search|select|executeQuery|list)/;

/** Whether a step reads rows of a table: for one item that comes none may be found, for another several. */
export const readsRows = ({ type, parameters }: Pick<Step, 'type' | 'parameters'>): boolean =>
	TABLE.test(type) && READS.test(String(parameters?.operation));

/** Whether a step waits for an answer, such as an approval: it asks once for all items that come, and goes on with what it is told. */
export const isAnswered = ({ parameters }: { parameters?: Record<string, unknown> }): boolean =>
	parameters?.operation === 'sendAndWait' || /^(webhook|form)$/.test(String(parameters?.resume));

/** Steps that make one item of all. */
export const MAKES_ONE = /\.(aggregate|summarize)$/;

/** Whether a step puts the files of all items into one. */
export const joinsFiles = (step: Step): boolean =>
	/\.aggregate$/.test(step.type) && builtOf(step).includes('"includeBinaries":true');

/** Steps that send each item by one of several ways. */
export const BRANCHES = /\.(if|switch)$/;

/** Whether a step is Code, or one that n8n's assistant wrote. */
export const isCode = ({ type }: { type: string }): boolean => /\.(code|function|aiTransform)$/.test(type);

/** A step by its name, as a sentence for a person names it. */
export const quoted = (step: { name: string }): string => JSON.stringify(step.name);
