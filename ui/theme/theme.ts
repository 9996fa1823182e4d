/** Light, dark, or the system's choice; remembered in this browser. */
import { cell, type Readable } from "../state/cell.ts";
import { tokens } from "./tokens.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = "holdpoint.theme";
const chosen = cell<Theme>("system");

export const theme: Readable<Theme> = chosen;

/** Constructable, because the page's policy allows no style in the document. */
export function installTheme(): void {
  const { styleSheet } = tokens;
  if (styleSheet !== undefined) document.adoptedStyleSheets.push(styleSheet);
  const stored = localStorage.getItem(STORED_AS);
  chooseTheme(THEMES.find((name) => name === stored) ?? "system");
}

export function chooseTheme(name: Theme): void {
  chosen.set(name);
  localStorage.setItem(STORED_AS, name);
  if (name === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = name;
}
