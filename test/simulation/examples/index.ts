import { badTimes, unknownResults } from './badTimes';
import type { Example } from './example';
import { found } from './found';
import { gone } from './gone';
import { limits } from './limits';
import { long } from './long';
import { messages } from './messages';
import { moved } from './moved';
import { order } from './order';
import { whoPays } from './whoPays';
import { twoUsers } from './twoUsers';
import { twoWorkflows } from './twoWorkflows';

/** Histories that broke a law once, by name. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
	...order,
	...twoWorkflows,
	...twoUsers,
	...whoPays,
	...badTimes,
	...unknownResults,
	...messages,
	...found,
	...gone,
	...long,
	...limits,
	...moved,
};
