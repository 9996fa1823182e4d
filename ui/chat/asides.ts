/** Replies to slash commands. Only this person sees them, and they are gone after a reload. */
import type { SessionId } from "../../src/protocol/ids.ts";
import type { LocalizedLine } from "../../src/protocol/localized/localized-text.ts";
import { cell, type Readable } from "../state/cell.ts";

const KEPT_PER_SESSION_MAX = 20;
const SESSIONS_MAX = 50;

export type Aside = {
  id: number;
  command: string;
  text: string;
  said: readonly LocalizedLine[];
  atMs: number;
  afterN: number;
};

const NONE: readonly Aside[] = [];
const kept = cell<ReadonlyMap<SessionId, readonly Aside[]>>(new Map());
let lastId = 0;

export const asides: Readable<ReadonlyMap<SessionId, readonly Aside[]>> & {
  of(sessionId: SessionId): readonly Aside[];
  add(sessionId: SessionId, aside: Omit<Aside, "id">): void;
  dismiss(sessionId: SessionId, id: number): void;
} = {
  get: kept.get,
  subscribe: kept.subscribe,
  of: (sessionId) => kept.get().get(sessionId) ?? NONE,
  add(sessionId, aside) {
    lastId += 1;
    const id = lastId;
    kept.change((all) => {
      const mine = [...(all.get(sessionId) ?? NONE), { ...aside, id }].slice(-KEPT_PER_SESSION_MAX);
      const others = [...all].filter(([key]) => key !== sessionId).slice(-SESSIONS_MAX);
      return new Map([...others, [sessionId, mine]]);
    });
  },
  dismiss(sessionId, id) {
    kept.change((all) =>
      new Map(all).set(
        sessionId,
        (all.get(sessionId) ?? NONE).filter((aside) => aside.id !== id),
      ),
    );
  },
};
