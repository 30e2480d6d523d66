import { EXAMPLES } from './examples';
import { historyOf } from './history/generate';
import { violationsOf } from './laws';
import { shrink } from './shrink';
import { simulate } from './simulate';
import { storyOf } from './story';

/** What run.mjs starts: a share of the histories, or one by its name. The last line is for it to count with. */
async function main([task, ...rest]: readonly string[]): Promise<void> {
	const counted = task === 'example' ? await example(rest[0] ?? '') : await share(rest.map(Number));
	process.stdout.write(`counted ${JSON.stringify(counted)}\n`);
}

/** Histories between two words on how far it got. */
const PROGRESS_EVERY = 100;

async function share([first = 0, histories = 1, processes = 1, stories = 0]: readonly number[]) {
	const counted = { histories: 0, events: 0, deliveries: 0, runs: 0, violations: 0 };
	for (let seed = first; seed < first + histories; seed += processes) {
		const history = historyOf(seed);
		const ledger = await simulate(history);
		const violations = violationsOf(ledger);
		counted.histories += 1;
		counted.events += history.steps.filter((step) => step.do === 'send').length;
		counted.deliveries += ledger.messages.reduce((sum, { deliveries }) => sum + deliveries, 0);
		counted.runs += ledger.runs.length;
		const [gravest] = violations;
		if (gravest) counted.violations += 1;
		if (counted.histories % PROGRESS_EVERY === 0) process.stdout.write(`so far ${JSON.stringify(counted)}\n`);
		if (!gravest) continue;
		process.stdout.write(`Seed ${seed}, ${gravest.law}: ${gravest.says}\n`);
		if (counted.violations > stories) continue;
		const short = await shrink(history, gravest.law);
		const shortLedger = await simulate(short);
		const broken = violationsOf(shortLedger).sort(
			(a, b) => Number(b.law === gravest.law) - Number(a.law === gravest.law),
		);
		process.stdout.write(`\n${storyOf(short, shortLedger, broken)}\n\n`);
	}
	return counted;
}

async function example(name: string) {
	const found = EXAMPLES[name];
	if (!found) throw new Error(`There is no example "${name}", only ${Object.keys(EXAMPLES).join(', ')}`);
	const { story, law, history } = found;
	const ledger = await simulate(history);
	const violations = violationsOf(ledger).sort((a, b) => Number(b.law === law) - Number(a.law === law));
	process.stdout.write(`${story}.\n${storyOf(history, ledger, violations)}\n`);
	return { violations: violations.length };
}

void main(process.argv.slice(2));
