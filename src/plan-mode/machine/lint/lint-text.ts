/** What lint findings say: to people on the card, to the agent with its submission. */
import type { LintFinding } from "../../protocol/lint/lint-finding.ts";
import type { LocalizedText } from "../../../protocol/localized/localized-text.ts";
import { localized } from "../../texts/localized.ts";

export function lintText({ code, steps, more }: LintFinding): LocalizedText {
  if (steps.length === 0) return localized(`lint_${code}`);
  const named = `${steps.join(", ")}${more > 0 ? ` +${more}` : ""}`;
  return localized(`lint_${code}_steps`, { steps: named });
}

/** In English, as all that agents are told, with the code that acknowledges it. */
export const lintLines = (findings: readonly LintFinding[]): string[] =>
  findings.map((finding) => `${finding.code}: ${lintText(finding).text}`);
