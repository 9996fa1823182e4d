/** What people see of plan mode is drawn from its cards: surfaces do not work it out from the stored state again. */
import type { SourceFile } from "./tree.ts";
import { isShipped } from "./tree.ts";

const SURFACE = /^(?:ui|src\/cli)\//;

/** A phase of plan mode, its slice taken out of a session, or a call of what takes it out. */
const RAW_STATE =
  /\bnow\??\.phase\b|\bslices\??(?:\.planMode\b|\[\s*"planMode"\s*\])|\bPlanModeState\.(?:safeP|p)arse\b|\bplanOf\(session\)/;

/** Views of the page that show the record, the notes or the progress of a plan, none of which is a card. */
const ALLOWED: ReadonlySet<string> = new Set([
  "ui/chat/mode-of.ts",
  "ui/proof/followed-evidence.ts",
  "ui/review/plan-pane.ts",
  "ui/review/status-line.ts",
  "ui/run/act/stages-of.ts",
  "ui/run/steps/run-of.ts",
  "ui/state/open-session.ts",
  "ui/state/plan-of.ts",
  "ui/state/plan-review.ts",
  "ui/state/present-steps.ts",
]);

export function cardProblems(files: SourceFile[]): string[] {
  return files
    .filter(
      (file) => isShipped(file) && SURFACE.test(file.path) && !ALLOWED.has(file.path) && RAW_STATE.test(file.text),
    )
    .map(({ path }) => `${path}: reads plan mode's state; draw what people see from its cards (src/protocol/card)`);
}
