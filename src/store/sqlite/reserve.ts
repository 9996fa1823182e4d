/**
 * Ballast: space that is given up when the disk is full, so that what makes things safer (a rejection, a time-out, a
 * stop) still finds room. Ordinary work resumes when the ballast could be taken aboard again.
 */
import { randomFillSync } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

const RESERVE_BYTES = 2 * 1024 * 1024;
/** Beyond the ballast itself: resuming on the last free kilobyte would only fail again. */
const MARGIN_BYTES = 1024 * 1024;
const BLOCK_BYTES = 512; // the unit of stat's `blocks`, whatever the file system's own

export type Reserve = { release(): void; /** True when the ballast is aboard. */ refill(): boolean };

export function createReserve(folder: string): Reserve {
  const path = join(folder, "reserve.bin");
  return {
    release: () => rmSync(path, { force: true }),
    refill() {
      try {
        if (isAllocated(path)) return true;
        const { bavail, bsize } = statfsSync(folder);
        if (bavail * bsize < RESERVE_BYTES + MARGIN_BYTES) return false;
        allocate(path);
        return true;
      } catch {
        rmSync(path, { force: true }); // half a ballast would only take away what is left
        return false;
      }
    },
  };
}

function isAllocated(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.size >= RESERVE_BYTES && found.blocks * BLOCK_BYTES >= RESERVE_BYTES;
}

function allocate(path: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    const noise = randomFillSync(Buffer.alloc(RESERVE_BYTES)); // zeros might be compressed away or left as a hole
    for (let done = 0; done < noise.length;) done += writeSync(file, noise, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
