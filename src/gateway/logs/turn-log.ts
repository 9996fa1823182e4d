/**
 * The log of one turn, by its number: the turn in which an agent submitted a plan is named by that number in the line
 * that says so (CH-10). Numbers count on through resets.
 */
import type { TurnId } from "../../protocol/ids.ts";
import type { HistoryItem } from "../../protocol/methods.ts";
import type { Session } from "../../protocol/session.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../../store/store.ts";

/** How far back a turn is looked for, and how much of it is read. */
const PAGES_MAX = 200;
const ENTRIES_MAX = 1_000;
const CHARS_MAX = 4 * 1_048_576;

/** `more`: the turn has further entries, which do not fit. */
export type TurnLog = { turn: number; turnId: TurnId; items: HistoryItem[]; more: boolean };
type Events = Pick<Store, "events" | "eventsBefore">;
type Counted = Pick<Session, "id" | "turnCount">;

export async function readTurnLog(store: Events, session: Counted, turn: number): Promise<TurnLog | undefined> {
  const start = await findStart(store, session, turn);
  if (start === undefined) return undefined;
  const { turnId, cursor } = start;
  return { turn, turnId, ...(await entriesOf(store, { session, turnId, cursor })) };
}

type Start = { turnId: TurnId; cursor: number };

/** Backwards, because the turns that somebody asks for are mostly recent ones. */
async function findStart(
  store: Events,
  { id: sessionId, turnCount }: Counted,
  turn: number,
): Promise<Start | undefined> {
  let number = turnCount;
  let cursor: number | null = null;
  for (let pages = 0; pages < PAGES_MAX && number >= turn && turn > 0; pages += 1) {
    const page: StoredEvent[] = await store.eventsBefore({ cursor, sessionId, limit: PAGE_MAX });
    for (const { event, cursor: at } of page.toReversed()) {
      if (event.type !== "turn.started") continue;
      if (number === turn) return { turnId: event.turnId, cursor: at };
      number -= 1;
    }
    if (page.length < PAGE_MAX) return undefined;
    cursor = page[0]?.cursor ?? null;
  }
  return undefined;
}

async function entriesOf(
  store: Events,
  { session, turnId, cursor }: Start & { session: Counted },
): Promise<Pick<TurnLog, "items" | "more">> {
  const items: HistoryItem[] = [];
  let chars = 0;
  for (let after = cursor; ;) {
    const page = await store.events({ cursor: after, sessionId: session.id, limit: PAGE_MAX });
    for (const { event, atMs } of page) {
      if (event.type === "turn.finished" && event.turnId === turnId) return { items, more: false };
      if (event.type !== "entry.appended") continue;
      const item = { n: event.n, atMs, entry: event.entry };
      chars += JSON.stringify(item).length;
      if (items.length >= ENTRIES_MAX || chars > CHARS_MAX) return { items, more: true };
      items.push(item);
    }
    const last = page.at(-1);
    if (page.length < PAGE_MAX || last === undefined) return { items, more: false };
    after = last.cursor;
  }
}
