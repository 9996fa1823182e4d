/** Where a running gateway can be found, for the programs of the same person on the same machine. */
import { readFile, rm } from "node:fs/promises";
import { z } from "zod";
import { writeAtomically } from "../../config/atomic-write.ts";
import { gatewayFile } from "../../config/home.ts";

export const RunningFile = z.strictObject({
  pid: z.int(),
  url: z.string(),
  port: z.int(),
  startedAtMs: z.int(),
  version: z.string(),
});
export type RunningFile = z.infer<typeof RunningFile>;

export async function readRunningFile(home: string): Promise<RunningFile | undefined> {
  try {
    return RunningFile.parse(JSON.parse(await readFile(gatewayFile(home), "utf8")));
  } catch {
    return undefined; // absent, half written by an older version, or not ours: nobody can be reached through it
  }
}

export const writeRunningFile = (home: string, running: RunningFile): Promise<void> =>
  writeAtomically(gatewayFile(home), `${JSON.stringify(running)}\n`);

export const removeRunningFile = (home: string): Promise<void> => rm(gatewayFile(home), { force: true });
