/** How the calls of a caller ended, read from the transcript: for a plugin that resumes a cell in another process. */
import type { RecordedCall } from "../plugins/api/calls.ts";
import type { CallerId, SessionId } from "../protocol/ids.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import { PAGE_MAX, type Store } from "../store/store.ts";

/** A cell that waits made its calls not long ago; what is further back than this is not looked for. */
const PAGES_MAX = 20;

/** Newest first. */
export async function callerResults(
  store: Pick<Store, "entries">,
  sessionId: SessionId,
  callerId: CallerId,
): Promise<RecordedCall[]> {
  const ended: RecordedCall[] = [];
  const refs = new Map<string, string>();
  let before: number | null = null;
  for (let n = 0; n < PAGES_MAX; n++) {
    const page = await store.entries({ sessionId, from: 0, before, limit: PAGE_MAX });
    for (const { event } of page.toReversed()) {
      if (event.type === "entry.appended") take(event.entry, callerId, { ended, refs });
    }
    const oldest = page[0]?.event;
    if (page.length < PAGE_MAX || oldest?.type !== "entry.appended") break;
    before = oldest.n;
  }
  return ended.map((call) => {
    const ref = refs.get(call.callId);
    return ref === undefined ? call : { ...call, ref };
  });
}

type Found = { ended: RecordedCall[]; refs: Map<string, string> };

function take(entry: Entry, callerId: CallerId, { ended, refs }: Found): void {
  if (entry.kind === "call" && entry.caller.id === callerId && entry.ref !== undefined)
    refs.set(entry.callId, entry.ref);
  if (entry.kind !== "call-result" || entry.caller.id !== callerId) return;
  const { callId, tool, status, content } = entry;
  ended.push({ callId, tool, status, content });
}
