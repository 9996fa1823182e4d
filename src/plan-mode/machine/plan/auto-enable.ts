/** Matches a model's id against the patterns for which plan mode is on from the start. */
import type { PlanModeSettings } from "../../protocol/settings.ts";

/** The first pattern of `autoEnableFor` that the model's id matches: `*` is any text, `?` one character, case is equal. */
export function autoEnabledBy({ autoEnableFor, model }: PlanModeSettings): string | undefined {
  if (model === undefined) return undefined;
  const name = model.toLowerCase();
  return autoEnableFor.find((pattern) => matches(pattern.toLowerCase(), name));
}

/** Piece by piece instead of by a regular expression: a pattern of many stars must not take for ever. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = pattern[from];
    if (wanted === "*") {
      star = from++;
      resume = at;
    } else if (wanted === "?" || wanted === name[at]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(from));
}
