/**
 * Imported before grammY, whose `debug` asks for a browser's storage: Node would warn whoever reads standard error that there is
 * none, each time that Telegram is added or started.
 */
Object.defineProperty(globalThis, "localStorage", { value: undefined, configurable: true, writable: true });

export const localStorage = undefined;
