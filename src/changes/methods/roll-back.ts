/**
 * A rollback as a person orders it: what they read is compared with what stands there now, written down, committed with their
 * name, and performed by the worker of the slice, which goes on after a kill.
 */
import { hash, randomUUID } from "node:crypto";
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { MethodCall, OrderCall, OrderOutcome, PluginApi } from "../../plugins/sdk.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { ConflictChoice, RollbackPreview } from "../protocol/changes.ts";
import { refuse } from "../protocol/refuse.ts";
import { CHANGES_SLICE, NAMED_PATHS_MAX } from "../protocol/state.ts";
import type { Snapshots } from "../snapshots/snapshot-thread.ts";
import type { CycleAt } from "./plan-changes.ts";

/** How long a request waits for the worker; the rollback goes on after that. */
const WAIT_MS_MAX = 20_000;
/** The record may lie with another gateway: after so many attempts nobody has it. */
const ATTEMPTS_MAX = 60;
const CONFLICTS_NAMED_MAX = 100;

export type RolledBack = { rollbackId: string; restored: number; left: { path: string; why: string }[] };
export type RollbackAsked = { step: number | null; digest: string; conflicts: ConflictChoice | undefined };

/** In whose name it is done, and how the command of the slice is given. */
export type RollbackBy = {
  name: string;
  nowMs: number;
  key: string | undefined;
  apply(command: JsonObject): Promise<{ ok: true } | { ok: false; refusal: Refused["refused"] }>;
};

export const byCaller = (at: CycleAt, { actor, nowMs, by, apply }: MethodCall): RollbackBy => ({
  name: actor.name,
  nowMs,
  key: by.idempotency?.key,
  apply: (command) => apply(at.session.id, { slice: CHANGES_SLICE, command }),
});

export type RollbackParts = { snapshots: Snapshots; waits: RollbackWaits };

/** Those who wait for a rollback that this process performs. */
export type RollbackWaits = {
  /** Undefined: it takes longer, or was not ordered after all. A request that is repeated waits beside the first. */
  wait(rollbackId: string): Promise<RolledBack | undefined>;
  done(rolledBack: RolledBack): void;
  /** It was refused: nobody waits for it any more. */
  refused(rollbackId: string): void;
};

export function createRollbackWaits(): RollbackWaits {
  const waiting = new Map<string, Set<(rolledBack: RolledBack | undefined) => void>>();
  const settle = (rollbackId: string, rolledBack: RolledBack | undefined): void => {
    for (const resolve of waiting.get(rollbackId) ?? []) resolve(rolledBack);
  };
  return {
    wait(rollbackId) {
      const { promise, resolve } = Promise.withResolvers<RolledBack | undefined>();
      const timer = setTimeout(() => resolve(undefined), WAIT_MS_MAX);
      const beside = waiting.get(rollbackId) ?? new Set();
      waiting.set(rollbackId, beside.add(resolve));
      return promise.finally(() => {
        clearTimeout(timer);
        beside.delete(resolve);
        if (beside.size === 0 && waiting.get(rollbackId) === beside) waiting.delete(rollbackId);
      });
    },
    done: (rolledBack) => settle(rolledBack.rollbackId, rolledBack),
    refused: (rollbackId) => settle(rollbackId, undefined),
  };
}

export async function rollBack(
  at: CycleAt,
  asked: RollbackAsked,
  { by, parts }: { by: RollbackBy; parts: RollbackParts },
): Promise<RolledBack | Refused> {
  const { snapshots, waits } = parts;
  const { place, session, cycleId } = at;
  const rollbackId = rollbackIdOf(session.id, by.key);
  const before = await snapshots.ask("rolledBack", { place, rollbackId });
  if (before !== undefined) return { rollbackId, ...before };
  const preview = await snapshots.ask("preview", { place, step: asked.step ?? undefined });
  const refused = refusePreview(preview, asked);
  if (refused !== undefined) return refused;
  const { step, digest, conflicts = "keep" } = asked;
  const order = { rollbackId, step, by: by.name, atMs: by.nowMs, conflicts };
  const ordered = await snapshots.ask("order", { place, order, digest });
  if (ordered === "busy")
    return refuse("CHANGES_BUSY", "A call is running. Stop the agent or wait for it, then try again.");
  if (ordered === "stale") return STALE;
  const done = waits.wait(rollbackId);
  const files = preview.files.length + preview.moreFiles;
  const outcome = await by.apply({ type: "rollback", rollbackId, cycleId, step, files, conflicts });
  if (!outcome.ok) {
    waits.refused(rollbackId);
    return { refused: outcome.refusal };
  }
  return (
    (await done) ??
    refuse("CHANGES_BUSY", "The rollback is under way and takes longer. Look at the changes in a moment.")
  );
}

const rollbackIdOf = (sessionId: string, key: string | undefined): string =>
  `rbk_${key === undefined ? randomUUID() : hash("sha256", `${sessionId}\n${key}`, "hex").slice(0, 32)}`;

const STALE = refuse("ROLLBACK_STALE", "Files have changed since you looked. Look at the preview again.");

function refusePreview(preview: RollbackPreview, { digest, conflicts }: RollbackAsked): Refused | undefined {
  const { files } = preview;
  if (files.length === 0) return refuse("ROLLBACK_NOTHING", "Every file holds what it held before already.");
  if (preview.digest !== digest) return STALE;
  if (preview.conflicts === 0 || conflicts !== undefined) return undefined;
  const inConflict = files.filter((file) => file.conflict !== undefined).slice(0, CONFLICTS_NAMED_MAX);
  return refuse(
    "ROLLBACK_CONFLICT",
    `${preview.conflicts} files do not stand as the step left them. Say whether to keep or to overwrite them.`,
    { conflicts: Json.parse(inConflict) },
  );
}

export type PerformParts = RollbackParts & {
  api: Pick<PluginApi, "sessions" | "now">;
  find(sessionId: OrderCall["sessionId"], cycleId: string): Promise<CycleAt | Refused>;
};

/** The worker of the slice: what was written down, or the rest of it. */
export async function performRestore(order: JsonObject, call: OrderCall, parts: PerformParts): Promise<OrderOutcome> {
  const { api, snapshots, waits, find } = parts;
  const { rollbackId, cycleId } = order;
  if (typeof rollbackId !== "string" || typeof cycleId !== "string") return "done";
  const at = await find(call.sessionId, cycleId);
  if ("refused" in at && at.refused.code === "SESSION_NOT_FOUND") return "done";
  if ("refused" in at && call.attempt < ATTEMPTS_MAX) return "later";
  const { restored, left } =
    "refused" in at
      ? { restored: [], left: [] }
      : await snapshots.ask("restore", { place: at.place, at: { rollbackId, atMs: api.now() } });
  const report = {
    type: "restored",
    rollbackId,
    restored: restored.length,
    left: left.length,
    paths: restored.slice(0, NAMED_PATHS_MAX),
  };
  const outcome = await api.sessions.dispatch(call.sessionId, report);
  if (!outcome.ok && outcome.refusal.code !== "SESSION_NOT_FOUND") return "later";
  waits.done({ rollbackId, restored: restored.length, left });
  return "done";
}
