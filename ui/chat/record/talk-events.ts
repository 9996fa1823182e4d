/**
 * What people decided, answered and noted, as rows of the conversation: the transcript holds only what the agent was sent
 * and said. Each stands behind the entry after which it happened.
 */
import { eventLineOf } from "../../run/timeline/event-line.ts";
import type { Happening } from "../../state/record/timeline.ts";
import type { TalkEvent } from "./talk-event.ts";

/** What else happened is shown by the entries themselves, by the plan's card, or in the timeline. */
const TOLD: ReadonlySet<string> = new Set([
  "plan.approved",
  "plan.signed",
  "plan.rejected",
  "plan.standing_signed",
  "plan.timed_out",
  "plan.left",
  "plan.auto_set",
  "permission.set",
  "run.gated",
  "run.tried",
  "hold.set",
  "hold.lifted",
  "loosening.signed",
  "question.answered",
  "question.closed",
  "grant.given",
  "grant.denied",
  "note.added",
  "note.replied",
  "turn.aborting",
]);

export function talkEvents(items: readonly Happening[]): TalkEvent[] {
  let afterN = firstN(items) - 1;
  return items.flatMap((item) => {
    afterN = entryN(item) ?? afterN;
    const line = TOLD.has(item.event) ? eventLineOf(item) : undefined;
    if (line === undefined) return [];
    const { icon, tone, title, text } = line;
    return [{ key: `event-${item.cursor}`, afterN, atMs: item.atMs, icon, tone, title, text }];
  });
}

/** Of the entry that this is about, if it is about one. */
export function entryN({ event, payload }: Happening): number | undefined {
  const n = event === "entry.appended" ? payload["n"] : undefined;
  return typeof n === "number" ? n : undefined;
}

/** Before the first entry that is known nothing can be placed but at its side. */
const firstN = (items: readonly Happening[]): number => items.map(entryN).find((n) => n !== undefined) ?? 1;
