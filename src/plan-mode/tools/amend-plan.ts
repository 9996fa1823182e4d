/** The tool `amend_plan`: asks a person for more than the approved plan declares, before a call needs it. */
import { z } from "zod";
import { Json } from "../../protocol/json.ts";
import { digestOf, isBlank, revealHidden, type StateTool } from "../../plugins/sdk.ts";
import { AMEND_TOOL } from "../machine/scope/amend.ts";
import { scopeProblem } from "../machine/scope/scope-problem.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { StepScope } from "../protocol/step/scope.ts";
import { scopeLines } from "../protocol/step/step-lines.ts";
import { placeProblem } from "./scope-places.ts";

const REASON_CHARS_MAX = 1_000;
const MATCHED_CHARS_MAX = 1_000;

const input = z.strictObject({
  scope: StepScope.describe("What is missing: a folder that a command writes to, a command, a host, a tool."),
  reason: z.string().max(REASON_CHARS_MAX).describe("Why the plan needs it, in a sentence."),
});

const Scoped = z.object({ now: z.object({ scoped: z.literal(true) }) });

export const amendPlan: StateTool<z.infer<typeof input>> = {
  name: AMEND_TOOL,
  example: { scope: { paths: ["dist/"] }, reason: "npm run build writes there." },
  description:
    "Ask a person to amend the approved plan by what it does not declare, and stop: the turn ends, and you are resumed with the answer. " +
    "A call outside of the plan asks by itself; use this where a command fails because a folder is read-only, or has no network.",
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: (session) => Scoped.safeParse(session.slices[PLAN_MODE_SLICE]).success,
  async toCommand({ scope, reason }, context) {
    const lines = scopeLines(scope);
    if (lines.length === 0) return { error: "scope is empty. Say what is missing, as {paths: [...]}." };
    if (isBlank(reason)) return { error: "reason is blank. Say why the plan needs it." };
    const step = { step: AMEND_TOOL, status: "pending", scope } as const;
    const problem = scopeProblem(scope) ?? (await placeProblem([step], context));
    if (problem !== undefined) return { error: `${problem} Correct it and ask again.` };
    const call = {
      gate: "scope",
      tool: AMEND_TOOL,
      kind: "read_only",
      argsDigest: digestOf(Json.parse(scope)),
      folder: context.workspace,
      rule: "plan-mode/amend",
      matched: lines.join("; ").slice(0, MATCHED_CHARS_MAX),
    };
    // one line, in which nothing is hidden: it could be taken for more or less of the scope otherwise
    const why = revealHidden(reason.trim().replaceAll(/\s+/g, " "));
    const shown = [...lines, `reason: ${why}`].join("\n");
    return { command: { type: "ask-call", callId: context.callId, call, shown, amend: Json.parse(scope) } };
  },
};
