/** How the token endpoint takes the credentials (interface, part 5): Basic, or Username and Password headers. */
type LoginStyle = 'basic' | 'headers';

/** One account of the service, as the user filled it in. */
export interface Account {
	/** As typed; checked by {@link ./baseUrl}. */
	baseUrl: string;
	loginStyle: LoginStyle;
	username: string;
	password: string;
	/** Accept any certificate. */
	ignoreSslIssues: boolean;
	/** PEM of an own certificate authority; empty for none. */
	caCertificate: string;
}
