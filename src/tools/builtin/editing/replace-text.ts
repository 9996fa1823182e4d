/** Replacements in a text, exact and all together: the text with every one of them, or why there is none. */
import { nearestLines } from "./nearest-lines.ts";

export type Replacement = { oldText: string; newText: string; replaceAll?: boolean | undefined };
/** Where the first one was, in the text as it was then, and how many were replaced. */
export type Replaced = { line: number; count: number };

export function replaceTexts(
  text: string,
  edits: readonly Replacement[],
): { text: string; done: Replaced[] } | { error: string } {
  const done: Replaced[] = [];
  let now = text;
  for (const [index, edit] of edits.entries()) {
    const replaced = replaceText(now, edit);
    if ("error" in replaced) {
      const which = edits.length === 1 ? "" : `edit ${index + 1} of ${edits.length}: `;
      return { error: `${which}${replaced.error}` };
    }
    now = replaced.text;
    done.push(replaced.done);
  }
  return { text: now, done };
}

function replaceText(
  text: string,
  { oldText, newText, replaceAll = false }: Replacement,
): { text: string; done: Replaced } | { error: string } {
  if (oldText === newText) return { error: "oldText and newText are the same." };
  const at = text.indexOf(oldText);
  if (at < 0) {
    const missing = "oldText does not occur in it. Read it again and copy the text exactly.";
    return { error: [missing, nearestLines(text, oldText)].filter((part) => part !== "").join(" ") };
  }
  const line = lineOf(text, at);
  if (replaceAll) {
    const pieces = text.split(oldText);
    return { text: pieces.join(newText), done: { line, count: pieces.length - 1 } };
  }
  const second = text.indexOf(oldText, at + 1);
  if (second >= 0) {
    return {
      error: `oldText occurs more than once (lines ${line} and ${lineOf(text, second)}). Include more of the lines around it, or set replaceAll.`,
    };
  }
  return { text: text.slice(0, at) + newText + text.slice(at + oldText.length), done: { line, count: 1 } };
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;
