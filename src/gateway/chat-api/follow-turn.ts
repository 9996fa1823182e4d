/** The words of an agent's answer as they come, until its session rests. */
import { z } from "zod";
import type { Engine } from "../../engine/engine.ts";
import type { Feed, FeedEvent } from "../../http/feed.ts";
import type { SessionId } from "../../protocol/ids.ts";

const Delta = z.object({ text: z.string(), callId: z.string().optional() });
const Appended = z.object({ entry: z.object({ kind: z.string(), text: z.string().optional() }) });
const Finished = z.object({ outcome: z.string(), message: z.string() });

export type Piece = { text: string } | { failed: string };
export type Following = {
  /** Ends when no turn runs any more. */
  pieces: AsyncIterable<Piece>;
  stop(): void;
};

export type FollowParts = { feed: Pick<Feed, "subscribe">; engine: Pick<Engine, "session"> };

/** From now on; so it is called before the message is sent that it is about. */
export function followTurn(sessionId: SessionId, { feed, engine }: FollowParts): Following {
  const queue: (Piece | "end")[] = [];
  let wake: (() => void) | undefined;
  /** What was shown of the entry that is being written. */
  let shown = "";
  const push = (item: Piece | "end"): void => {
    queue.push(item);
    wake?.();
  };
  const atRest = async (): Promise<void> => {
    const session = await engine.session(sessionId);
    if (session === undefined || (session.turn.status === "idle" && session.inbox.length === 0)) push("end");
  };

  const readers: Readonly<Record<string, (payload: unknown) => void>> = {
    "turn.delta"(payload) {
      const { data } = Delta.safeParse(payload);
      if (data === undefined || data.callId !== undefined) return; // what a tool printed is no answer
      shown += data.text;
      push({ text: data.text });
    },
    "entry.appended"(payload) {
      const { data } = Appended.safeParse(payload);
      const whole = data?.entry.kind === "assistant" ? (data.entry.text ?? "") : "";
      if (whole === "") return;
      push({ text: `${whole.startsWith(shown) ? whole.slice(shown.length) : whole}\n\n` });
      shown = "";
    },
    "turn.finished"(payload) {
      const { data } = Finished.safeParse(payload);
      if (data?.outcome === "failed") push({ failed: data.message });
      atRest().catch(() => push("end"));
    },
  };
  const receive = ({ event, payloadText }: FeedEvent): void => readers[event]?.(JSON.parse(payloadText));

  const stop = feed.subscribe(sessionId, receive);
  async function* pieces(): AsyncGenerator<Piece> {
    try {
      for (;;) {
        const item = queue.shift();
        if (item === "end") return;
        if (item !== undefined) yield item;
        else await new Promise<void>((resolve) => void (wake = resolve));
      }
    } finally {
      stop();
    }
  }
  return { pieces: pieces(), stop };
}
