/** The scheduler over an engine alone: no agent runs, no plugin contributes. */
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { startPlugin } from "../../src/scheduler/plugin.ts";
import { createScheduler, type Scheduler } from "../../src/scheduler/scheduler.ts";

const engineScheduler = (engine: Engine, clock: { now(): number }): Scheduler =>
  createScheduler({
    sessions: engine,
    clock,
    history: async () => [],
    workspaceFor: () => "/workspace",
    recentChats: async () => [],
    isActive: () => true,
    vouches: async () => true,
    approvalsFor: () => undefined,
    planBody: async () => undefined,
    contributions: () => [],
    report: () => undefined,
  });

/** The plugin is registered before there is an engine. */
export function lateScheduler(): { plugin: Plugin; open(engine: Engine, clock: { now(): number }): void } {
  let opened: { scheduler: Scheduler; engine: Engine } | undefined;
  const now = () => {
    if (opened === undefined) throw new Error("the scheduler was asked before it was opened");
    return opened;
  };
  return {
    plugin: startPlugin({ scheduler: () => now().scheduler, session: (id) => now().engine.session(id) }),
    open: (engine, clock) => void (opened = { scheduler: engineScheduler(engine, clock), engine }),
  };
}
