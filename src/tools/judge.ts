/**
 * The trusted policies, in order, on the session as it is stored now. The first block wins. A policy that throws, takes
 * too long or answers something else than a verdict blocks: an unanswered question is a no (I18).
 */
import { z } from "zod";
import type { PolicyQuestion, PolicyVerdict, SliceOrder, TrustedToolPolicy } from "../plugins/policy.ts";
import type { Clock } from "../plugins/sessions.ts";
import type { Confinement } from "../protocol/calls/confinement.ts";
import { GateRefusal, type ToolKind } from "../protocol/gate.ts";
import { JsonObject } from "../protocol/json.ts";
import type { SliceGrant } from "../protocol/session.ts";
import { withinDeadline } from "./deadline.ts";

export const POLICY_MS_MAX = 5_000;
const BY_CHARS_MAX = 200;

const Verdict = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.literal("allow") }),
  z.object({ verdict: z.literal("block"), refusal: z.unknown(), by: z.string().max(BY_CHARS_MAX).optional() }),
  z.object({ verdict: z.literal("ask"), reason: z.string().min(1) }),
  z.object({ verdict: z.literal("rewrite"), args: JsonObject, reason: z.string().min(1) }),
]);

export type JudgeParts = {
  policies: readonly TrustedToolPolicy[];
  clock: Clock;
  report(error: unknown): void;
};

/** A refusal with who refused and what commits beside it, or a yes with the one-off permission that it rests on. */
export type Judgement = { refusal: GateRefusal; by?: string; also?: SliceOrder } | Allowed;
export type Allowed = { grant?: SliceGrant; under?: JsonObject; confine?: readonly Confinement[] };
/** Before a yes: other arguments, or a person's word. */
export type Rewrite = { rewrite: { args: JsonObject; reason: string; by: string } };
export type Weighed = Judgement | Rewrite | { ask: { reason: string }; allowed: Allowed };

/** All policies; the first that wants other arguments ends it, because everything is judged again with those. */
export async function weigh(question: PolicyQuestion, parts: JudgeParts): Promise<Weighed> {
  const allowed: Allowed = {};
  let asking: { reason: string } | undefined;
  for (const policy of parts.policies) {
    const weighed = await ask(policy, question, parts);
    if ("refusal" in weighed || "rewrite" in weighed) return weighed;
    if ("ask" in weighed) asking ??= weighed.ask;
    else Object.assign(allowed, bothAllow(allowed, weighed));
  }
  return asking === undefined ? allowed : { ask: asking, allowed };
}

/** A final yes or no, where neither rewriting nor asking is possible any more. */
export async function judge(question: PolicyQuestion, parts: JudgeParts): Promise<Judgement> {
  const weighed = await weigh(question, parts);
  if (!("ask" in weighed) && !("rewrite" in weighed)) return weighed;
  return { refusal: gateUnavailable(question.call, { matched: "a policy", why: "could not settle it in time" }) };
}

/** What both policies allow a call by; of two one-off permissions the later, whose giver saw the earlier one. */
export function bothAllow(earlier: Allowed, later: Allowed): Allowed {
  const under = { ...earlier.under, ...later.under };
  const confine = [...(earlier.confine ?? []), ...(later.confine ?? [])];
  return {
    ...earlier,
    ...later,
    ...(Object.keys(under).length === 0 ? {} : { under }),
    ...(confine.length === 0 ? {} : { confine }),
  };
}

async function ask(policy: TrustedToolPolicy, question: PolicyQuestion, parts: JudgeParts): Promise<Weighed> {
  const { tool, kind } = question.call;
  const unclear = (why: string) => ({ refusal: gateUnavailable({ tool, kind }, { matched: policy.id, why }) });
  let verdict: PolicyVerdict | undefined;
  try {
    const answer = policy.evaluate(question);
    // most policies answer at once: only one that does not needs a clock beside it
    verdict = isPromise(answer) ? await withinDeadline(answer, { clock: parts.clock, limitMs: POLICY_MS_MAX }) : answer;
  } catch (error) {
    parts.report(error);
    return unclear("failed");
  }
  if (verdict === undefined) return unclear(`gave no verdict within ${POLICY_MS_MAX} ms`);
  if (!Verdict.safeParse(verdict).success) return unclear("gave no readable verdict"); // a plugin's answer: its type is only a promise
  if (verdict.verdict === "allow") {
    const { grant, under, confine } = verdict;
    return {
      ...(grant === undefined ? {} : { grant }),
      ...(under === undefined ? {} : { under }),
      ...(confine === undefined ? {} : { confine }),
    };
  }
  const { id: by } = policy;
  if (verdict.verdict === "ask") return { ask: { reason: `${by}: ${verdict.reason}` }, allowed: {} };
  if (verdict.verdict === "rewrite") return { rewrite: { args: verdict.args, reason: verdict.reason, by } };
  return blockedBy(by, verdict) ?? unclear("gave no readable verdict");
}

/** Undefined when the refusal cannot be read. */
function blockedBy(id: string, { refusal, by = id, also }: Extract<PolicyVerdict, { verdict: "block" }>) {
  const { data } = GateRefusal.safeParse(refusal);
  if (data === undefined) return undefined;
  return { refusal: data, by, ...(also === undefined ? {} : { also }) };
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
