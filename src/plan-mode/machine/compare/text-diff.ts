/** Compares two texts word by word. */
import { diffArrays } from "diff/lib/diff/array.js"; // this one file: the whole package would be 19 at each start
import type { DiffPart } from "../../protocol/plan-diff.ts";
import { tokensOf } from "./words.ts";

/** Beyond this many changed words a text counts as rewritten: finding the shortest way there would take too long. */
const EDITS_MAX = 500;

/** Word by word. Without what was added the parts are `before`, without what was removed they are `after`. */
export function textDiff(before: string, after: string): DiffPart[] {
  if (before === after) return before === "" ? [] : [{ op: "same", text: before }];
  const changes = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: EDITS_MAX });
  const parts: DiffPart[] =
    changes === undefined
      ? [
          { op: "removed", text: before },
          { op: "added", text: after },
        ]
      : changes.map(({ added, removed, value }) => ({ op: opOf({ added, removed }), text: value.join("") }));
  return parts.filter(({ text }) => text !== "");
}

function opOf({ added, removed }: { added: boolean; removed: boolean }): DiffPart["op"] {
  if (added) return "added";
  return removed ? "removed" : "same";
}
