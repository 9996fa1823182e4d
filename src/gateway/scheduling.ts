/** The scheduler with the rest of the gateway: what it stands on, what plugins see of it, and the agents' heartbeats. */
import type { SubAgents } from "../agent/sub-agents/carry-out.ts";
import { resolveHeartbeats, resolveWorkspace } from "../config/resolve.ts";
import type { Engine } from "../engine/engine.ts";
import { askHeartbeats } from "../core/heartbeats.ts";
import type { SliceRegistry } from "../core/slice.ts";
import type { PluginScheduler } from "../plugins/ports.ts";
import { SessionId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import { SCHEDULER_SLICE } from "../scheduler/protocol/schedule.ts";
import type { Session } from "../protocol/session.ts";
import type { CronToolParts } from "../scheduler/tool.ts";
import { createScheduler, type Scheduler } from "../scheduler/scheduler.ts";
import type { PendingEffect } from "../store/store.ts";
import { readHistory } from "./history.ts";
import type { State } from "./state.ts";

/** Sessions that are looked through for the conversations of one agent. */
const RECENT_LOOKED_AT_MAX = 200;

/** The plugin is registered before there is an engine that the scheduler could work with. */
export type Scheduling = { ports: CronToolParts; open(parts: SchedulingParts): Scheduler };

export type SchedulingParts = {
  engine: Engine;
  slices: SliceRegistry;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** What plugins say at each heartbeat. */
  heartbeats(session: Session): readonly string[];
  /** Whether a plugin is there to whom jobs belong. */
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
  const { store, clock, config, options, log } = state;
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
    isActive: (owner) => !owner.startsWith(PLUGIN) || isEnabled(owner.slice(PLUGIN.length)),
    contributions: (session) => [
      ...askHeartbeats(session, { slices, settings: settingsFor(session), nowMs: clock.now() }),
      ...heartbeats(session),
    ],
    report: (error) => log.error({ err: error }, "a scheduled job met a failure"),
  });
}

const PLUGIN = "plugin:";

/** Follows the configuration from now on; an agent without a heartbeat has no job, and so no timer, for it. */
export function followHeartbeats(state: State, scheduler: Scheduler): () => void {
  const { config, log } = state;
  const apply = (): void =>
    void scheduler
      .applyHeartbeats(resolveHeartbeats(config.current()))
      .catch((error: unknown) => log.error({ err: error }, "the heartbeats could not be set"));
  apply();
  return config.onChange((change) => {
    if (change.kind === "applied") apply();
  });
}

/** The scheduler as plugins may use it. A no is thrown, with the reason, at the plugin that asked. */
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

type BetweenSessions = Exclude<PendingEffect["effect"], { kind: "run-turn" }>;
type Carriers = { children: SubAgents; scheduler: Scheduler; engine: Engine };

/** Orders and reports between sessions, each to whoever keeps track of the session below. */
export async function carryBetween(
  { sessionId, effect }: { sessionId: SessionId; effect: BetweenSessions },
  { children, scheduler, engine }: Carriers,
): Promise<"done" | "later"> {
  if (effect.kind === "carry-out") {
    return effect.slice === SCHEDULER_SLICE ? scheduler.carryOut({ sessionId, order: effect.order }) : "done";
  }
  if (effect.kind !== "report-to-parent") return children.carryOut({ sessionId, effect });
  const child = await engine.session(sessionId);
  if (child?.kind === "cron" || child?.kind === "heartbeat") return scheduler.report(sessionId, effect);
  const heard = await children.carryOut({ sessionId, effect });
  if (child !== undefined || heard === "later") return heard;
  return scheduler.report(sessionId, effect); // it is gone, and nothing tells any more whose it was
}
