/** A malformed page, met by a read or by the check of a large database: from then on nothing is written any more. */
import { Worker } from "node:worker_threads";
import type { DamageLog } from "../../damage-log.ts";
import { damageCode, failures } from "../failure.ts";
import type { Writer } from "../writer.ts";

export type PageDamage = {
  /** The error to throw in its place, where it says that the file is damaged. */
  found(error: unknown, damage: DamageLog): Error | undefined;
  note(fault: string): void;
  /** Refuses every write, and says why, once damage was found. */
  guarded(writer: Writer): Writer;
};

export function createPageDamage(): PageDamage {
  let fault: string | undefined;
  return {
    found(error, damage) {
      if (!damageCode(error)) return undefined;
      fault ??= error instanceof Error ? error.message : String(error);
      return damage.found("a page of the database", error);
    },
    note: (found) => void (fault ??= found),
    guarded: (writer) => ({
      ...writer,
      write: (job) =>
        fault === undefined ? writer.write(job) : Promise.resolve({ status: "failed", failure: failures.damaged }),
      health: () =>
        fault === undefined
          ? writer.health()
          : { writable: false, detail: `${failures.damaged.message} What was found: ${fault}` },
    }),
  };
}

/** Reads every page once, in a thread of its own. */
export function checkPages(folder: string, onFault: (fault: string) => void): { stop(): Promise<unknown> } {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { workerData: { folder } });
  worker.unref();
  worker.on("message", (fault: string | null) => {
    if (fault !== null) onFault(fault);
  });
  worker.on("error", (error) => onFault(error instanceof Error ? error.message : String(error)));
  return { stop: () => worker.terminate() };
}
