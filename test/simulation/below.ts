/** Sub-agents and runs of jobs on one node of the simulation: the real carriers between sessions and the real policies. */
import { ancestorPolicy } from "../../src/agent/sub-agents/ancestors.ts";
import { createSubAgents } from "../../src/agent/sub-agents/sub-agents.ts";
import type { SliceWorker } from "../../src/core/worker.ts";
import type { Clock } from "../../src/engine/clock.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { RunEffect } from "../../src/engine/outbox.ts";
import { readHistory } from "../../src/gateway/history.ts";
import { permissionPrompt } from "../../src/plan-mode/gates/permission-gate.ts";
import { scopePolicy } from "../../src/plan-mode/gates/scope-gate.ts";
import { ApprovalRules } from "../../src/plan-mode/protocol/approvals.ts";
import { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { TrustedToolPolicy } from "../../src/plugins/sdk.ts";
import type { History } from "../../src/plugins/sessions.ts";
import { ORDERS } from "../../src/scheduler/perform.ts";
import { SCHEDULER_SLICE } from "../../src/scheduler/protocol/schedule.ts";
import { createScheduler } from "../../src/scheduler/scheduler.ts";
import { standingPolicy } from "../../src/scheduler/standing-policy.ts";
import type { Store } from "../../src/store/store.ts";
import { type Cast, settingsOf, slicesOf } from "./cast.ts";

type Given = {
  cast: Cast;
  engine: Engine;
  store: Store;
  clock: Clock;
  /** Those that judge a session's own calls. */
  policies: readonly TrustedToolPolicy[];
  /** Jobs run for as long as people do. */
  areJobsActive(): boolean;
  /** As the store knows them. */
  revoked: ReadonlyMap<string, number>;
  report(error: unknown): void;
};

export type Below = { policies: readonly TrustedToolPolicy[]; worker: SliceWorker; run: RunEffect };

export function createBelow({ cast, engine, store, clock, policies, areJobsActive, revoked, report }: Given): Below {
  const history: History = (sessionId, from) => readHistory(store, sessionId, from);
  const children = createSubAgents({ sessions: engine, history });
  const scheduler = createScheduler({
    sessions: engine,
    clock,
    history,
    workspaceFor: () => "/simulated",
    recentChats: async () => [],
    isActive: areJobsActive,
    vouches: async ({ by }) => by.every(({ id }) => !revoked.has(id)),
    approvalsFor: () => ApprovalRules.parse({}),
    planBody: async (planId) => PlanRevision.safeParse((await store.artifact("plan", planId))?.body).data?.body,
    contributions: () => [],
    report,
  });
  const above = {
    sessions: engine,
    slices: slicesOf(cast),
    policies,
    permissionPrompt,
    clock,
    settingsFor: () => settingsOf(cast),
  };
  return {
    policies: [
      ...(cast === "family" ? [ancestorPolicy(above)] : []),
      ...(cast === "scoped" ? [scopePolicy] : []),
      ...(cast === "jobs" ? [ancestorPolicy(above), standingPolicy(() => scheduler)] : []),
    ],
    worker: {
      slice: SCHEDULER_SLICE,
      orders: ORDERS,
      perform: (order, { sessionId }) => scheduler.performOrder({ sessionId, order }),
    },
    async run({ sessionId, effect }) {
      if (effect.kind === "run-turn") return "done";
      const isReport = effect.kind === "report-to-parent" && (await engine.session(sessionId))?.kind === "cron";
      return isReport ? scheduler.report(sessionId, effect) : children.perform({ sessionId, effect });
    },
  };
}
