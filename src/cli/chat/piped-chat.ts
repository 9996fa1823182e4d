/** A chat without a terminal: each line of standard input is a message, answered before the next one is read. */
import { createInterface } from "node:readline";
import type { SessionId } from "../../protocol/ids.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { createChat } from "./chat.ts";
import type { Link } from "./link.ts";

/** Ends with the input; the exit code says whether a decision is still pending. */
export async function pipedChat({
  link,
  sessionId,
  context,
}: {
  link: Link;
  sessionId: SessionId;
  context: CommandContext;
}): Promise<number> {
  const { output, stdin } = context;
  const view = { print: output.lines, live: () => {}, prompt: () => {}, restore: () => {} };
  const chat = createChat({
    link,
    sessionId,
    view,
    look: output.look,
    nowMs: Date.now,
    frozenLines: true,
    isPiped: true,
    onEvent: (event) => output.document(event),
  });
  try {
    await chat.open();
    for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === "") continue;
      if (!(await chat.submit(line))) break;
      await chat.settled();
    }
    await chat.settled();
    return chat.waits() ? EXIT_CODES.waiting.code : EXIT_CODES.ok.code;
  } finally {
    chat.close();
  }
}
