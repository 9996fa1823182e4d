/** Read-only links to a plan. The secret is made and shown outside; the state keeps only its hash and its end. */
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import { refuse } from "../../protocol/refuse.ts";
import type { Effect } from "../../../plugins/sdk.ts";
import type { PlanDecision } from "../decision.ts";
import { auditEffect, byKey } from "../effect-parts.ts";
import { byOf, type PlanContext } from "../actors.ts";

const SHARE_MS_MAX = 90 * 86_400_000;
export const PLAN_SHARE = "plan-share";
export const PLAN_UNSHARE = "plan-unshare";

type CommandOf<Type extends PlanModeCommand["type"]> = Extract<PlanModeCommand, { type: Type }>;

export function share(command: CommandOf<"share">, { nowMs, actor }: PlanContext): PlanDecision {
  const { planId, shareId, tokenHash, expiresAtMs } = command;
  if (expiresAtMs <= nowMs || expiresAtMs > nowMs + SHARE_MS_MAX) {
    return refuse("INVALID_REQUEST", "A link lasts at least a second and at most 90 days.");
  }
  const device = actor.kind === "operator" && actor.device !== undefined ? { device: actor.device } : {};
  const facts = { planId, shareId, tokenHash, expiresAtMs, by: byOf(actor), ...device, atMs: nowMs };
  return { events: [{ type: "plan.shared", ...facts }], reply: { share_id: shareId, expires_at_ms: expiresAtMs } };
}

export const unshare = ({ shareId }: CommandOf<"unshare">, { nowMs, actor }: PlanContext): PlanDecision => ({
  events: [{ type: "plan.unshared", shareId, by: byOf(actor), atMs: nowMs }],
  reply: { share_id: shareId },
});

export function shareEffects(event: PlanEventOf<"plan.shared"> | PlanEventOf<"plan.unshared">): Effect[] {
  const { shareId, by, atMs } = event;
  if (event.type === "plan.unshared") {
    const body = { shareId, by: byKey(by), atMs };
    return [
      { kind: "write-artifact", artifact: { kind: PLAN_UNSHARE, id: shareId, digest: "", body } },
      auditEffect("plan.unshared", { shareId, by: byKey(by) }),
    ];
  }
  const { planId, tokenHash, expiresAtMs, device } = event;
  const body = { shareId, planId, expiresAtMs, by: { ...by }, ...(device === undefined ? {} : { device }), atMs };
  return [
    { kind: "write-artifact", artifact: { kind: PLAN_SHARE, id: tokenHash, digest: tokenHash, body } },
    auditEffect("plan.shared", { planId, shareId, expiresAtMs, by: byKey(by) }),
  ];
}
