/**
 * Called before grammY is loaded, whose `debug` asks for a browser's storage: Node would warn whoever reads standard error that
 * there is none, each time that Telegram is added or started.
 */
export function noLocalStorage(): void {
  Object.defineProperty(globalThis, "localStorage", { value: undefined, configurable: true, writable: true });
}
