/** Troubles of plugins in the audit chain, kept until the store took them. */
import type { Clock } from "../../engine/clock.ts";
import type { Store } from "../../store/store.ts";
import { createFactRecord, type FactRecord } from "../fact-record.ts";

export type TroubleRecord = Pick<FactRecord, "notes"> & { add(pluginId: string, reason: string): void };

type Parts = { store: Pick<Store, "audit">; clock: Clock; report(error: unknown): void };

export function createTroubleRecord(parts: Parts): TroubleRecord {
  const record = createFactRecord({ ...parts, what: "troubles of plugins" });
  return {
    add: (pluginId, reason) =>
      record.add("system:plugins", [{ type: "plugin.trouble", detail: { id: pluginId, reason } }]),
    notes: record.notes,
  };
}
