/**
 * Pieces of answers on their way to people at other gateways of the same store. A few times a second is often enough to
 * look live; what is too long to be passed on, and what comes faster than it can be, is seen by people at this one only.
 *
 * A piece may arrive behind the entry that it is a piece of. So it says up to which entry the transcript went when it
 * was spoken, and nobody is told a piece of what they have seen whole.
 */
import { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { Committed } from "../engine/commit-feed.ts";
import { SessionId } from "../protocol/ids.ts";
import { JsonObject } from "../protocol/json.ts";
import { type Store, PUBLISHED_BYTES_MAX } from "../store/store.ts";

const GATHER_MS = 100;
const GATHERED_MAX = 1_000;
/** The longest piece of text: in JSON a character takes at most six bytes. */
const PIECE_CHARS_MAX = 1_000;

const SESSIONS_KNOWN_MAX = 1_000;

const Piece = z.object({ sessionId: SessionId, event: z.string(), payload: JsonObject });
type Piece = z.infer<typeof Piece>;
const Passed = z.array(Piece.extend({ behind: z.int() }));

export type DeltaRelay = {
  pass(piece: Piece): void;
  /** Must be called in the order in which clients of this gateway receive commits. */
  published(committed: Committed): void;
};

export type DeltaRelayParts = {
  store: Pick<Store, "subscribe" | "publish">;
  engine: Pick<Engine, "onCommitted">;
  receive(piece: Piece): void;
};

export function createDeltaRelay({ store, engine, receive }: DeltaRelayParts): DeltaRelay {
  const { publish, subscribe } = store;
  if (publish === undefined || subscribe === undefined) return NOBODY_ELSE;
  const [written, shown] = [createEnds(), createEnds()];
  const gathered: string[] = [];
  let isUnderWay = false;
  engine.onCommitted(written.note);
  subscribe({
    onCommit: () => undefined,
    missed: () => undefined,
    onPublished(text) {
      for (const { behind, ...piece } of passedIn(text)) if (behind >= shown.of(piece.sessionId)) receive(piece);
    },
  });

  async function passOn(): Promise<void> {
    while (gathered.length > 0) await publish?.(`[${takeFitting(gathered).join(",")}]`);
  }

  return {
    published: shown.note,
    pass(piece) {
      const behind = written.of(piece.sessionId);
      const texts = inPieces(piece).map((one) => JSON.stringify({ ...one, behind }));
      if (gathered.length + texts.length > GATHERED_MAX) return;
      gathered.push(...texts.filter((text) => bytesOf(text) < PUBLISHED_BYTES_MAX));
      if (isUnderWay) return;
      isUnderWay = true;
      setTimeout(() => {
        void passOn()
          .catch(() => void (gathered.length = 0)) // the store is unreachable; a lost piece of an answer harms nobody
          .finally(() => void (isUnderWay = false));
      }, GATHER_MS).unref();
    },
  };
}

const NOBODY_ELSE: DeltaRelay = { pass: () => undefined, published: () => undefined };

/** The number of the newest entry of each recently active session. */
function createEnds() {
  const ends = new Map<SessionId, number>();
  return {
    of: (sessionId: SessionId): number => ends.get(sessionId) ?? 0,
    note({ sessionId, events }: Committed): void {
      for (const { event } of events) {
        if (event.type !== "entry.appended") continue;
        ends.delete(sessionId);
        ends.set(sessionId, event.n);
      }
      const oldest = ends.keys().next().value;
      if (ends.size > SESSIONS_KNOWN_MAX && oldest !== undefined) ends.delete(oldest);
    },
  };
}

/** Empty for a message that a gateway of another version wrote. */
function passedIn(text: string): z.infer<typeof Passed> {
  try {
    return Passed.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text) + 2;

/** Takes from the front as many as one message holds. */
function takeFitting(texts: string[]): string[] {
  let bytes = 0;
  const end = texts.findIndex((text) => (bytes += bytesOf(text)) > PUBLISHED_BYTES_MAX);
  return texts.splice(0, end < 0 ? texts.length : Math.max(end, 1));
}

function inPieces(piece: Piece): Piece[] {
  const { text } = piece.payload;
  if (typeof text !== "string" || text.length <= PIECE_CHARS_MAX) return [piece];
  const cuts = Array.from({ length: Math.ceil(text.length / PIECE_CHARS_MAX) }, (_, n) => n * PIECE_CHARS_MAX);
  return cuts.map((from) => ({
    ...piece,
    payload: { ...piece.payload, text: text.slice(from, from + PIECE_CHARS_MAX) },
  }));
}
