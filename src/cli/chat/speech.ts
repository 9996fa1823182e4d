/**
 * The agent's words while they arrive. Lines that are full are printed once and for all; the last one still changes.
 * When the whole text is known, only what was not yet printed follows. Each paragraph is looked at by itself, so that a
 * long answer does not become slower the longer it gets.
 */
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import { wrap } from "../text/wrap.ts";
import { MARKS } from "../cards/marks.ts";

export type Speech = {
  /** A piece more; returns lines that will not change again. */
  receive(piece: string, look: Look): string[];
  /** The text is complete; returns the lines still owed. */
  finish(text: string, look: Look): string[];
  /** No more will come of it; returns the lines still owed of what was received. */
  interrupt(look: Look): string[];
  /** The line that may still change. */
  unfinished(look: Look): string[];
};

const INDENT = "  ";

export function createSpeech(): Speech {
  let received = "";
  let start = 0; // where the paragraph begins that is still open
  let printed = 0; // how many of its lines are printed
  let begun = false; // something of this text has been printed in an earlier paragraph

  const open = (look: Look): string[] =>
    start < received.length ? paragraph(received.slice(start), { isFirst: !begun, look }) : [];

  function closeParagraphs(look: Look): string[] {
    const lines: string[] = [];
    for (let end = received.indexOf("\n", start); end !== -1; end = received.indexOf("\n", start)) {
      const whole = paragraph(received.slice(start, end), { isFirst: !begun, look });
      lines.push(...whole.slice(printed));
      begun ||= whole.length > 0;
      start = end + 1;
      printed = 0;
    }
    return lines;
  }

  function rest(look: Look): string[] {
    const lines = [...closeParagraphs(look), ...open(look).slice(printed)];
    forget();
    return lines;
  }

  function forget(): void {
    received = "";
    start = 0;
    printed = 0;
    begun = false;
  }

  return {
    receive(piece, look) {
      received += piece;
      const lines = closeParagraphs(look);
      const now = open(look);
      const full = now.length - 1;
      const settled = full > 1 || begun ? Math.max(full, printed) : printed; // the blank line before a text comes with its first line
      lines.push(...now.slice(printed, settled));
      printed = settled;
      return lines;
    },
    finish(text, look) {
      if (!text.startsWith(received)) forget(); // pieces were lost on the way: better twice than with a hole
      received = text.trimEnd();
      return rest(look);
    },
    interrupt: rest,
    unfinished: (look) => open(look).slice(printed),
  };
}

function paragraph(text: string, { isFirst, look }: { isFirst: boolean; look: Look }): string[] {
  const safe = sanitise(text).trimEnd();
  if (isFirst && safe === "") return [];
  const lines = wrap(safe, look.columns - INDENT.length);
  const indented = lines.map((line) => `${INDENT}${line}`.trimEnd());
  return isFirst
    ? ["", `${look.paint.accent(MARKS.agent)} ${(lines[0] ?? "").trimStart()}`, ...indented.slice(1)]
    : indented;
}
