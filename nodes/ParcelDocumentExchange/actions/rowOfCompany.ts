import { fieldsThatSay, isOfFew, names, rowsThatSay, textsOf } from './rowsThatSay';
import { type RowFacts, type Owner, type Place, claimOf, isSought, isSource, isSpelling } from './whoseRow';
import { isChosen } from './chosenRow';

/**
 * The row of another company that the service knows, in whatever column: beside an own row, in a table that has a few rows
 * of that one among others. Not where an own row names that company, too, or something else that the papers came of; nor
 * where somebody chose the row, such as that of a desk, by whatever it says.
 */
export async function ofCompany(place: Place, known: RowFacts): Promise<Owner | undefined> {
	const { owners, isOwn, own } = place;
	const { itsOwn, tables, typed, byItems } = known;
	const sources = owners.filter(({ step }) => isSource(step, known));
	const isMeant = owners.some(({ step, row }) => byItems.has(step.name) || isSought(step, row, known));
	if (sources.length === 0 || isMeant || isChosen(place, known)) return undefined;
	const companies = await known.companies();
	const ofSet = [...textsOf({ itsOwn })].flatMap((text) => companies.get(text) ?? []);
	const isIts = names([...isOwn.whole, ...ofSet.flat()]);
	const ownRows = [...own, ...tables.flatMap((step) => rowsThatSay(step, isIts))];
	// A row may call the customer by less than its whole name.
	const isOfOwn = sources.some(({ row }) => [...textsOf(row)].some((text) => isSpelling(text, isIts)));
	if (ownRows.length === 0 || isOfOwn) return undefined;
	const around = textsOf({ ownRows, came: known.cameFrom().map(({ item }) => item) });
	const named = names([...isIts.whole, ...typed.whole, ...around]);
	const isNamed = (word: string) =>
		isSpelling(word, named) || [...named.whole].some((text) => text.includes(word));
	const isOther = (text: string) => companies.get(text)?.every((words) => !words.some(isNamed));
	const others = sources.map(({ step, row }) =>
		[...textsOf(row)].filter((text) => isOther(text) && isOfFew(step, text)),
	);
	const other = others[0]!.find((text) => others.every((texts) => texts.includes(text)));
	if (other === undefined) return undefined;
	const { step, row } = sources[0]!;
	const [column = ''] = fieldsThatSay(row, names([other]));
	return { step: step.name, column, own: claimOf(row[column]), isSure: true };
}
