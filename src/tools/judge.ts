/**
 * The trusted policies, in order, on the session as it is stored now. The first block wins. A policy that throws, takes
 * too long or answers something else than a verdict blocks: an unanswered question is a no (I18).
 */
import { z } from "zod";
import type { PolicyQuestion, PolicyVerdict, SliceOrder, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Clock } from "../plugins/sessions.ts";
import { GateRefusal, type ToolKind } from "../protocol/gate.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { SliceGrant } from "../protocol/session.ts";
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

/** A refusal with what commits beside it, or a yes with the one-off permission that it rests on. */
export type Judgement = { refusal: GateRefusal; also?: SliceOrder } | Allowed;
export type Allowed = { grant?: SliceGrant; under?: JsonObject };

export async function judge(question: PolicyQuestion, parts: JudgeParts): Promise<Judgement> {
  const allowed: Allowed = {};
  for (const policy of parts.policies) {
    const judgement = await ask(policy, question, parts);
    if ("refusal" in judgement) return judgement;
    Object.assign(allowed, judgement);
  }
  return allowed;
}

async function ask(policy: TrustedToolPolicy, question: PolicyQuestion, parts: JudgeParts): Promise<Judgement> {
  const { tool, kind } = question.call;
  const unclear = (why: string) => ({ refusal: gateUnavailable({ tool, kind }, { matched: policy.id, why }) });
  let verdict: PolicyVerdict | undefined;
  try {
    const answer = policy.evaluate(question);
    // most policies answer at once: only one that does not needs a clock beside it
    verdict = isPromise(answer) ? await within(answer, { clock: parts.clock, limitMs: POLICY_MS_MAX }) : answer;
  } catch (error) {
    parts.report(error);
    return unclear("failed");
  }
  if (verdict === undefined) return unclear(`gave no verdict within ${POLICY_MS_MAX} ms`);
  if (!Verdict.safeParse(verdict).success) return unclear("gave no readable verdict"); // a plugin's word: its type is only a promise
  if (verdict.verdict === "allow") {
    const { grant, under } = verdict;
    return { ...(grant === undefined ? {} : { grant }), ...(under === undefined ? {} : { under }) };
  }
  const refusal = GateRefusal.safeParse(verdict.refusal);
  if (!refusal.success) return unclear("gave no readable verdict");
  return { refusal: refusal.data, ...(verdict.also === undefined ? {} : { also: verdict.also }) };
}

const isPromise = (answer: PolicyVerdict | Promise<PolicyVerdict>): answer is Promise<PolicyVerdict> =>
  answer instanceof Promise;

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
