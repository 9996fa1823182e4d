/**
 * The keyboard map. A shortcut is added while its element is in the page and appears in the list behind `?`.
 * Shortcuts never fire while somebody types, wherever the field lies, nor with modifiers that they do not name.
 */
import type { PlainKey } from "../i18n/text-types.ts";
import { cell, type Readable } from "../state/cell.ts";

export type Shortcut = {
  /** The value of `event.key`, with `Ctrl+` before it where that key is held: `?`, `j`, `Ctrl+1`. */
  key: string;
  does: PlainKey;
  run(): void;
};

export type Keys = {
  shortcuts: Readable<readonly Shortcut[]>;
  /** Of two for one key the later one counts. Returns how to remove them. */
  add(...shortcuts: Shortcut[]): () => void;
  /** Single keys can be turned off: for people whose hands or tools press them by accident. */
  enabled: Readable<boolean>;
  enable(on: boolean): void;
  /** Ctrl with a digit, which some browsers switch tabs with: can be left to them. M and a digit does the same. */
  ctrlDigits: Readable<boolean>;
  enableCtrlDigits(on: boolean): void;
  start(): void;
};

const STORED_AS = "holdpoint.keys";
const DIGITS_STORED_AS = "holdpoint.ctrlDigits";
const SHORTCUTS_MAX = 100;

export function createKeys(): Keys {
  const shortcuts = cell<readonly Shortcut[]>([]);
  const enabled = cell(localStorage.getItem(STORED_AS) !== "off");
  const ctrlDigits = cell(localStorage.getItem(DIGITS_STORED_AS) !== "off");

  function pressed(event: KeyboardEvent): void {
    const name = nameOf(event);
    if (name === undefined || event.defaultPrevented || isTyping(event)) return;
    if ((isSingle(name) && !enabled.get()) || (isCtrlDigit(name) && !ctrlDigits.get())) return;
    const shortcut = shortcuts.get().findLast(({ key }) => key === name);
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.run();
  }

  return {
    shortcuts,
    enabled,
    ctrlDigits,
    add(...added) {
      shortcuts.change((known) => [...known, ...added].slice(-SHORTCUTS_MAX));
      return () => shortcuts.change((known) => known.filter((shortcut) => !added.includes(shortcut)));
    },
    enable(on) {
      enabled.set(on);
      localStorage.setItem(STORED_AS, on ? "on" : "off");
    },
    enableCtrlDigits(on) {
      ctrlDigits.set(on);
      localStorage.setItem(DIGITS_STORED_AS, on ? "on" : "off");
    },
    start: () => addEventListener("keydown", pressed),
  };
}

const isSingle = (name: string): boolean => name.length === 1;
export const isCtrlDigit = (name: string): boolean => /^Ctrl\+\d$/.test(name);

/** Undefined with modifiers that belong to the browser or the system. Shift is part of the character itself. */
export function nameOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): string | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (metaKey || altKey || (ctrlKey && shiftKey)) return undefined;
  return ctrlKey ? `Ctrl+${key}` : key;
}

/** The event's own path, because a field in a shadow root looks like its host from outside. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select, [role=textbox], [role=menu] *");
}
