/** What a result tells about its run: names, counts and limits, never what was said (CM-09). */
import { z } from "../../plugins/sdk.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CellOutcome, ErrorCode } from "../sandbox/sandbox.ts";

const TOOL_IDS_MAX = 32;
const TELEMETRY_CHARS_MAX = 2_048;
const ID_CHARS_MAX = 128;

/** Of a whole cell, over all of its stages. */
export const CellCounts = z.strictObject({
  exec: z.int(),
  wait: z.int(),
  search: z.int(),
  describe: z.int(),
  call: z.int(),
  toolIds: z.array(z.string()),
});
export type CellCounts = z.infer<typeof CellCounts>;

export const newCounts = (): CellCounts => ({ exec: 0, wait: 0, search: 0, describe: 0, call: 0, toolIds: [] });

export function countTool(counts: CellCounts, id: string): void {
  counts.call += 1;
  const shown = id.slice(0, ID_CHARS_MAX);
  if (counts.toolIds.length < TOOL_IDS_MAX && !counts.toolIds.includes(shown)) counts.toolIds.push(shown);
}

export type SnapshotLife = "created" | "restored" | "expired" | "dropped";

export type CodeModeTelemetry = {
  visibleTools: string[];
  catalog: { size: number; bySource: Record<string, number> };
  counts: Omit<CellCounts, "toolIds">;
  toolIds: string[];
  limits: { timeout: boolean; memory: boolean; snapshot: boolean; output: boolean };
  snapshot?: { life: SnapshotLife; bytes?: number };
  ms: number;
};

type Measured = {
  catalog?: Pick<Catalog, "size" | "bySource"> | undefined;
  counts: CellCounts;
  outcome?: CellOutcome | undefined;
  code?: ErrorCode | undefined;
  snapshot?: { life: SnapshotLife; bytes?: number } | undefined;
};

export function telemetryOf({ catalog, counts: all, outcome, code, snapshot }: Measured): CodeModeTelemetry {
  const { toolIds, ...counts } = all;
  const telemetry: CodeModeTelemetry = {
    visibleTools: ["exec", "wait"],
    catalog: { size: catalog?.size ?? 0, bySource: { ...catalog?.bySource } },
    counts,
    toolIds: [...toolIds],
    limits: {
      timeout: code === "timeout",
      memory: code === "memory_limit_exceeded",
      snapshot: code === "snapshot_limit_exceeded",
      output: code === "output_limit_exceeded" || (outcome?.stats.outputCharsCut ?? 0) > 0,
    },
    ...(snapshot === undefined ? {} : { snapshot }),
    ms: Math.round(outcome?.stats.ms ?? 0),
  };
  while (JSON.stringify(telemetry).length > TELEMETRY_CHARS_MAX && telemetry.toolIds.length > 0)
    telemetry.toolIds.pop();
  return telemetry;
}
