/**
 * The trusted policies, in order, on the session as it is stored now. The first block wins. A policy that throws, takes
 * too long or answers something else than a verdict blocks: an unanswered question is a no (I18).
 */
import { z } from "zod";
import type { PolicyQuestion, PolicyVerdict, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Clock } from "../plugins/sessions.ts";
import { GateRefusal, type ToolKind } from "../protocol/gate.ts";
import { within } from "./deadline.ts";

export const POLICY_MS_MAX = 5_000;

const Verdict = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.literal("allow") }),
  z.object({ verdict: z.literal("block"), refusal: z.unknown() }),
]);

export type JudgeParts = {
  policies: readonly TrustedToolPolicy[];
  clock: Clock;
  report(error: unknown): void;
};

/** The refusal, or undefined when every policy allows the call. */
export async function judge(question: PolicyQuestion, parts: JudgeParts): Promise<GateRefusal | undefined> {
  for (const policy of parts.policies) {
    const refusal = await ask(policy, question, parts);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

async function ask(
  policy: TrustedToolPolicy,
  question: PolicyQuestion,
  { clock, report }: JudgeParts,
): Promise<GateRefusal | undefined> {
  const { tool, kind } = question.call;
  const unclear = (why: string): GateRefusal => gateUnavailable({ tool, kind }, { matched: policy.id, why });
  let verdict: PolicyVerdict | undefined;
  try {
    const answer = Promise.resolve().then(() => policy.evaluate(question));
    verdict = await within(answer, { clock, limitMs: POLICY_MS_MAX });
  } catch (error) {
    report(error);
    return unclear("failed");
  }
  if (verdict === undefined) return unclear(`gave no verdict within ${POLICY_MS_MAX} ms`);
  const given = Verdict.safeParse(verdict); // a plugin's word: its type is a promise that nothing else keeps
  if (!given.success) return unclear("gave no readable verdict");
  if (given.data.verdict === "allow") return undefined;
  const refusal = GateRefusal.safeParse(given.data.refusal);
  return refusal.success ? refusal.data : unclear("gave no readable verdict");
}

/** The refusal of a call that could not be judged. */
export function gateUnavailable(
  { tool, kind }: { tool: string; kind: ToolKind },
  { matched, why }: { matched: string; why: string },
): GateRefusal {
  return {
    tool_name: tool,
    tool_kind: kind,
    hint: "Try the call once more; if it is refused again, tell the person.",
    entered_at: null,
    entered_reason: null,
    rule: "gate-unavailable",
    matched,
    message: `${tool} was not run: the gate could not judge it, because ${matched} ${why}.`,
  };
}
