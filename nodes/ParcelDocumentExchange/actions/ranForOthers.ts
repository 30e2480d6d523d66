import { ServiceError } from '../../../service/errors';
import { attaching, filing, messaging } from '../parameters/attaching';
import { cameTo, gaveIn } from '../parameters/came';
import { isLoop, quoted } from '../parameters/stepKinds';
import { codeIn } from '../parameters/taken';
import { behindOf, inFrontOf, leadsTo, ownStep, type Around } from '../parameters/ways';

type Context = Around & Parameters<typeof cameTo>[0];

/** `$("A").isExecuted` */
const ASKED = /\$\(\s*(["'`])((?:(?!\1).){1,200})\1\s*\)\s*\.\s*isExecuted\b/g;

/**
 * Where branches of an If, say, lead here each by itself, and what is sent goes by whether one of them has run: it has, for
 * sets of before, and those of another branch go by what it said of them.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseRanForOthers(context: Context): void {
	const own = ownStep(context).name;
	const behind = behindOf(context).filter(({ disabled }) => !disabled);
	const lasts = [...attaching(behind), ...filing(behind), ...messaging(behind)];
	const asking = behind.flatMap((step) =>
		lasts.some(({ name }) => name === step.name || leadsTo(context, step.name, name))
			? codeIn(step).flatMap((text) => [...text.matchAll(ASKED)].map(([, , name = '']) => ({ step, name })))
			: [],
	);
	if (asking.length === 0) return;
	const inFront = inFrontOf(context, own);
	const past = passedBy(context, own, new Set(inFront.filter(isLoop).map(({ name }) => name)));
	const wrong = asking.find(
		({ name }) =>
			inFront.some((step) => step.name === name) && gaveIn(context, name).length > 0 && !past.has(name),
	);
	if (!wrong) return;
	const asked = quoted(wrong);
	throw new ServiceError(
		'invalidInput',
		`${quoted(wrong.step)} asks whether ${asked} has run, and it has, for other sets than those that came now`,
		{
			remedy: `Nothing was handed on: the papers of these would go by what ${asked} says of others. Lead the branches into a Merge in front of this step, with Append as its mode, and drag what is sent from there: each item then has its own.`,
		},
	);
}

/** The names of the steps that what came to a step has passed in this run; of a loop, since it gave it. */
function passedBy(context: Context, own: string, loops: ReadonlySet<string>): ReadonlySet<string> {
	const past = new Set<string>();
	const follow = (name: string, run?: number) => {
		for (const { from, run: itsRun } of cameTo(context, name, loops.has(name) ? 0 : run)) {
			if (past.has(from)) continue;
			past.add(from);
			follow(from, itsRun);
		}
	};
	follow(own);
	return past;
}
