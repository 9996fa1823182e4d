/** A counter that the gateway and its runners read alike, which no clock setting moves. */
const NANOSECONDS_PER_MS = 1_000_000n;

/** `performance.now()` counts from the start of each process; this one counts from the start of the machine. */
export const sharedCounterMs = (): number => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS);
