/** Runs a process in its view to its end, and returns what it printed. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Enclosed, spawnEnclosed } from "../../src/runner/spawn-enclosed.ts";

export type EnclosedRun = { env?: Record<string, string>; stdin?: "ignore" | "pipe" };

const read = (stream: Readable | null): Promise<string> => (stream === null ? Promise.resolve("") : text(stream));

export async function runEnclosed(
  enclosed: Enclosed,
  { env = {}, stdin = "ignore" }: EnclosedRun = {},
): Promise<string> {
  const child = spawnEnclosed(enclosed, { env, stdio: [stdin, "pipe", "pipe"] });
  child.stdin?.end();
  const printed = await Promise.all([read(child.stdout), read(child.stderr)]);
  return printed.join("");
}
