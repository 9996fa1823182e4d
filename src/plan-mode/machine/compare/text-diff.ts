/**
 * Compares two texts as people read them: sentences that stayed, went and came, and within a sentence that was changed a
 * little, its words. A sentence that is mostly new is told as a new one, because word by word it could not be read.
 */
import { diffArrays } from "diff/lib/diff/array.js"; // this one file: the whole package would be 19 at each start
import type { DiffPart } from "../../protocol/plan-diff.ts";
import { pairTexts } from "./pair-texts.ts";
import { sentencesOf } from "./sentences.ts";
import { tokensOf } from "./words.ts";

/** Beyond this many changes a text counts as rewritten: finding the shortest way there would take too long. */
const EDITS_MAX = 500;
/** Of a changed sentence this share of its letters must stay, or it is told as one that went and one that came. */
const STAYS_MIN = 0.5;
/** More pairs than this are not looked at: so much at once is another text. */
const PAIRS_MAX = 4_000;
/** What stays between two changes and is shorter than this is told with them: an "and" alone reads as noise. */
const ISLAND_CHARS_MIN = 8;

/** Without what was added the parts are `before`, without what was removed they are `after`. */
export function textDiff(before: string, after: string): DiffPart[] {
  if (before === after) return before === "" ? [] : [{ op: "same", text: before }];
  const runs = runsOf(sentencesOf(before), sentencesOf(after));
  return merged(runs.flatMap(({ gone, came, same }) => [...betweenSentences(gone, came), ...part("same", same)]));
}

type Run = { gone: string[]; came: string[]; same: string };

/** What changed in one go, and what stays behind it. */
function runsOf(before: string[], after: string[]): Run[] {
  const changes = diffArrays(before, after, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return [{ gone: before, came: after, same: "" }];
  const runs: Run[] = [{ gone: [], came: [], same: "" }];
  for (const { added, removed, value } of changes) {
    const last = runs.at(-1);
    if (!added && !removed) {
      if (last !== undefined) last.same = value.join("");
      continue;
    }
    const run = last === undefined || last.same !== "" ? { gone: [], came: [], same: "" } : last;
    if (run !== last) runs.push(run);
    (added ? run.came : run.gone).push(...value);
  }
  return runs;
}

/** Sentences that became others, each beside the one it became; order is kept, so one that changed its place went and came. */
function betweenSentences(gone: readonly string[], came: readonly string[]): DiffPart[] {
  const pairs = gone.length * came.length;
  if (pairs === 0 || pairs > PAIRS_MAX) return [...part("removed", gone.join("")), ...part("added", came.join(""))];
  const parts: DiffPart[] = [];
  let [next, last] = [0, 0];
  for (const { from, to } of pairTexts(gone, came)) {
    if (from === null || to === null || from < next || to < last) continue;
    parts.push(...part("removed", gone.slice(next, from).join("")), ...part("added", came.slice(last, to).join("")));
    parts.push(...betweenWords(gone[from] ?? "", came[to] ?? ""));
    [next, last] = [from + 1, to + 1];
  }
  return [...parts, ...part("removed", gone.slice(next).join("")), ...part("added", came.slice(last).join(""))];
}

function betweenWords(before: string, after: string): DiffPart[] {
  const changes = diffArrays(piecesOf(before), piecesOf(after), { maxEditLength: EDITS_MAX });
  const parts = (changes ?? []).flatMap(({ added, removed, value }) =>
    part(added ? "added" : removed ? "removed" : "same", value.join("")),
  );
  const whole = withoutIslands(merged(parts));
  const stays = lettersOf(whole.filter(({ op }) => op === "same"));
  const isReadable = stays >= STAYS_MIN * Math.min(before.trim().length, after.trim().length);
  return isReadable && whole.length > 0 ? whole : [...part("removed", before), ...part("added", after)];
}

/** What Markdown marks, and numbers such as 23:30 or 1,204.5: half of one could not be drawn, or would mislead. */
const WHOLE = /(`[^`\n]{1,200}`|\*\*[^*\n]{1,200}\*\*|\[[^\]\n]{1,200}\]\([^)\s]{1,400}\)|\d+(?:[.:,]\d+)+)/u;

const piecesOf = (text: string): string[] =>
  text.split(WHOLE).flatMap((piece, index) => (index % 2 === 1 ? [piece] : tokensOf(piece)));

const lettersOf = (parts: readonly DiffPart[]): number =>
  parts.reduce((sum, { text }) => sum + text.replaceAll(/\s/g, "").length, 0);

/** Only what stands between two changes: how a text begins and ends is worth seeing however short it is. */
function withoutIslands(parts: readonly DiffPart[]): DiffPart[] {
  return merged(
    parts.flatMap((own, index) => {
      const isIsland =
        own.op === "same" && index > 0 && index < parts.length - 1 && own.text.trim().length < ISLAND_CHARS_MIN;
      return isIsland ? [...part("removed", own.text), ...part("added", own.text)] : [own];
    }),
  );
}

const part = (op: DiffPart["op"], text: string): DiffPart[] => (text === "" ? [] : [{ op, text }]);

/** Between two parts that stayed, all that went stands before all that came. */
function merged(parts: readonly DiffPart[]): DiffPart[] {
  const all: DiffPart[] = [];
  let changed = { removed: "", added: "" };
  const flush = (): void => {
    all.push(...part("removed", changed.removed), ...part("added", changed.added));
    changed = { removed: "", added: "" };
  };
  for (const { op, text } of parts) {
    const last = all.at(-1);
    if (op !== "same") changed = { ...changed, [op]: changed[op] + text };
    else if (changed.removed + changed.added === "" && last?.op === "same") last.text += text;
    else {
      flush();
      all.push({ op, text });
    }
  }
  flush();
  return all;
}
