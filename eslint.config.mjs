import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

const community = n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport;

const NODES = 'nodes/ParcelDocumentExchange';
const room = (name) => `${NODES}/${name}`;
const BASE = ['service', 'service/model'];
const FIELDS = ['adapters', 'descriptions', 'events', 'parameters', 'search'].map(room);

/**
 * What a file may import besides those of its own room: other rooms, and packages. All else is refused, whether the import is static,
 * dynamic or of a type: what it names is resolved, and its file compared. docs/map.md draws the house; test/house/lines.test.ts
 * crosses each line.
 */
const MAY = {
	// service/ knows no n8n and nothing above it; asking (api) and listening (queue) never meet.
	service: [],
	'service/model': ['service', 'zod'],
	'service/api': [...BASE, 'undici', 'zod'],
	'service/queue': [...BASE, 'amqplib'],
	'service/changes': [...BASE, 'service/api', 'zod'],
	credentials: [...BASE, 'service/api', 'n8n-workflow'],
	// The three lowest rooms of the nodes: none of them knows another.
	[room('adapters')]: [...BASE, 'service/api', 'service/queue', 'n8n-workflow'],
	[room('descriptions')]: ['service/model', 'n8n-workflow'],
	[room('events')]: ['service/model', 'n8n-workflow'],
	[room('parameters')]: [
		...BASE,
		'service/api',
		...FIELDS.slice(0, 3),
		'n8n-workflow',
		'acorn',
		'eslint-scope',
	],
	[room('search')]: [...BASE, 'service/api', ...FIELDS.slice(0, 4), 'n8n-workflow'],
	// What a trigger and the actions share stands in a room below them.
	[room('actions')]: [...BASE, 'service/api', 'service/queue', ...FIELDS, 'n8n-workflow'],
	[room('trigger')]: [...BASE, 'service/queue', ...FIELDS.slice(0, 4), 'n8n-workflow'],
	[room('poll')]: [...BASE, 'service/api', 'service/changes', ...FIELDS, 'n8n-workflow'],
	[room('pickers')]: [...BASE, 'service/api', ...FIELDS, room('actions'), 'n8n-workflow'],
	[NODES]: [...['descriptions', 'pickers', 'actions', 'poll', 'trigger'].map(room), 'n8n-workflow'],
};

const filesOf = (name) => `./${name}/*.ts`;
/** Packages lie beside `service`, or in it. */
const others = (packages) => `./{service/,}node_modules/!(${packages.join('|') || ' '})/**`;
const lines = Object.entries(MAY).map(([name, may]) => ({
	target: filesOf(name),
	from: [
		...Object.keys(MAY)
			.filter((other) => other !== name && !may.includes(other))
			.map(filesOf),
		'./{sandbox,test,bench,packaging,docs}/**',
		others(may.filter((one) => !(one in MAY))),
	],
	message: `${name} may import ${may.join(', ') || 'nothing'} (eslint.config.mjs).`,
}));

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
			// The two kinds of import that the rule above does not see.
			'@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: true }],
			'no-restricted-syntax': [
				'error',
				{
					selector: 'ImportExpression[source.type!="Literal"]',
					message: 'Import a file by its name in quotes: the lines of the house are guarded by it.',
				},
			],
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
