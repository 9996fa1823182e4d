/** The language that a person chose in this browser; without one, those that the browser asks for. */
const STORED_AS = "holdpoint.language";

export function wantedLanguages(): readonly string[] {
  const kept = localStorage.getItem(STORED_AS);
  return kept === null ? navigator.languages : [kept];
}

export const keepLanguage = (locale: string): void => localStorage.setItem(STORED_AS, locale);
