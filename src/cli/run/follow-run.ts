/** The keeper's line to the gateway. While there is none, the run counts as held; it is looked for again and again. */
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";
import { RunState } from "../../protocol/external/decisions.ts";
import type { JsonObject } from "../../protocol/json.ts";

const AGAIN_MS = 500;
const ANSWER_MS_MAX = 2_000;
const Told = z.union([RunState, z.object({ error: z.string() })]);

export type FollowedRun = { close(): void };
type Listener = {
  /** Undefined: the gateway does not answer. */
  status(state: RunState | undefined): void;
  refused(why: string): void;
};

export function followRun(path: string, keep: () => JsonObject, listener: Listener): FollowedRun {
  let socket: Socket | undefined;
  let again: NodeJS.Timeout | undefined;
  let isClosed = false;
  function open(): void {
    const now = createConnection(path);
    socket = now;
    now.on("connect", () => now.write(`${JSON.stringify({ do: "keep", ...keep() })}\n`));
    now.on("error", () => undefined); // `close` follows
    now.on("close", () => {
      if (isClosed) return;
      listener.status(undefined);
      again = setTimeout(open, AGAIN_MS);
    });
    createInterface({ input: now })
      .on("line", onLine)
      .on("error", () => undefined);
  }
  function onLine(line: string): void {
    const { data } = Told.safeParse(parsed(line));
    if (data === undefined) return listener.status(undefined);
    if ("error" in data) listener.refused(data.error);
    else listener.status(data);
  }
  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(again);
      socket?.destroy();
    },
  };
}

/** Tells the gateway that the program has ended, so that nobody is asked about it any more; it may be gone itself. */
export async function tellEnded(path: string, place: JsonObject): Promise<void> {
  await tellGateway(path, { do: "ended", ...place });
}

/** One line to the gateway; whether it was answered. */
export async function tellGateway(path: string, line: JsonObject): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isAnswered = false;
  const socket = createConnection(path);
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
  socket.on("connect", () => socket.write(`${JSON.stringify(line)}\n`));
  socket.on("data", () => (isAnswered = true));
  socket.on("error", () => undefined); // `close` follows
  socket.on("close", () => resolve(isAnswered));
  return promise;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
