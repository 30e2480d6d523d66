/**
 * What n8n 3 will do unless told otherwise, as far as n8n 2.41 has a setting for it: from n8n's own rules for the move
 * (n8n: dist/modules/breaking-changes/rules/v3). docs/compatibility.md lists the rest. Binary data in memory, which goes,
 * is no default since n8n 2: regular mode keeps files, queue mode the database.
 */
export const N8N_3_DEFAULTS = {
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: '268435456',
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	N8N_MIGRATE_FS_STORAGE_PATH: 'true',
} as const;

/** Set by `npm test -- --n8n-3-defaults`: every n8n that a test starts has them. */
export const chosenDefaults = (): NodeJS.ProcessEnv =>
	process.env['PARCEL_N8N_3_DEFAULTS'] === 'yes' ? N8N_3_DEFAULTS : {};
