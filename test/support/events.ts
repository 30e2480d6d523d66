/** A status event as the service's interface, part 6, has it. Each number is another set; `changes` override. */
export function eventBody(number: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
	const tail = number.toString(16).padStart(12, '0');
	return {
		instance: 'Exchange',
		newStatus: 'ISSUED',
		parcelReference: `PRC-${number}`,
		customerId: '11111111-1111-4111-8111-111111111111',
		action: 'ISSUE',
		setId: `22222222-2222-4222-8222-${tail}`,
		updatedDate: 'Fri Nov 20 09:48:18 UTC 2026',
		message: 'The status of the set has been updated',
		transactionId: `33333333-3333-4333-8333-${tail}`,
		actor: 'Documentation desk',
		actorCompany: 'Northlight Shipping',
		...changes,
	};
}

export function setIdOf(number: number): string {
	return `22222222-2222-4222-8222-${number.toString(16).padStart(12, '0')}`;
}
