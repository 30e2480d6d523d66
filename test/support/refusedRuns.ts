import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findHost } from '../../sandbox/n8n/host';
import type { Postgres } from '../../sandbox/scale/postgres';

/** n8n's table of runs takes no row more, as on a disk that is full; everything else goes on. */
const REFUSE = {
	sqlite: `CREATE TRIGGER refused BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(ABORT, 'no room for a run'); END`,
	postgres: `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room for a run''; END';
		CREATE TRIGGER refused BEFORE INSERT ON execution_entity FOR EACH ROW EXECUTE FUNCTION refuse()`,
};
const TAKE_AGAIN = { sqlite: 'DROP TRIGGER refused', postgres: 'DROP TRIGGER refused ON execution_entity' };

/** What an n8n says in its log of a run that it could not store so. */
export const REFUSED = 'no room for a run';

/** @param folder where an n8n with SQLite keeps all */
export async function refuseRuns(folder: string, version: string | undefined, isRefused: boolean) {
	const { folder: installed, node } = await findHost(version);
	const driver = join(installed, 'node_modules', 'sqlite3');
	const script = `const { Database } = require(${JSON.stringify(driver)});
		const database = new Database(${JSON.stringify(join(folder, '.n8n', 'database.sqlite'))});
		database.configure('busyTimeout', 10000);
		database.exec(${JSON.stringify((isRefused ? REFUSE : TAKE_AGAIN).sqlite)}, (error) => { if (error) throw error; });`;
	await promisify(execFile)(node, ['-e', script], { timeout: 30_000 });
}

/** The same where n8n has a PostgreSQL. */
export async function refuseRunsInPostgres(postgres: Postgres, isRefused: boolean): Promise<void> {
	await postgres.ask((isRefused ? REFUSE : TAKE_AGAIN).postgres);
}
