/** Ctrl or Cmd with K, which opens the palette; remembered from the first moment, though its code comes later. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;

/** Returns whether it was pressed meanwhile, and listens no more. */
export function rememberPaletteKey(): () => boolean {
  const until = new AbortController();
  let isAsked = false;
  const pressed = (event: KeyboardEvent): void => {
    if (!isPaletteKey(event)) return;
    event.preventDefault(); // browsers search with it
    isAsked = true;
  };
  addEventListener("keydown", pressed, { signal: until.signal });
  return () => {
    until.abort();
    return isAsked;
  };
}
