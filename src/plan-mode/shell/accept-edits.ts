/** The gate for plans that were approved with `edit` (AE): everything passes except for three classes of calls. */
import type { EditPlace, FindingClass } from "./accept-edits/finding.ts";
import { inspectCommand } from "./accept-edits/inspect.ts";
import { patchDeletes, patchTargets } from "./accept-edits/patch-targets.ts";
import { isProtected } from "./accept-edits/protected-paths.ts";

export type EditCall =
  | { readonly tool: "exec"; readonly command: string }
  | { readonly tool: "write" | "edit"; readonly path: string }
  | { readonly tool: "apply_patch"; readonly patch: string };

export type EditVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly class: FindingClass;
      readonly code: string;
      readonly matched: string;
      readonly reason: string;
    };

const MATCHED_LENGTH_MAX = 200;

const REASONS: Readonly<Record<FindingClass, string>> = {
  destructive:
    "This removes or erases something, or hides what it runs. Ask the person with ask_user_question before doing it.",
  "gateway-control": "This would stop or restart the gateway. Ask the person with ask_user_question before doing it.",
  "config-change":
    "This changes the configuration of the gateway or of an agent. Ask the person with ask_user_question before doing it.",
};

const refused = (found: {
  readonly class: FindingClass;
  readonly code: string;
  readonly matched: string;
}): EditVerdict => ({
  allowed: false,
  class: found.class,
  code: found.code,
  matched: found.matched.slice(0, MATCHED_LENGTH_MAX),
  reason: REASONS[found.class],
});

const targetsOf = (call: Exclude<EditCall, { tool: "exec" }>): readonly string[] =>
  call.tool === "apply_patch" ? patchTargets(call.patch) : [call.path];

export const judgeAcceptEdits = (call: EditCall, place: EditPlace): EditVerdict => {
  if (call.tool === "exec") {
    const found = inspectCommand(call.command, place);
    return found === undefined ? { allowed: true } : refused(found);
  }
  const target = targetsOf(call).find((path) => isProtected(path, place));
  if (target !== undefined) return refused({ class: "config-change", code: "protected-path", matched: target });
  const deleted = place.strict !== undefined && call.tool === "apply_patch" ? patchDeletes(call.patch) : undefined;
  return deleted === undefined
    ? { allowed: true }
    : refused({ class: "destructive", code: "patch-deletes", matched: deleted });
};
