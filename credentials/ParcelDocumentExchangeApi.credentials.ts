import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { logIn, loginKey, secretsOf, type Login } from '../service/api/login';
import { tokensOf } from '../service/api/tokens';
import { isServiceError, messageOf } from '../service/errors';
import { systemClock } from '../service/surroundings';
import { refuseOtherOrigins, sendWith, tlsOptions } from './hostRequest';

/**
 * An account of the service. The nodes of this package log in by themselves; what is here makes the credential work in
 * n8n's own HTTP Request node too, with the same login. Tested by the action node with a real login and one read.
 */
export class ParcelDocumentExchangeApi implements ICredentialType {
	name = 'parcelDocumentExchangeApi';

	displayName = 'Parcel Document Exchange API';

	icon: Icon = {
		light: 'file:../nodes/ParcelDocumentExchange/parcelDocumentExchange.svg',
		dark: 'file:../nodes/ParcelDocumentExchange/parcelDocumentExchange.dark.svg',
	};

	documentationUrl =
		'https://github.com/parcel-document-exchange/n8n-nodes-parcel-document-exchange#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://service.example.com',
			required: true,
			description: 'The address of the service, up to where /v3 begins',
		},
		{
			displayName: 'Login Style',
			name: 'loginStyle',
			type: 'options',
			options: [
				{
					name: 'Basic',
					value: 'basic',
					description: 'User name and password in one header. The usual way.',
				},
				{
					name: 'Headers',
					value: 'headers',
					description: 'User name and password in a header each, for accounts that need it',
				},
			],
			default: 'basic',
			description: 'How the user name and the password are sent. If one way is refused, try the other.',
		},
		{
			displayName: 'User Name',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'Ignore SSL Issues',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description:
				'Whether to connect even if the certificate of the service cannot be trusted. Unsafe: somebody in between could read everything.',
		},
		{
			displayName: 'CA Certificate',
			name: 'caCertificate',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: '-----BEGIN CERTIFICATE-----',
			description:
				'Only if the service has a certificate of a private authority: the certificate of that authority',
			displayOptions: { show: { ignoreSslIssues: [false] } },
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/**
	 * Called by n8n when no token is stored, and again when a call was refused. What it hands back is stored, encrypted,
	 * and outlives an edit of the credential: so it carries whose token it is.
	 *
	 * @throws UserError without an HTTP status: n8n would take a 401 of the login for one of the call and log in again
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		try {
			const login = loginOf(credentials);
			const key = loginKey(login);
			const send = sendWith(this.helpers, credentials, secretsOf(login));
			const refused = storedToken(credentials, key);
			const tokens = tokensOf(systemClock);
			const token =
				refused === undefined
					? await tokens.current(key, () => logIn(login, send))
					: await tokens.renew({ key, refused, kind: 'unauthorized' }, () => logIn(login, send));
			return { token: `${ownerOf(key)}:${token}` };
		} catch (error) {
			throw asUserError(error);
		}
	}

	/**
	 * Adds the token and the TLS settings to a call of the service, and refuses any other address. A token that belongs to
	 * other values of the credential is left out: the service answers 401, and n8n logs in with the new ones.
	 *
	 * An own property: n8n hands a copy of this object to the editor, and its methods are lost on the way. The editor
	 * offers the credential in HTTP Request, and Custom API Call in our node, only where it sees this.
	 *
	 * @throws UserError for an address other than that of the base URL
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		try {
			const login = loginOf(credentials);
			refuseOtherOrigins(requestOptions, login.baseUrl);
			const token = storedToken(credentials, loginKey(login));
			const headers = { ...requestOptions.headers };
			if (token !== undefined) headers.Authorization = `Bearer ${token}`;
			return {
				...requestOptions,
				...tlsOptions(credentials, requestOptions),
				headers,
				sendCredentialsOnCrossOriginRedirect: false,
			};
		} catch (error) {
			throw asUserError(error);
		}
	};
}

function loginOf(credentials: ICredentialDataDecryptedObject): Login {
	const text = (name: string) => {
		const value = credentials[name];
		// A password of digits only is a number when an expression gives it.
		return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	};
	return {
		baseUrl: text('baseUrl'),
		loginStyle: credentials.loginStyle === 'headers' ? 'headers' : 'basic',
		username: text('username'),
		password: text('password'),
	};
}

/** Enough to tell two accounts apart, too little to guess a password from. */
function ownerOf(key: string): string {
	return key.slice(0, 16);
}

/** The stored token when it belongs to the login as it is now. */
function storedToken({ token }: ICredentialDataDecryptedObject, key: string): string | undefined {
	const owner = `${ownerOf(key)}:`;
	return typeof token === 'string' && token.startsWith(owner) ? token.slice(owner.length) : undefined;
}

/** Message and remedy alone: the error of a request holds its headers. */
function asUserError(error: unknown): UserError {
	const remedy = isServiceError(error) ? error.remedy : undefined;
	return new UserError([messageOf(error), remedy].filter(Boolean).join(' '));
}
