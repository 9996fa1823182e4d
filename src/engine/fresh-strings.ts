/** Random strings for new ids. */
import { randomFillSync } from "node:crypto";

const BYTES_EACH = 16;
const STRINGS_PER_FILL = 256;

/** Strings of 128 random bits. Filled many at a time: asking the system for each one is the dearest part of a command. */
export function createFreshStrings(): () => string {
  const pool = Buffer.alloc(BYTES_EACH * STRINGS_PER_FILL);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const fresh = pool.toString("base64url", at, at + BYTES_EACH);
    pool.fill(0, at, at + BYTES_EACH); // what has become an id is not kept lying about
    at += BYTES_EACH;
    return fresh;
  };
}
