import type { IDataObject } from 'n8n-workflow';
import { ACTION, builtOf, KEEPING, type Step, quoted } from './stepKinds';
import { isExpression, isObject } from './values';
import { attachmentsOf } from './attaching';

/** Steps that make files of their own, or of which nobody can tell, as of another workflow. */
const OF_ITS_OWN =
	/\.(compareDatasets|compression|convertToFile|debugHelper|editImage|evaluation|executeWorkflow|ftp|functionItem|iCal|itemLists|moveBinaryData|quickChart|readBinaryFiles?|readPDF|readWriteFile|simulate|spreadsheetFile|writeBinaryFile)$/;

/** Steps that, for some of what they do, hand their items on as they came. */
const OF_OTHERS =
	/\.(brandfetch|coda|github|gitlab|homeAssistant|invoiceNinja|microsoftSql|mocean|mqtt|nasa|pipedrive|quickbase|rabbitmq|redis|securityScorecard|ssh|stickyNote)$/;

/** Steps of n8n, and the models among them: what they give is what they were told from elsewhere. */
const OF_N8N = /^n8n-nodes-base\.|\.(agent|chainLlm|chainSummarization|informationExtractor|openAi)$/;

/** What a step asks for where it may get a file in place of those that came. */
const GETS_FILES =
	/"(operation|action)":"[^"]*(download|get|read|render|pdf|image)|"resource":"(image|audio|video|speech)|"responseFormat":"file"/i;

/** Steps that hand files on by how they are set: each with when it does not, and what keeps them. */
const BY_SETTING: ReadonlyArray<[RegExp, (step: Step) => boolean, string]> = [
	[
		/\.set$/,
		({ typeVersion, parameters }) => {
			if (JSON.stringify(parameters?.assignments ?? {}).includes('"type":"binary"')) return false;
			if (typeVersion < 3) return parameters?.keepOnlySet === true;
			if (typeVersion < 3.4) return !mayBeOn(optionsOf(parameters).includeBinary);
			return !mayBeOn(parameters?.includeOtherFields) || optionsOf(parameters).stripBinary === true;
		},
		'Switch Include Other Input Fields on there',
	],
	[
		/\.aggregate$/,
		({ parameters }) => !mayBeOn(optionsOf(parameters).includeBinaries),
		'Switch Include Binaries on there',
	],
	[
		/\.splitOut$/,
		({ parameters }) =>
			!mayBeOn(optionsOf(parameters).includeBinary) &&
			!String(parameters?.fieldToSplitOut).includes('$binary'),
		'Switch Include Binary on there',
	],
	[
		/\.dateTime$/,
		({ typeVersion, parameters }) => typeVersion >= 2 && !mayBeOn(optionsOf(parameters).includeInputFields),
		'Switch Include Input Fields on there',
	],
	[
		/\.extractFromFile$/,
		({ parameters }) => !['binary', 'both'].includes(String(optionsOf(parameters).keepSource)),
		'Choose Both for Keep Source there',
	],
	[
		/\.wait$/,
		({ parameters }) => /^(webhook|form)$/.test(String(parameters?.resume)),
		'Put it in front of the step that gets the papers',
	],
	[/\.merge$/, ({ parameters }) => parameters?.mode === 'combineBySql', 'Use another mode there'],
	[/\.summarize$/, () => true, 'Move it to another branch'],
	[
		/\.(code|function|aiTransform)$/,
		(step) => makesItems(codeOf(step)),
		'Give binary: item.binary beside json in what it returns',
	],
	[ACTION, () => true, 'It gives those of its own alone: lead a line to each of the two'],
];

/**
 * Whether a mail may attach files with which a Wait goes on: those that a form asks for, or that a call other than by a link
 * sends. They have no list of a set's papers.
 */
export const bringsFiles = ({ type, disabled, parameters }: Step, mail: Step): boolean => {
	const isList = (text: string) => /\$json\.attachments\b/.test(text);
	if (!/\.wait$/.test(type) || disabled || attachmentsOf(mail.parameters).every(isList)) return false;
	if (parameters?.resume === 'form') return JSON.stringify(parameters).includes('"fieldType":"file"');
	return parameters?.resume === 'webhook' && /^(POST|PUT|PATCH)$/.test(String(parameters.httpMethod));
};

/** Whether a step may get files of its own, or make some. */
export const mayMakeFiles = ({ type, disabled, parameters }: Step): boolean =>
	!disabled &&
	!ACTION.test(type) &&
	(OF_ITS_OWN.test(type) || /\.httpRequest$/.test(type) || GETS_FILES.test(builtOf({ parameters })));

/** In words, of a step on the way to a mail that attaches files. */
export const handsNoFilesOn = (step: Step, mail: Step): string =>
	`The step ${quoted(step)} hands no files on, and ${quoted(mail)} would send its mail without them.`;

/** What keeps them where no setting does. */
export const OWN_LINE = 'Lead a line of its own from this step to the mail';

/** What keeps the files where a step lets them go; undefined where it hands them on, or nobody can tell. */
export function remedyWhereLost(step: Step): string | undefined {
	const known = BY_SETTING.find(([type]) => type.test(step.type));
	if (known) return known[1](step) ? known[2] : undefined;
	if ([KEEPING, OF_ITS_OWN, OF_OTHERS].some((kind) => kind.test(step.type))) return undefined;
	if (!OF_N8N.test(step.type)) return undefined;
	if (GETS_FILES.test(builtOf(step))) return undefined;
	return OWN_LINE;
}

/**
 * Whether a step hands a field of its items on: undefined where it writes the field anew, or nobody can tell.
 *
 * @param field at the top of an item
 */
export function handsFieldOn({ type, parameters }: Step, field: string): boolean | undefined {
	if (/\.renameKeys$/.test(type)) {
		const keys = JSON.stringify(parameters?.keys ?? {});
		if (keys.includes(`"newKey":${JSON.stringify(field)}`)) return undefined;
		return !keys.includes(`"currentKey":${JSON.stringify(field)}`);
	}
	if (KEEPING.test(type)) return true;
	if (/\.convertToFile$/.test(type)) return false;
	if (!/\.set$/.test(type) || builtOf({ parameters }).includes(`"name":${JSON.stringify(field)}`)) {
		return undefined;
	}
	if (parameters?.includeOtherFields !== true || parameters.mode === 'raw') return undefined;
	if (parameters.include === 'selected') return namesIn(parameters.includeFields).includes(field);
	if (parameters.include === 'except') return !namesIn(parameters.excludeFields).includes(field);
	return true;
}

const namesIn = (list: unknown) =>
	String(list)
		.split(',')
		.map((name) => name.trim());

/** `item`, `items[0]`, `$input.item`, `$("PDFs").all()[0]`: a whole item, or several, and not what one says. */
const WHOLE_ITEM = String.raw`(?!\$json\b)(?:\$\([^()]*\)|[A-Za-z_$][\w$]*)(?:\.(?:item|(?:first|last|all)\(\)|itemMatching\([^()]*\))|\[[^\]]*\])*\s*`;

/** Takes whole items along: `...item`, `Object.assign({}, item, …)`, `merge({}, item, …)`. */
const TAKEN_ALONG = new RegExp(
	String.raw`\.\.\.\s*${WHOLE_ITEM}[,}]|\b(?:assign|merge)\s*\(\s*(?:\{\s*\}\s*,\s*)?${WHOLE_ITEM}[,)]`,
);

/** Code that makes items anew and says nothing of their files. `...item` takes them along, and `...item.json` does not. */
function makesItems(code: string): boolean {
	if (/binary/i.test(code)) return false;
	if (TAKEN_ALONG.test(code)) return false;
	return /\bjson["']?\s*:(?!\s*(?:true|false)\b)|\breturn\s*\[?\s*\{|\.map\([^)]{0,200}=>\s*(?:\(\s*\{|\w{1,50}\.json\b)/.test(
		code,
	);
}

const codeOf = ({ parameters }: Step) =>
	String(parameters?.jsCode ?? parameters?.pythonCode ?? parameters?.functionCode ?? '');

/** What Code returns, as far as it stands on that line. */
const RETURNED = /\breturn\b[ \t]*([^;\n]*)/g;

/** Items that are written out there: `{ json: … }`, `[{ json: … }]`, `items.map(…)`, though not `items.map((item) => (…, item))`. */
const WRITTEN_OUT = /^\[?\s*\{|^\[$|\.map\((?:(?!.*=>)|.*=>\s*(?:\{|\(\s*\{|$|\w+\.json\b(?!\s*\.|.*\?)))/;

/** Whether all that Code returns is made anew there, without files, and no item goes on as it came. */
export function returnsNewItems(step: Step): boolean {
	const returned = [...codeOf(step).matchAll(RETURNED)].map(([, text = '']) => text);
	return makesItems(codeOf(step)) && returned.length > 0 && returned.every((text) => WRITTEN_OUT.test(text));
}

/** An expression may say so for each item. */
const mayBeOn = (value: unknown) => value === true || (typeof value === 'string' && isExpression(value));

function optionsOf(parameters: Step['parameters']): IDataObject {
	return isObject(parameters?.options) ? (parameters.options as IDataObject) : {};
}
