/** A short history of a session: whole texts are in the transcript, whole plans in `plans.get`. */
import type { Json, JsonObject } from "../../../protocol/json.ts";
import type { ResultOf } from "../../../protocol/methods.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import type { SessionEvent } from "../../../protocol/session.ts";
import type { Entry } from "../../../protocol/transcript-entry.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../../../store/store.ts";
import { toFeed } from "../../feed.ts";
import type { ViewOf } from "../session-view.ts";

export const TIMELINE_CHARS_MAX = 500;
const ITEMS_MAX = 20;
const DEPTH_MAX = 6;
/** Events without an item are skipped, but not endlessly in one request. */
const READS_MAX = 4;

type Timeline = ResultOf<"sessions.timeline">;
type Item = Timeline["items"][number];

/** Events that lead to another one which has an item. */
const SKIPPED: ReadonlySet<SessionEvent["type"]> = new Set(["turn.requested", "turn.ending", "turn.said"]);

/** Calls have events of their own, so their transcript entries are left out. */
const OF_CALLS: ReadonlySet<Entry["kind"]> = new Set(["result", "call", "call-result"]);

type Asked = { sessionId: SessionId; before: number | null; limit: number };

export async function timelineOf(
  { store, view }: { store: Pick<Store, "eventsBefore">; view: ViewOf },
  { sessionId, before, limit }: Asked,
): Promise<Timeline> {
  const items: Item[] = [];
  let cursor = before;
  for (let reads = 0; reads < READS_MAX && items.length < limit; reads += 1) {
    const page = await store.eventsBefore({ cursor, sessionId, limit: PAGE_MAX });
    for (const stored of page.toReversed()) {
      cursor = stored.cursor;
      const item = toItem(stored, view);
      if (item !== undefined && items.push(item) === limit) break;
    }
    if (page.length < PAGE_MAX && cursor === (page[0]?.cursor ?? cursor))
      return { items: items.toReversed(), before: null };
  }
  return { items: items.toReversed(), before: cursor };
}

function toItem(stored: StoredEvent, view: ViewOf): Item | undefined {
  const { event, cursor, atMs } = stored;
  if (SKIPPED.has(event.type) || (event.type === "entry.appended" && OF_CALLS.has(event.entry.kind))) return undefined;
  const feedEvent = toFeed(stored, view);
  if (feedEvent === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the feed has just written it
  const payload = JSON.parse(feedEvent.payloadText) as JsonObject;
  return { cursor, atMs, event: feedEvent.event, payload: { ...shortObject(payload, 0), ...stepStatuses(payload) } };
}

/** The status of every step, even when the steps themselves are cut: the page derives durations from it. */
function stepStatuses({ steps }: JsonObject): JsonObject {
  if (!Array.isArray(steps)) return {};
  return { statuses: steps.map((step) => (isObject(step) ? (step["status"] ?? null) : null)) };
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function short(value: Json, depth: number): Json {
  if (typeof value === "string")
    return value.length > TIMELINE_CHARS_MAX ? `${value.slice(0, TIMELINE_CHARS_MAX).toWellFormed()}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => short(item, depth + 1));
  return shortObject(value, depth);
}

const shortObject = (object: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, item]) => [key, short(item, depth + 1)]));
