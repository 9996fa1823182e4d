import type { NumberedEntry } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../store/store.ts";

/** A turn must find its own input, however many calls it has made since. */
const HISTORY_PAGES_MAX = 4;

/** Newest pages first, put back in order: what is beyond the last page is too old for any model's window. */
export async function readHistory(
  store: Pick<Store, "entries">,
  sessionId: SessionId,
  from: number,
): Promise<NumberedEntry[]> {
  const pages: StoredEvent[][] = [];
  let before: number | null = null;
  for (let n = 0; n < HISTORY_PAGES_MAX; n++) {
    const page = await store.entries({ sessionId, from, before, limit: PAGE_MAX });
    pages.unshift(page);
    const oldest = page[0]?.event;
    if (page.length < PAGE_MAX || oldest?.type !== "entry.appended") break;
    before = oldest.n;
  }
  return pages
    .flat()
    .flatMap(({ event }) => (event.type === "entry.appended" ? [{ n: event.n, entry: event.entry }] : []));
}
