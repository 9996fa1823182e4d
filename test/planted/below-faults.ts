/** Where a session below another, or the run of a job, could do more than it may. */
import { type PlantedFault, SIMULATION } from "./planted-fault.ts";

export const BELOW_FAULTS: readonly PlantedFault[] = [
  {
    name: "nobody asks the sessions above a sub-agent",
    file: "src/agent/sub-agents/ancestors.ts",
    find: '      if (session.parentId === undefined || call.effect === "read") return ALLOW;',
    replace: '      if (session.parentId === undefined || call.effect !== "state") return ALLOW;',
    test: SIMULATION,
  },
  {
    name: "a yes to one call is not spent",
    file: "src/plan-mode/machine/gate.ts",
    find: '  return [{ type: "grant.spent", grantId: state.grant.id, atMs: nowMs }, ...changed];',
    replace: "  return changed;",
    test: SIMULATION,
  },
  {
    name: "a run goes on under a standing plan that was withdrawn",
    file: "src/scheduler/standing-policy.ts",
    find: '    return why === undefined ? ALLOW : { verdict: "block", refusal: voided(call, why) };',
    replace: '    return why !== "" ? ALLOW : { verdict: "block", refusal: voided(call, why) };',
    test: SIMULATION,
  },
  {
    name: "a job fires before its time",
    file: "src/scheduler/machine/advance.ts",
    find: '(job) => isArmed(job) && job.now.status === "waiting" && job.now.nextAtMs <= nowMs);',
    replace: '(job) => isArmed(job) && job.now.status === "waiting" && job.now.nextAtMs <= nowMs + 60_000);',
    test: SIMULATION,
  },
  {
    name: "a job's time is used by each node that looked it up",
    file: "src/scheduler/machine/advance.ts",
    find: 'job === undefined || job.now.status !== "due" || job.now.dueAtMs !== command.dueAtMs',
    replace: "job === undefined",
    test: { file: SIMULATION.file, title: "while it looks up the next time of a job" },
  },
  {
    name: "a job runs on though its owner was revoked",
    file: "src/scheduler/charge-run.ts",
    find: "  const owned = await isOwned(job, ports);",
    replace: "  const owned = true;",
    test: { file: SIMULATION.file, title: "somebody revoked while a job of theirs comes due" },
  },
  {
    name: "a run changes things though those who answer for its job were revoked",
    file: "src/scheduler/standing-policy.ts",
    find: '  return isVouchedFor ? undefined : "an operator, or what they signed with, was revoked";',
    replace: "  return isVouchedFor ? undefined : undefined;",
    test: { file: SIMULATION.file, title: "somebody revoked while a run works for them" },
  },
];
