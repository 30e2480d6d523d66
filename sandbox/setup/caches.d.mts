export function cachesFolder(): string;
export function newFolder(prefix: string): Promise<string>;
