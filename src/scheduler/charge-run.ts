/** What the session of a run is told about its job, and whether those who answer for the job may still do so. */
import { Json } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { PlanModeState } from "../plan-mode/protocol/state.ts";
import { digestOf } from "../plugins/sdk.ts";
import { applyInside } from "./apply-inside.ts";
import { activeStanding, jobDigest } from "./machine/standing.ts";
import type { SchedulerPorts } from "./ports.ts";
import { type Job, SCHEDULER_SLICE, SchedulerState } from "./protocol/schedule.ts";
import type { Charge, Standing } from "./protocol/standing.ts";

type OfJob = { parent: Session; job: Job };

export async function chargeOf({ parent, job }: OfJob, ports: SchedulerPorts): Promise<Charge> {
  const before = job.proposalIn === undefined ? undefined : await ports.sessions.session(job.proposalIn);
  const standing = await standingOf({ parent, job }, ports);
  const approvals = ports.approvalsFor(parent);
  return {
    home: parent.id,
    jobId: job.id,
    name: job.name,
    jobDigest: jobDigest(job, parent),
    repeats: job.schedule.kind !== "at",
    proposalOpen: before !== undefined && openProposal(before) !== undefined,
    ...(approvals === undefined ? {} : { approvals }),
    ...(job.ownedBy === undefined ? {} : { ownedBy: job.ownedBy }),
    ...(standing === undefined ? {} : { standing }),
  };
}

/** Only what the run was counted under, as far as it still stands and its signed text can be read back. */
async function standingOf({ parent, job }: OfJob, ports: SchedulerPorts): Promise<Charge["standing"]> {
  const counted = job.run?.standing;
  const standing = activeStanding(stateOf(parent), job.id);
  if (counted === undefined || standing === undefined || standing.planId !== counted.planId) return undefined;
  if (standing.jobDigest !== jobDigest(job, parent) || !(await isStillSigned(standing, ports))) return undefined;
  const body = await ports.planBody(standing.planId);
  if (body === undefined || digestOf(Json.parse(body)) !== standing.digest) return undefined;
  const { jobId: _job, jobName: _name, jobDigest: _digest, used: _used, ended: _ended, ...plan } = standing;
  return { plan, n: counted.n, body };
}

const stateOf = ({ slices }: Session): SchedulerState => SchedulerState.parse(slices[SCHEDULER_SLICE]);

/** `runs`: the job may run. Otherwise it was stopped, or that has to be tried again. */
export async function stopRevoked(
  { session, job }: { session: Session; job: Job },
  ports: SchedulerPorts,
): Promise<"runs" | "done" | "later"> {
  const standing = activeStanding(stateOf(session), job.id);
  const owned = await isOwned(job, ports);
  if (owned && (standing === undefined || (await isStillSigned(standing, ports)))) return "runs";
  const what = owned ? "standing" : "job";
  const stopped = await applyInside(session.id, { type: "stop-revoked", jobId: job.id, what }, ports);
  if (!stopped.ok && stopped.refusal.retry === true) return "later";
  return owned ? "runs" : "done";
}

type Vouching = Pick<SchedulerPorts, "vouches">;

/** Whether whoever answers for the job may still do so. */
export const isOwned = async ({ ownedBy }: Pick<Job, "ownedBy">, { vouches }: Vouching): Promise<boolean> =>
  ownedBy === undefined || vouches({ by: [ownedBy] });

export const isStillSigned = (
  { signedBy, passkeys, signedAtMs }: Pick<Standing, "signedBy" | "passkeys" | "signedAtMs">,
  { vouches }: Vouching,
): Promise<boolean> => vouches({ by: signedBy, passkeys, signedAtMs });

/** The title of a plan that waits in this session, or that its agent is revising; undefined where none does. */
export function openProposal({ slices, turn }: Session): string | undefined {
  const parsed = PlanModeState.safeParse(slices["planMode"]);
  if (!parsed.success) return undefined;
  const { now } = parsed.data;
  const isOpen = now.phase === "pending" || (now.phase === "rejected" && turn.status !== "idle");
  return isOpen ? now.submission.title : undefined;
}
