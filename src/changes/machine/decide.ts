/** What follows from changes that were recorded, and from what people order about them. */
import { never, type SliceContext, type SliceDecision } from "../../plugins/sdk.ts";
import type { DriftLevel } from "../protocol/changes.ts";
import { refuse } from "../protocol/refuse.ts";
import type { ChangesCommand, ChangesEvent, ChangesState } from "../protocol/state.ts";
import type { ChangesSettings } from "../settings.ts";
import { byOf, refuseActor } from "./actors.ts";

export type ChangesContext = SliceContext<ChangesSettings>;
export type ChangesDecision = SliceDecision<ChangesEvent>;

export function decideChanges(state: ChangesState, command: ChangesCommand, context: ChangesContext): ChangesDecision {
  const refused = refuseActor(command.type, context.actor);
  if (refused !== undefined) return refused;
  switch (command.type) {
    case "record":
      return record(state, command, context);
    case "rollback":
      return orderRollback(state, command, context);
    case "restored":
      return restored(state, command, context);
    case "resume":
      return resume(state, context);
    case "list": {
      const { cycleId, paths } = command;
      return { events: [{ type: "changes.listed", cycleId, paths, atMs: context.nowMs }], reply: {} };
    }
    default:
      return never(command);
  }
}

type CommandOf<Type extends ChangesCommand["type"]> = Extract<ChangesCommand, { type: Type }>;

function record(
  state: ChangesState,
  command: CommandOf<"record">,
  { settings, nowMs }: ChangesContext,
): ChangesDecision {
  const { type: _type, paths, declares, ...recorded } = command;
  const { cycleId, undeclared } = recorded;
  const cycle = state.cycle?.cycleId === cycleId ? state.cycle : undefined;
  const before = cycle?.level ?? "none";
  const level = levelOf({ undeclared, declares, accepted: cycle?.accepted ?? 0 }, settings);
  const events: ChangesEvent[] = [{ type: "changes.recorded", ...recorded, atMs: nowMs }];
  if (RANK[level] > RANK[before])
    events.push({ type: "changes.drifted", cycleId, level, undeclared, paths, atMs: nowMs });
  return { events, reply: { level } };
}

const RANK: Readonly<Record<DriftLevel, number>> = { none: 0, warned: 1, paused: 2, stopped: 3 };

/** A plan that names no file at all is not warned about: nothing could be told apart. Limits that hold count it all the same. */
function levelOf({ undeclared, declares, accepted }: Drift, { drift }: ChangesSettings): DriftLevel {
  if (reaches(undeclared, drift.stop)) return "stopped";
  if (reaches(undeclared - accepted, drift.pause)) return "paused";
  return declares && reaches(undeclared, drift.warn) ? "warned" : "none";
}

const reaches = (count: number, limit: number | undefined): boolean => limit !== undefined && count >= limit;

type Drift = { undeclared: number; declares: boolean; accepted: number };

function orderRollback(
  state: ChangesState,
  { rollbackId, cycleId, step, files, conflicts }: CommandOf<"rollback">,
  { actor, nowMs }: ChangesContext,
): ChangesDecision {
  if (state.rollback !== undefined) return refuse("CHANGES_BUSY", "A rollback is under way already.");
  const order = { rollbackId, cycleId, step, by: byOf(actor), atMs: nowMs };
  return { events: [{ type: "changes.rollback_ordered", ...order, files, conflicts }], reply: { rollbackId } };
}

/** A second report of the same rollback changes nothing. */
function restored(
  { rollback }: ChangesState,
  { rollbackId, restored: count, left, paths }: CommandOf<"restored">,
  { nowMs }: ChangesContext,
): ChangesDecision {
  if (rollback?.rollbackId !== rollbackId) return { events: [], reply: {} };
  const { cycleId, step, by } = rollback;
  const event = { rollbackId, cycleId, step, by, restored: count, left, paths, atMs: nowMs };
  return { events: [{ type: "changes.rolled_back", ...event }], reply: {} };
}

function resume({ cycle }: ChangesState, { actor, nowMs }: ChangesContext): ChangesDecision {
  if (cycle?.level !== "paused") return refuse("CHANGES_NOT_PAUSED", "No plan is paused in this session.");
  return { events: [{ type: "changes.resumed", cycleId: cycle.cycleId, by: byOf(actor), atMs: nowMs }], reply: {} };
}
