/** Connects the scheduler to the gateway: its ports, its interface for plugins, and the agents' heartbeats. */
import type { SubAgents } from "../agent/sub-agents/sub-agents.ts";
import { resolveHeartbeats, resolveWorkspace } from "../config/resolve.ts";
import type { Engine } from "../engine/engine.ts";
import { failureLine } from "../engine/failure-line.ts";
import type { PendingWork } from "../engine/outbox.ts";
import { askHeartbeats } from "../core/heartbeats.ts";
import type { SliceRegistry } from "../core/slice.ts";
import type { PluginScheduler } from "../plugins/plugin-runtime.ts";
import { PlanModeSettings } from "../plan-mode/protocol/settings.ts";
import { PlanRevision } from "../plan-mode/protocol/plan.ts";
import { SessionId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import type { CronToolParts } from "../scheduler/tool.ts";
import { createScheduler, type Scheduler } from "../scheduler/scheduler.ts";
import { endingOf } from "../gateway/login/device-tokens.ts";
import type { SchedulerPorts } from "../scheduler/ports.ts";
import { readHistory } from "../gateway/history.ts";
import { unattendedWarnings } from "./open-settings.ts";
import type { State } from "./state.ts";

/** How many sessions are searched for the conversations of one agent. */
const RECENT_LOOKED_AT_MAX = 200;

/** The scheduler's plugin is registered before the engine that the scheduler needs exists. */
export type Scheduling = { ports: CronToolParts; open(parts: SchedulingParts): Scheduler };

export type SchedulingParts = {
  engine: Engine;
  slices: SliceRegistry;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** The texts of plugins for each heartbeat. */
  heartbeats(session: Session): readonly string[];
  /** Whether the plugin that owns a job is enabled. */
  isEnabled(pluginId: string): boolean;
};

export function createScheduling(state: State): Scheduling {
  let opened: { scheduler: Scheduler; engine: Engine } | undefined;
  const now = () => {
    if (opened === undefined) throw new Error("the scheduler was asked before it was opened");
    return opened;
  };
  return {
    ports: {
      scheduler: () => now().scheduler,
      session: (id) => now().engine.session(id),
    },
    open(parts) {
      const scheduler = schedulerOf(state, parts);
      opened = { scheduler, engine: parts.engine };
      return scheduler;
    },
  };
}

function schedulerOf(state: State, { engine, slices, settingsFor, heartbeats, isEnabled }: SchedulingParts): Scheduler {
  const { store, clock, config, options, log, attention } = state;
  return createScheduler({
    sessions: engine,
    clock,
    history: (sessionId, from) => readHistory(store, sessionId, from),
    workspaceFor: (agentId) => resolveWorkspace(config.current(), agentId) ?? options.workspace,
    async recentChats(agentId, limit) {
      const page = await store.sessions({ archived: false }, { cursor: null, limit: RECENT_LOOKED_AT_MAX });
      return page.items
        .filter((row) => row.agentId === agentId && row.kind === "chat")
        .slice(0, limit)
        .map((row) => row.id);
    },
    vouches: vouchersOf(state),
    approvalsFor: (session) => PlanModeSettings.safeParse(settingsFor(session)[PLAN_MODE]).data?.approvals,
    planBody: async (planId) => PlanRevision.safeParse((await store.artifact(PLAN, planId))?.body).data?.body,
    isActive: (owner) => !owner.startsWith(PLUGIN) || isEnabled(owner.slice(PLUGIN.length)),
    contributions: (session) => [
      ...askHeartbeats(session, { slices, settings: settingsFor(session), nowMs: clock.now() }),
      ...heartbeats(session),
    ],
    warnings: () => unattendedWarnings(config.current()),
    report(error) {
      log.error({ err: error }, "a heartbeat goes without what a plugin has to say");
      attention.add(SCHEDULER, `A heartbeat went without what plugins have to say: ${failureLine(error)}`);
    },
  });
}

/** Read from the store each time, because another gateway may have revoked it. */
const vouchersOf =
  ({ store, revocations }: Pick<State, "store" | "revocations">): SchedulerPorts["vouches"] =>
  async ({ by, passkeys = [], signedAtMs = Infinity }) => {
    // of what stood in a backup nobody knows how often it ran since, and whether it was withdrawn
    if (signedAtMs < revocations.restoredAtMs()) return false;
    const all = await store.tokens();
    const isGood = (id: string): boolean => {
      const token = all.find((one) => one.id === id);
      return token !== undefined && endingOf(token, all) !== "revoked";
    };
    if (
      !by.every((one) => one.kind === "operator" && isGood(one.id) && (one.device === undefined || isGood(one.device)))
    )
      return false;
    const keys = passkeys.length === 0 ? [] : await store.passkeys();
    return passkeys.every((id) =>
      keys.some(({ passkey }) => passkey.credentialId === id && passkey.revokedAtMs === null),
    );
  };

const PLAN = "plan";
const PLAN_MODE = "planMode";
const PLUGIN = "plugin:";
/** The name under which operators see problems of heartbeats. */
const SCHEDULER = "scheduler";

type FollowedState = Pick<State, "clock" | "attention" | "log"> & {
  config: Pick<State["config"], "current" | "onChange">;
};

const HEARTBEATS_RETRY_FIRST_MS = 1_000;
const HEARTBEATS_RETRY_MS_MAX = 300_000;

/**
 * Applies the heartbeats of the configuration now and after each change; an agent without a heartbeat has no job and no
 * timer for it. What could not be set is tried again until it is, and operators see the problem meanwhile.
 */
export function followHeartbeats(
  { config, clock, attention, log }: FollowedState,
  scheduler: Pick<Scheduler, "applyHeartbeats">,
): () => void {
  let callOff: (() => void) | undefined;
  let failures = 0;
  let isOver = false;
  let last = Promise.resolve();
  async function set(): Promise<void> {
    callOff?.();
    if (isOver) return;
    try {
      await scheduler.applyHeartbeats(resolveHeartbeats(config.current()));
      if (failures > 0) attention.clear(SCHEDULER);
      failures = 0;
    } catch (error) {
      log.error({ err: error }, "the heartbeats could not be set; it will be tried again");
      attention.add(SCHEDULER, `The heartbeats could not be set, and it is tried again: ${failureLine(error)}`);
      const waitMs = Math.min(HEARTBEATS_RETRY_FIRST_MS * 2 ** Math.min(failures++, 30), HEARTBEATS_RETRY_MS_MAX);
      callOff = clock.wakeAt(clock.now() + waitMs, apply);
    }
  }
  const apply = (): void => void (last = last.then(set)); // one at a time: two at once would both add the job
  apply();
  const stopFollowing = config.onChange((change) => {
    if (change.kind === "applied") apply();
  });
  return () => {
    isOver = true;
    callOff?.();
    stopFollowing();
  };
}

/** The scheduler's interface for plugins. A refusal is thrown, with its reason, at the plugin that asked. */
export function pluginScheduler(scheduler: Scheduler): PluginScheduler {
  return {
    async schedule(pluginId, { sessionKey, message, tag, ...when }) {
      const turn = { sessionId: SessionId.parse(sessionKey), message, tag, when };
      return thrown(await scheduler.scheduleSessionTurn(pluginId, turn));
    },
    async unscheduleByTag(pluginId, { sessionKey, tag }) {
      return thrown(
        await scheduler.unscheduleSessionTurnsByTag(pluginId, { sessionId: SessionId.parse(sessionKey), tag }),
      );
    },
    removeOwned: (pluginId) => scheduler.removeOwned(`${PLUGIN}${pluginId}`),
  };
}

function thrown<Answer extends object>(answer: Answer | { refused: Refusal }): Answer {
  if ("refused" in answer) throw new Error(`${answer.refused.code}: ${answer.refused.message}`);
  return answer;
}

type BetweenSessions = Exclude<PendingWork["effect"], { kind: "run-turn" }>;
type Carriers = { children: SubAgents; scheduler: Scheduler; engine: Engine };

/** Delivers orders and reports between sessions to the part that keeps track of the child session. */
export async function deliverBetweenSessions(
  { sessionId, effect }: { sessionId: SessionId; effect: BetweenSessions },
  { children, scheduler, engine }: Carriers,
): Promise<"done" | "later"> {
  if (effect.kind !== "report-to-parent") return children.perform({ sessionId, effect });
  const child = await engine.session(sessionId);
  if (child?.kind === "cron" || child?.kind === "heartbeat") return scheduler.report(sessionId, effect);
  const outcome = await children.perform({ sessionId, effect });
  if (child !== undefined || outcome === "later") return outcome;
  return scheduler.report(sessionId, effect); // the child is deleted, so nothing says any more whether it was a scheduled run
}
