/** `holdpoint plan hold|skip|confirm|waive|decline|defer`: about single steps, proofs and questions. */
import { findAction, patchOf } from "../../../protocol/card/availability.ts";
import { askingIn, ofGateway } from "../../../protocol/card/card.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { PlanOverview } from "../../../plan-mode/protocol/plan-overview.ts";
import { cardsOf } from "../../cards/session-cards.ts";
import { overviewOf } from "../../plan-state.ts";
import type { SessionView } from "../../../protocol/methods.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../context.ts";
import { decide, nothing, type OnSession } from "./plan.ts";

export const stageSteps = (
  action: "hold" | "skip",
  { steps, ...options }: OnSession & { steps: number[] },
  context: CommandContext,
): Promise<void> =>
  decide(context, options, (session) => {
    const { approvalId, digest } = carriedOut(session);
    return { planApproval: { action, approvalId, digest, steps } };
  });

export async function vouch(
  action: "confirm" | "waive",
  { which, reason, ...options }: OnSession & { which: string; reason: string },
  context: CommandContext,
): Promise<void> {
  const [named, step, criterion] = /^([1-9]\d{0,2})(?:\.([1-9]\d{0,2}))?$/.exec(which) ?? [];
  if (named === undefined) throw usage("Name a step by its number, or a criterion of it: 2, or 2.1.");
  if (action === "waive" && reason.trim() === "") throw usage("A waiver needs a reason: it is kept with the plan.");
  await decide(context, options, (session): JsonObject => {
    const { approvalId } = carriedOut(session);
    const about = { approvalId, step: Number(step), ...(criterion === undefined ? {} : { criterion }) };
    return { planApproval: { action, ...about, ...(action === "waive" ? { reason } : {}) } };
  });
}

export const leaveUnanswered = (
  action: "decline" | "defer",
  { reason, ...options }: OnSession & { reason: string },
  context: CommandContext,
): Promise<void> =>
  decide(context, options, (session) => {
    const offered = findAction(askingIn(ofGateway(cardsOf(session))), action);
    if (offered === undefined) throw nothing("No question waits in this session.");
    return patchOf(offered, reason);
  });

function carriedOut(session: SessionView): NonNullable<PlanOverview["carriedOut"]> {
  const { carriedOut: plan } = overviewOf(session);
  if (plan === undefined) throw nothing("No plan is being carried out in this session.");
  return plan;
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "See: holdpoint plan --help", code: "USAGE" });
