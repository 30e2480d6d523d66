import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import tseslint from 'typescript-eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

const community = n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport;

/** The two lines of the house: service/ knows no n8n and nothing above it; asking (api) and listening (queue) never meet. */
const above = ['**/nodes/**', '**/credentials/**', '**/sandbox/**', 'n8n-workflow', 'n8n-core'];

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
		rules: { 'no-console': 'error' },
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
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							group: ['**/nodes/**', '**/service/queue/**', 'undici', 'amqplib'],
							message: 'A credential needs service/api/login only.',
						},
					],
				},
			],
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
			'no-restricted-imports': [
				'error',
				{ patterns: [{ group: above, message: 'service/ knows no n8n and nothing above it.' }] },
			],
		},
	},
	{
		files: ['service/api/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{ group: [...above, '**/queue/**', 'amqplib'], message: 'Asking and listening never meet.' },
					],
				},
			],
		},
	},
	{
		files: ['service/queue/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{ group: [...above, '**/api/**', 'undici'], message: 'Asking and listening never meet.' },
					],
				},
			],
		},
	},
);
