/** The limits of one cell: the document's defaults and the range into which each setting is clamped. */
import { SETTING_RANGES, withinRange } from "../protocol/setting-ranges.ts";

export type CellLimits = {
  /** Wall clock of one `run` or `resume`. */
  timeoutMs: number;
  memoryLimitBytes: number;
  /** Text, JSON and value that are returned, in UTF-8 bytes. */
  maxOutputBytes: number;
  /** Of the stored form. */
  maxSnapshotBytes: number;
  maxPendingToolCalls: number;
};

/** A finite number is clamped and made whole; what is missing gets the default. */
export function clampCellLimits(given: Partial<Record<keyof CellLimits, number | undefined>>): CellLimits {
  const at = (name: keyof CellLimits): number => withinRange(given[name], SETTING_RANGES[name]);
  return {
    timeoutMs: at("timeoutMs"),
    memoryLimitBytes: at("memoryLimitBytes"),
    maxOutputBytes: at("maxOutputBytes"),
    maxSnapshotBytes: at("maxSnapshotBytes"),
    maxPendingToolCalls: at("maxPendingToolCalls"),
  };
}

export const DEFAULT_CELL_LIMITS: CellLimits = clampCellLimits({});
