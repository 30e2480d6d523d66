import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

/** Where npm may have put them. */
function packages(...names) {
	return names.flatMap((name) => [`./node_modules/${name}`, `./service/node_modules/${name}`]);
}

const community = n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport;

const above = [
	'./nodes',
	'./credentials',
	'./sandbox',
	'./test',
	'./bench',
	...packages('n8n-workflow', 'n8n-core'),
];
const room = (name) => `./nodes/ParcelDocumentExchange/${name}`;
const rooms = (...names) => names.map(room);
const line = (target, from, message) => ({ target, from, message });

/**
 * Where an import may not lead, whether it is static, dynamic or of a type: what it names is resolved, and its file compared.
 * CONTRIBUTING.md draws the house; test/house/lines.test.ts crosses each line.
 */
const lines = [
	line('./service', above, 'service/ knows no n8n and nothing above it.'),
	line(
		'./service/api',
		['./service/queue', './service/changes', ...packages('amqplib')],
		'Asking (api) and listening (queue) never meet.',
	),
	line(
		'./service/queue',
		['./service/api', './service/changes', ...packages('undici')],
		'Asking (api) and listening (queue) never meet.',
	),
	line(
		'./service/changes',
		['./service/queue', ...packages('amqplib', 'undici')],
		'Looks ask by service/api.',
	),
	line(
		'./service/model',
		['./service/api', './service/queue', './service/changes', ...packages('amqplib', 'undici')],
		'service/model holds shapes and pure functions.',
	),
	line(
		['./nodes', './credentials'],
		packages('amqplib', 'undici', 'zod'),
		'Sockets and schemas belong below: service/queue, service/api, service/model.',
	),
	line('./credentials', ['./nodes', './service/queue'], 'A credential needs service/api only.'),
	line(
		room('actions'),
		rooms('trigger', 'poll', 'pickers'),
		'Actions know neither triggers nor lists of the panel.',
	),
	line(room('pickers'), rooms('trigger', 'poll'), 'A list of the panel is asked for by any node.'),
	line(room('trigger'), rooms('actions', 'poll', 'pickers'), 'What nodes share stands in a room below them.'),
	line(room('poll'), rooms('actions', 'trigger', 'pickers'), 'What nodes share stands in a room below them.'),
	line(
		rooms('parameters', 'search'),
		rooms('actions', 'trigger', 'poll', 'pickers'),
		'Reading the fields stands below the work of the nodes.',
	),
	line(room('parameters'), room('search'), 'Any field is read without knowing of a search.'),
	line(
		rooms('adapters', 'descriptions', 'events'),
		rooms('actions', 'trigger', 'poll', 'pickers', 'parameters', 'search'),
		'These rooms stand below all others of the nodes.',
	),
];

export default defineConfig(
	globalIgnores(['dist', 'artifacts', '.sandbox', 'node_modules']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended, importX.flatConfigs.recommended],
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: { 'prefer-spread': 'off' },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'service/**/*.ts'],
		extends: [community],
		rules: {
			'no-console': 'error',
			'import-x/no-restricted-paths': ['error', { zones: lines }],
			// The only kind of import that the rule above does not see.
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: true }],
		},
	},
	{
		files: ['package.json'],
		extends: [community],
		rules: { ...n8nNodesBase.configs.community.rules },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Off in n8n's own command-line tool as well.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
			// It tells a secret by its name and does not know that a client key is a private key.
			'@n8n/community-nodes/credential-unnecessary-password': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Off in n8n's own command-line tool as well.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['service/**/*.ts'],
		rules: {
			// The service throws its own errors; the nodes turn them into n8n's (nodes/*/adapters/errors.ts).
			'@n8n/community-nodes/require-node-api-error': 'off',
		},
	},
);
