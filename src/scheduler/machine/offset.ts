/** The fixed delay of a job within its jitter. */
import type { JobId } from "../protocol/schedule.ts";

const FNV_PRIME = 16_777_619;
const FNV_START = 2_166_136_261;

/** A job's share of its jitter: spread over jobs, the same each time (FNV-1a over its id). */
export function offsetOf(id: JobId, jitterMs: number): number {
  if (jitterMs === 0) return 0;
  let hash = FNV_START;
  for (const unit of id) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), FNV_PRIME);
  return (hash >>> 0) % (jitterMs + 1);
}
