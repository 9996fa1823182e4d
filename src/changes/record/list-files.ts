/** Lists for good which files a plan changed, once it has ended: snapshots go with their session, the list stays. */
import type { OrderCall, OrderOutcome, PluginApi } from "../../plugins/sdk.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Refused } from "../../protocol/refusal.ts";
import type { CycleAt } from "../methods/plan-changes.ts";
import { LISTED_PATHS_MAX } from "../protocol/state.ts";
import type { Snapshots } from "../snapshots/snapshot-thread.ts";

export type ListParts = {
  api: Pick<PluginApi, "sessions">;
  snapshots: Pick<Snapshots, "ask">;
  find(sessionId: OrderCall["sessionId"], cycleId: string): Promise<CycleAt | Refused>;
};

/** A record that is not here (another gateway has it, or it is gone) is not waited for: rollbacks stand behind this order. */
export async function performList(
  { cycleId }: JsonObject,
  { sessionId, key }: Pick<OrderCall, "sessionId" | "key">,
  { api, snapshots, find }: ListParts,
): Promise<OrderOutcome> {
  if (typeof cycleId !== "string") return "done";
  const at = await find(sessionId, cycleId);
  if ("refused" in at) return "done";
  const { paths } = await snapshots.ask("read", { place: at.place });
  if (paths.length === 0) return "done";
  const listed = { type: "list", cycleId, paths: paths.slice(0, LISTED_PATHS_MAX) };
  const outcome = await api.sessions.dispatch(sessionId, listed, { idempotencyKey: key });
  return !outcome.ok && outcome.refusal.retry === true ? "later" : "done";
}
