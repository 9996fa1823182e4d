/** A chat on a terminal, from the first line to the last. */
import { createLane } from "../../lane/lane.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { CommandContext } from "../context.ts";
import { lookOf } from "../text/paint.ts";
import { createChat } from "./chat.ts";
import { echoLines } from "./entry-lines.ts";
import type { Link } from "./link.ts";
import { MARKS } from "../cards/marks.ts";
import { Screen } from "./screen.ts";

/** Within this time a second Ctrl+C means "leave". */
const TWICE_MS = 2_000;

export type TerminalChat = { link: Link; sessionId: SessionId; context: CommandContext; signal?: AbortSignal };

/** Resolves when the person leaves, or the connection is gone for good. */
export async function terminalChat({ link, sessionId, context, signal }: TerminalChat): Promise<void> {
  const { stdin: input, terminal: output, env } = context;
  const look = () => lookOf(output, env);
  const left = Promise.withResolvers<void>();
  let interruptedAtMs = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  const early: string[] = []; // typed before the cards were on the screen: it must not answer one of them unseen
  const inTurn = createLane(); // what was typed first is sent first

  async function send(text: string): Promise<void> {
    if (!(await chat.submit(text))) left.resolve();
  }

  const screen = new Screen({
    input,
    output,
    complete: (line) => chat.complete(line),
    echo: (text) => echoLines(text, look()),
    onLine: (text) => {
      if (isOpen) void inTurn(() => send(text));
      else early.push(text);
    },
    onInterrupt: () => {
      const isSecond = performance.now() - interruptedAtMs < TWICE_MS;
      interruptedAtMs = performance.now();
      if (isSecond) return left.resolve();
      const doing = chat.isBusy() ? "Stopping the agent" : "Nothing runs";
      screen.print([look().paint.quiet(`${MARKS.note} ${doing}. Ctrl+C again leaves.`)]);
      if (chat.isBusy()) void chat.abort();
    },
    onEnd: () => left.resolve(),
  });
  const chat = createChat({
    link,
    sessionId,
    view: screen,
    look,
    nowMs: Date.now,
    frozenLines: false,
    onEnded: () => left.resolve(),
  });
  signal?.addEventListener("abort", () => left.resolve(), { once: true });
  try {
    await chat.open();
    isOpen = true;
    if (early.length > 0) screen.restore(early.join(" "));
    await left.promise;
  } finally {
    chat.close();
    screen.close();
  }
}
