/** The limits of one cell: the document's defaults and the range into which each setting is clamped. */

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

type Range = { normal: number; min: number; max: number };

const CELL_LIMIT_RANGES: Readonly<Record<keyof CellLimits, Range>> = {
  timeoutMs: { normal: 10_000, min: 100, max: 60_000 },
  memoryLimitBytes: { normal: 67_108_864, min: 1_048_576, max: 1_073_741_824 },
  maxOutputBytes: { normal: 65_536, min: 1_024, max: 10_485_760 },
  maxSnapshotBytes: { normal: 10_485_760, min: 1_024, max: 268_435_456 },
  maxPendingToolCalls: { normal: 16, min: 1, max: 128 },
};

/** A finite number is clamped and made whole; what is missing gets the default. */
export function clampCellLimits(given: Partial<Record<keyof CellLimits, number | undefined>>): CellLimits {
  const at = (name: keyof CellLimits): number => {
    const { normal, min, max } = CELL_LIMIT_RANGES[name];
    const value = given[name];
    return value === undefined || Number.isNaN(value) ? normal : Math.min(max, Math.max(min, Math.round(value)));
  };
  return {
    timeoutMs: at("timeoutMs"),
    memoryLimitBytes: at("memoryLimitBytes"),
    maxOutputBytes: at("maxOutputBytes"),
    maxSnapshotBytes: at("maxSnapshotBytes"),
    maxPendingToolCalls: at("maxPendingToolCalls"),
  };
}

export const DEFAULT_CELL_LIMITS: CellLimits = clampCellLimits({});
