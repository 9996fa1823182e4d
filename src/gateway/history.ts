/** The transcript that agents receive: without calls by other callers, which only people see. */
import type { NumberedEntry } from "../plugins/sessions.ts";
import type { SessionId } from "../protocol/ids.ts";
import { isSentToAgent } from "../protocol/transcript-entry.ts";
import { PAGE_MAX, type Store, type StoredEvent } from "../store/store.ts";

/** A turn must find its own input, however many calls it has made since, and however many were made inside of those. */
const HISTORY_ENTRIES_MAX = 4 * PAGE_MAX;
const HISTORY_PAGES_MAX = 64;

/** Newest pages first, put back in order: what is beyond the last page is too old for any model's window. */
export async function readHistory(
  store: Pick<Store, "entries">,
  sessionId: SessionId,
  from: number,
): Promise<NumberedEntry[]> {
  const pages: NumberedEntry[][] = [];
  let before: number | null = null;
  for (let n = 0, count = 0; n < HISTORY_PAGES_MAX && count < HISTORY_ENTRIES_MAX; n++) {
    const page = await store.entries({ sessionId, from, before, limit: PAGE_MAX });
    const own = page.flatMap(ownEntry);
    pages.unshift(own);
    count += own.length;
    const oldest = page[0]?.event;
    if (page.length < PAGE_MAX || oldest?.type !== "entry.appended") break;
    before = oldest.n;
  }
  return pages.flat();
}

function ownEntry({ event }: StoredEvent): NumberedEntry[] {
  if (event.type !== "entry.appended" || !isSentToAgent(event.entry)) return [];
  return [{ n: event.n, entry: event.entry }];
}
