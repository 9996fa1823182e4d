export function sourcesMark(root: string): string | undefined;
export function isBundleOfSources(root: string): boolean;
export function recordSources(root: string, mark: string): void;
