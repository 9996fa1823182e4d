/**
 * What the writer's thread does when nothing was written for a while: it moves the log into the database, and once in its
 * life it gives back what loading its code left.
 */

/** So many looks without a write are a rest. */
const LOOKS_OF_REST = 2;

export type WriterRest = {
  wrote(): void;
  /** Called at intervals. */
  look(): void;
};

export function createWriterRest(does: { moveLog(): void; collect(): void }): WriterRest {
  let looks = 0;
  let [hasWritten, isCollected] = [false, false];
  return {
    wrote() {
      looks = 0;
      hasWritten = true;
    },
    look() {
      looks += 1;
      if (looks !== LOOKS_OF_REST) return;
      if (hasWritten) does.moveLog();
      if (!isCollected) does.collect();
      isCollected = true;
    },
  };
}
