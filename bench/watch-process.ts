/** One client in a process of its own that watches many sessions and measures how late their pieces arrive. */
import { z } from "zod";
import type { SessionId } from "../src/protocol/ids.ts";
import { wireClient } from "../test/kit/wire-client.ts";

export const WatchOrders = z.strictObject({
  url: z.string(),
  token: z.string(),
  sessions: z.int().min(1),
  seconds: z.int().min(1),
});
export type WatchOrders = z.input<typeof WatchOrders>;
/** `finished`: turns that ended well. */
export type WatchResult = { pieces: number; finished: number; latesMs: number[] };

const AT_ONCE = 50;
const Piece = z.object({ text: z.string() });

async function main(): Promise<void> {
  const { sessions, seconds, ...at } = WatchOrders.parse(JSON.parse(process.argv[2] ?? "{}"));
  const client = await wireClient(at);
  const latesMs: number[] = [];
  let finished = 0;
  const all = Promise.withResolvers<void>();
  client.onEvent(({ event, payload }) => {
    const nowMs = Date.now();
    if (event === "turn.finished" && ++finished === sessions) all.resolve();
    if (event !== "turn.delta") return;
    for (const [, spoken] of Piece.parse(payload).text.matchAll(/@(\d+) /g)) latesMs.push(nowMs - Number(spoken));
  });
  const ids: SessionId[] = [];
  for (let from = 0; from < sessions; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, sessions - from) }, async () => {
      const { session } = await client.must("sessions.create", {});
      await client.must("sessions.subscribe", { sessionId: session.id });
      ids.push(session.id);
    });
    await Promise.all(some);
  }
  process.stderr.write("ready\n");
  for (let from = 0; from < sessions; from += AT_ONCE)
    await Promise.all(
      ids
        .slice(from, from + AT_ONCE)
        .map((sessionId) => client.must("chat.send", { sessionId, text: `speak for ${seconds} seconds` })),
    );
  await all.promise;
  client.close();
  process.stdout.write(JSON.stringify({ pieces: latesMs.length, finished, latesMs } satisfies WatchResult));
}

if (import.meta.main) await main();
