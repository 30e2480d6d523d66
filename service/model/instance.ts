/**
 * The product instance kind of an event, whatever its spelling: `hub`, `exchange`, or the text as sent when it is
 * neither (interface, part 6: "spelling varies in case").
 */
export function instanceKind(sent: string): string {
	if (/hub/i.test(sent)) return 'hub';
	if (/ex/i.test(sent)) return 'exchange';
	return sent;
}
