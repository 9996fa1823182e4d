/** Where to cut a conversation that has become too long: between two steps, never between a call and its result. */
import type { NumberedEntry } from "../../plugins/sessions.ts";
import type { TurnId } from "../../protocol/ids.ts";
import { SUMMARY_CHARS_MAX } from "../../protocol/transcript-entry.ts";
import { entryTokens } from "./token-estimate.ts";

export type Cut = {
  /** What is summarised, oldest first; a summary that stands already is among it. */
  covered: readonly NumberedEntry[];
  upTo: number;
  /** What the turn under way was asked, if that is covered: it must stay word for word. */
  asked: string;
};

/**
 * The newest steps that fit into what is to be kept stay, at least one of them. Undefined when there is nothing to gain:
 * everything fits, or only one step is there.
 */
export function chooseCut(
  items: readonly NumberedEntry[],
  { turnId, ...keep }: Keep & { turnId: TurnId },
): Cut | undefined {
  const latest = items.findLast(({ entry }) => entry.kind === "summary");
  const talk = items.filter(({ entry }) => entry.kind !== "summary");
  const heads = talk.flatMap(({ entry }, at) => (entry.kind === "input" || entry.kind === "assistant" ? [at] : []));
  const firstKept = firstFitting(talk, heads, keep);
  const kept = firstKept === undefined ? undefined : talk[firstKept];
  if (firstKept === undefined || kept === undefined) return undefined;
  const before = talk.slice(0, firstKept);
  if (!before.some(({ entry }) => "turnId" in entry)) return undefined;
  const covered = latest === undefined ? before : [latest, ...before];
  return { covered, upTo: kept.n - 1, asked: askedIn(covered, turnId) };
}

type Keep = { keepTokens: number; keepEntries: number };

/** The first head from which on everything fits; the last head stays whatever its size. */
function firstFitting(
  talk: readonly NumberedEntry[],
  heads: readonly number[],
  { keepTokens, keepEntries }: Keep,
): number | undefined {
  let chosen = heads.at(-1);
  let tokens = 0;
  let end = talk.length;
  for (const head of heads.toReversed()) {
    tokens += talk.slice(head, end).reduce((sum, { entry }) => sum + entryTokens(entry), 0);
    if (tokens > keepTokens || talk.length - head > keepEntries) break;
    chosen = head;
    end = head;
  }
  return chosen;
}

function askedIn(covered: readonly NumberedEntry[], turnId: TurnId): string {
  const asked = covered.flatMap(({ entry }) => {
    if (entry.kind === "summary" && entry.turnId === turnId) return [entry.asked];
    return entry.kind === "input" && entry.turnId === turnId ? [entry.text] : [];
  });
  const text = asked.filter((part) => part !== "").join("\n\n");
  return text.length <= SUMMARY_CHARS_MAX
    ? text
    : `${text.slice(0, SUMMARY_CHARS_MAX - NOTE.length).toWellFormed()}${NOTE}`;
}

const NOTE = "\n[the rest of this message was left out]";
