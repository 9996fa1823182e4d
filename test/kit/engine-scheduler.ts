/** The scheduler over an engine alone: no agent runs, no plugin contributes. */
import type { Engine } from "../../src/engine/engine.ts";
import { createScheduler, type Scheduler } from "../../src/scheduler/scheduler.ts";

export const engineScheduler = (engine: Engine, clock: { now(): number }): Scheduler =>
  createScheduler({
    sessions: engine,
    clock,
    history: async () => [],
    workspaceFor: () => "/workspace",
    recentChats: async () => [],
    isActive: () => true,
    contributions: () => [],
    report: () => undefined,
  });
