/** Which plan a rollback is about: one that is named, or the newest that changed something in a session. */
import type { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import { type OnSession, planOf, sessionOf } from "../commands/plan/plan.ts";

export type OnPlan = OnSession & { plan?: string };
/** `named`: the options that name exactly this plan again, whatever happens meanwhile. */
export type RolledPlan = { sessionId: SessionId; cycleId?: CycleId; named: string };

const PLANS_LOOKED_AT_MAX = 200;

export async function rolledPlan(link: Link, { plan, session }: OnPlan): Promise<RolledPlan> {
  if (plan !== undefined) {
    if (session !== undefined) throw usage("--plan names the session too: leave --session out.");
    const { planId, sessionId, cycleId } = await planOf(link, plan, {});
    return { sessionId, cycleId, named: namedBy(planId) };
  }
  const { id: sessionId } = await sessionOf(link, session === undefined ? {} : { session });
  const { changes } = await link.call("changes.get", { sessionId });
  const { plans } = await link.call("plans.list", { sessionId, limit: PLANS_LOOKED_AT_MAX });
  const newest = plans.find(({ cycleId }) => cycleId === changes?.cycleId);
  const ofCycle = changes === null ? {} : { cycleId: changes.cycleId };
  return { sessionId, ...ofCycle, named: newest === undefined ? `--session ${sessionId}` : namedBy(newest.planId) };
}

const namedBy = (planId: PlanId): string => `--plan ${planId}`;

/** Undefined where it can be taken back; otherwise why not. */
export async function whyNotUndone(
  link: Pick<Link, "call">,
  of: { sessionId: SessionId; cycleId: CycleId },
): Promise<string | undefined> {
  try {
    const { preview } = await link.call("changes.preview", of);
    return preview.files.length === 0 ? "There is nothing to put back." : undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** The command that takes back this plan and no other. */
export const undoCommand = (planId: PlanId): string => `holdpoint plan rollback ${namedBy(planId)}`;

/** Which session is meant is a guess as soon as there are two, and another may have been previewed. */
export async function refuseGuess(link: Link, { plan, session }: OnPlan): Promise<void> {
  if (plan !== undefined || session !== undefined) return;
  const { sessions } = await link.call("sessions.list", { limit: 2 });
  if (sessions.length > 1) throw usage("With --yes, say which plan: --plan, as the preview names it, or --session.");
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "See what it would do with: holdpoint plan rollback", code: "USAGE" });
