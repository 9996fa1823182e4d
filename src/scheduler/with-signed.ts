/**
 * A signature for a job is committed in the session of the run and reaches the session of the job by an order, a moment later.
 * Whoever asks in between is not told that nothing stands: the order is carried out first, and its own turn then finds it done.
 */
import type { Session } from "../protocol/session.ts";
import { applyInside } from "./apply-inside.ts";
import { jobsIn } from "./perform.ts";
import type { SchedulerPorts } from "./ports.ts";
import type { Job } from "./protocol/schedule.ts";
import { STANDINGS_MAX } from "./protocol/standing.ts";

/** The session of jobs, with what was signed for them by now. */
export async function withSigned(session: Session, ports: SchedulerPorts): Promise<Session> {
  const { jobs, standings = [] } = jobsIn(session);
  if (standings.length >= STANDINGS_MAX) return session; // some have made room, and could be taken for ones that never arrived
  const known = new Set(standings.map(({ planId }) => planId));
  let arrived = false;
  for (const job of jobs) {
    for (const runId of runsOf(job)) {
      const run = await ports.sessions.session(runId);
      const { charge, signed } = run === undefined ? {} : jobsIn(run);
      if (signed === undefined || charge?.home !== session.id || known.has(signed.planId)) continue;
      const { jobId, jobDigest } = charge;
      await applyInside(session.id, { type: "stand", jobId, jobDigest, plan: signed }, ports);
      arrived = true;
    }
  }
  return arrived ? ((await ports.sessions.session(session.id)) ?? session) : session;
}

/** Where a plan for the job can have been signed last. */
const runsOf = ({ run, proposalIn }: Job) => [
  ...new Set([...(run === null ? [] : [run.sessionId]), ...(proposalIn === undefined ? [] : [proposalIn])]),
];
