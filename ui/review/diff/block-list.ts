/** A section that was changed, block by block: what stayed is counted, code and tables are shown by line, words as words. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { BlockChange, DiffPart } from "../../../src/plan-mode/protocol/plan-diff.ts";
import { t } from "../../i18n/t.ts";
import { inlineText } from "../../text/inline-text.ts";
import "../../text/rich-text.ts";
import { visibly } from "../../text/visibly.ts";
import { diffParts } from "./change-list.ts";

export const blockLook = css`
  .blocks {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  .block {
    padding-inline-start: var(--hp-3);
    border-inline-start: 3px solid var(--hp-accent);
  }

  .block.added {
    border-inline-start-color: var(--hp-good);
  }

  .block.removed {
    border-inline-start-color: var(--hp-bad);
    color: var(--hp-quiet);
  }

  .block > .chip {
    margin-block-end: var(--hp-1);
  }

  .block pre {
    margin: 0;
    padding: var(--hp-2);
    overflow-x: auto;
    border-radius: var(--hp-round-small);
    background: var(--hp-sunken);
    line-height: 1.45;
  }

  .block .line {
    display: block;
    inline-size: max-content;
    min-inline-size: 100%;
  }

  .block .wide {
    overflow-x: auto;
  }

  .block table {
    border-collapse: collapse;
  }

  .block :is(td, th) {
    padding: var(--hp-1) var(--hp-2);
    border: 1px solid var(--hp-line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: break-word;
  }

  .block :is(.line, tr).added {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .block :is(.line, tr).removed {
    background: var(--hp-bad-soft);
    color: var(--hp-bad);
  }

  .block tr.removed td {
    text-decoration: line-through;
  }
`;

export function blockChanges(blocks: readonly BlockChange[]): TemplateResult {
  const rows: TemplateResult[] = [];
  let same = 0;
  const flush = (): void => {
    if (same > 0) rows.push(html`<p class="quiet small">${t("review.blocksUnchanged", { count: same })}</p>`);
    same = 0;
  };
  for (const block of blocks) {
    if (block.change === "same" && !block.moved) same += 1;
    else {
      flush();
      rows.push(blockChange(block));
    }
  }
  flush();
  return html`<div class="blocks">${rows}</div>`;
}

const TONES = { added: "good", removed: "bad", changed: "accent", same: "accent" } as const;

function blockChange({ change, moved, text }: BlockChange): TemplateResult {
  const name = change === "same" ? "moved" : change;
  return html`<div class="block ${change}">
    <span class="chip ${TONES[change]}">${t(`review.change_${name}`)}</span>
    ${moved && change !== "same" ? html`<span class="chip">${t("review.change_moved")}</span>` : nothing}
    ${change === "changed" ? drawn(text) : html`<hp-rich-text .text=${textOf(text)}></hp-rich-text>`}
  </div>`;
}

const textOf = (parts: readonly DiffPart[]): string => parts.map(({ text }) => text).join("");

/** By what it began with, before or after. */
function drawn(parts: readonly DiffPart[]): TemplateResult {
  const [first] = parts;
  if (/^ {0,3}(?:`{3,}|~{3,})/.test(first?.text ?? "")) return code(linesOf(parts));
  if (/^ *\|.*\| *\n/.test(first?.text ?? "")) return table(linesOf(parts));
  return html`<p>${diffParts(parts)}</p>`;
}

type Line = { op: DiffPart["op"]; text: string };

const linesOf = (parts: readonly DiffPart[]): Line[] =>
  parts.flatMap(({ op, text }) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => ({ op, text: line })),
  );

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

const code = (lines: readonly Line[]): TemplateResult =>
  html`<pre tabindex="0" aria-label=${t("review.change_changed")}><code>${lines.map(
    ({ op, text }) => html`<span class="line ${op}">${SIGNS[op]} ${visibly(text)} </span>`,
  )}</code></pre>`;

const RULE = /^ *\|(?: *:?-+:? *\|)+ *$/;

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** The first line names the columns, whichever revision it is of. */
function table(lines: readonly Line[]): TemplateResult {
  const rows = lines.filter(({ text }) => !RULE.test(text));
  const said = (op: Line["op"]): TemplateResult | typeof nothing =>
    op === "same"
      ? nothing
      : html`<span class="unseen">${t(op === "added" ? "review.addedWords" : "review.removedWords")} </span>`;
  return html`<div class="wide" tabindex="0">
    <table>
      ${rows.map(
        ({ op, text }, index) =>
          html`<tr class=${op}>
            ${cellsOf(text).map((cell, at) => {
              const words = html`${at === 0 ? said(op) : nothing}${inlineText(cell)}`;
              return index === 0 ? html`<th>${words}</th>` : html`<td>${words}</td>`;
            })}
          </tr>`,
      )}
    </table>
  </div>`;
}
