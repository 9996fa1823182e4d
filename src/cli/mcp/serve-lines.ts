/** Serves a program over standard input and output: a line of JSON is a message, and so is what answers it. */
import { createInterface } from "node:readline";
import type { JsonObject } from "../../protocol/json.ts";
import type { CommandContext } from "../context.ts";

export type Send = (message: JsonObject) => void;

/** Comes to its end with the input, when all that was asked is answered. */
export async function serveLines(
  { stdin, stdout }: Pick<CommandContext, "stdin" | "stdout">,
  open: (send: Send) => (message: unknown) => Promise<JsonObject | undefined>,
): Promise<void> {
  const send: Send = (message) => void stdout.write(`${JSON.stringify(message)}\n`);
  const handle = open(send);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: stdin })) {
    if (line.trim() === "") continue;
    const work = handle(parsedLine(line)).then((answer) => void (answer === undefined || send(answer)));
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.allSettled(running);
}

/** Undefined: no JSON. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
