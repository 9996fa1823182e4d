/** The document's default of each number of code mode, and the range into which a setting is brought. */

export type Range = { normal: number; min: number; max: number };

export const SETTING_RANGES = {
  timeoutMs: { normal: 10_000, min: 100, max: 60_000 },
  memoryLimitBytes: { normal: 67_108_864, min: 1_048_576, max: 1_073_741_824 },
  maxOutputBytes: { normal: 65_536, min: 1_024, max: 10_485_760 },
  maxSnapshotBytes: { normal: 10_485_760, min: 1_024, max: 268_435_456 },
  maxPendingToolCalls: { normal: 16, min: 1, max: 128 },
  snapshotTtlSeconds: { normal: 900, min: 1, max: 86_400 },
  searchDefaultLimit: { normal: 8, min: 1, max: 50 },
  maxSearchLimit: { normal: 50, min: 1, max: 50 },
} as const satisfies Readonly<Record<string, Range>>;

/** A finite number is clamped and made whole; what is missing gets the default. */
export const withinRange = (value: number | undefined, { normal, min, max }: Range): number =>
  value === undefined || Number.isNaN(value) ? normal : Math.min(max, Math.max(min, Math.round(value)));
