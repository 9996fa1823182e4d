/**
 * The trusted policy for runs under a standing plan. The session of the run shows that a person signed; this asks the
 * session that the job lives in, at each call and once more after its claim, whether that still stands: the same job,
 * this run, not withdrawn, not over, and nobody revoked.
 */
import type { GateRefusal } from "../protocol/gate.ts";
import type { Session } from "../protocol/session.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import type { PolicyQuestion, PolicyVerdict, TrustedToolPolicy } from "../plugins/sdk.ts";
import { isOwned, isStillSigned } from "./charge-run.ts";
import { activeStanding, jobDigest } from "./machine/standing.ts";
import type { SchedulerPorts } from "./ports.ts";
import { SchedulerState } from "./protocol/schedule.ts";
import { type Charge, chargeIn } from "./protocol/standing.ts";

type StandingPorts = Pick<SchedulerPorts, "sessions" | "clock" | "vouches">;

const ALLOW: PolicyVerdict = { verdict: "allow" };

type Opened = { whyVoid(session: Session, charge: Charge): Promise<string | undefined> };

/** The scheduler is made after its policies are registered. */
export const standingPolicy = (opened: () => Opened): TrustedToolPolicy => ({
  id: "scheduler/standing",
  description: "A run under a standing plan changes things only while that plan stands for exactly its job.",
  afterClaim: true,
  async evaluate({ call, session }) {
    const charge = call.effect === "read" ? undefined : chargeIn(session.slices);
    if (charge === undefined || !isUnderStanding(session)) return ALLOW;
    const why = await opened().whyVoid(session, charge);
    return why === undefined ? ALLOW : { verdict: "block", refusal: voided(call, why) };
  },
});

function isUnderStanding({ slices }: Session): boolean {
  const { now } = PlanModeState.parse(slices["planMode"]); // unreadable state throws, and that blocks
  return now.phase === "executing" && now.standing !== undefined;
}

export async function whyVoid(session: Session, charge: Charge, ports: StandingPorts): Promise<string | undefined> {
  const home = await ports.sessions.session(charge.home);
  if (home === undefined) return "the session of the job is gone";
  const state = SchedulerState.parse(home.slices["scheduler"]);
  const job = state.jobs.find(({ id }) => id === charge.jobId);
  if (job === undefined) return "the job is gone";
  if (job.run?.sessionId !== session.id) return "this run is over";
  const standing = countedUnder(session, charge, state);
  if (standing === undefined) return "the standing plan was withdrawn, or is void";
  if (standing.jobDigest !== jobDigest(job, home)) return "the job has changed";
  // within a session time never runs backwards, whatever the clock says
  const nowMs = Math.max(ports.clock.now(), home.updatedAtMs, session.updatedAtMs);
  if (nowMs > standing.untilMs) return "its time is over";
  const isVouchedFor = (await isOwned(job, ports)) && (await isStillSigned(standing, ports));
  return isVouchedFor ? undefined : "an operator, or what they signed with, was revoked";
}

/** The plan that stands now, if this very run was counted under it. */
function countedUnder({ id }: Session, { jobId, standing: signed }: Charge, state: SchedulerState) {
  const standing = activeStanding(state, jobId);
  const isCounted = standing?.used.some(({ sessionId }) => sessionId === id) === true;
  return isCounted && standing.planId === signed?.plan.planId ? standing : undefined;
}

function voided({ tool, kind }: PolicyQuestion["call"], why: string): GateRefusal {
  const hint = "Finish by reading, and report in your answer what is left to do.";
  return {
    tool_name: tool,
    tool_kind: kind,
    hint,
    entered_at: null,
    entered_reason: null,
    rule: "standing/void",
    matched: why,
    message: `${tool} was not run: no standing plan covers this run any more (${why}). ${hint}`,
  };
}
