/**
 * The conversation that one turn works from. What is stored is read once, while the turn's start is on its way to the disk;
 * after that it follows the commits of this process. Whether an entry is missing shows in the session's own count.
 *
 *   readAhead ─▶ known up to n ──commits──▶ known up to n + k ──▶ of(session): complete? ── yes ─▶ as it is
 *                                                                            └── no ─▶ the rest is read from the store
 */
import type { History, NumberedEntry, Sessions } from "../plugins/sessions.ts";
import type { Session } from "../protocol/session.ts";
import { isSentToAgent } from "../protocol/transcript-entry.ts";

/** What a turn works from: the transcript as far as it still counts. */
export type Transcript = readonly NumberedEntry[];

export type TurnTranscript = {
  /** Reads what is stored so far, once `after` is over; nobody waits for it before the first round. */
  readAhead(session: Session, after: Promise<void>): void;
  /** The entries that count for the session as it is stored now. */
  of(session: Session): Promise<Transcript>;
  release(): void;
};

/** `upTo`: no entry up to this number is missing, of those that agents receive. */
type Known = { from: number; upTo: number; items: NumberedEntry[] };

export function createTurnTranscript(
  sessionId: Session["id"],
  { sessions, history }: { sessions: Pick<Sessions, "onCommitted">; history: History },
): TurnTranscript {
  let ahead: Promise<Known | undefined> | undefined;
  let known: Known | undefined;
  const committed: NumberedEntry[] = []; // while `known` is still being read

  const stopListening = sessions.onCommitted(({ events }) => {
    for (const { event } of events) {
      if (event.type !== "entry.appended") continue;
      const { n, entry } = event;
      if (known === undefined) committed.push({ n, entry });
      else append(known, { n, entry });
    }
  }, sessionId);

  async function read(session: Session): Promise<Known> {
    const from = firstOf(session);
    const items = await history(sessionId, from);
    return { from, upTo: Math.max(from, session.entryCount, items.at(-1)?.n ?? 0), items };
  }

  async function completed({ from, items }: Known, { entryCount }: Session): Promise<Known> {
    const rest = await history(sessionId, items.at(-1)?.n ?? from);
    const all = [...items, ...rest];
    return { from, upTo: Math.max(entryCount, all.at(-1)?.n ?? 0), items: all };
  }

  return {
    readAhead(session, after) {
      ahead = after.then(() => read(session)).catch(() => undefined); // a store that does not answer is asked again, where it is waited for
    },
    async of(session) {
      const begun = await ahead;
      ahead = undefined;
      known ??= begun;
      if (known?.from !== firstOf(session)) known = await read(session);
      for (const late of committed.splice(0)) append(known, late);
      if (known.upTo < session.entryCount) known = await completed(known, session);
      return [...known.items];
    },
    release: stopListening,
  };
}

/** What is older was left behind by a new conversation, or replaced by a summary. */
const firstOf = ({ historyFrom, compactedTo }: Session): number => Math.max(historyFrom, compactedTo ?? 0);

function append(known: Known, { n, entry }: NumberedEntry): void {
  if (n !== known.upTo + 1) return; // read before, or behind a gap that is read from the store
  known.upTo = n;
  if (isSentToAgent(entry)) known.items.push({ n, entry });
}
