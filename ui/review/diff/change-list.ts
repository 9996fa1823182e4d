/** Changes as they are read: what is new, what is gone, what stands elsewhere. The gateway compared; this only draws. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { DiffPart } from "../../../src/plan-mode/protocol/plan-diff.ts";
import type { Answering, PlanDiff } from "../../../src/plan-mode/protocol/review.ts";
import { t } from "../../i18n/t.ts";
import { inlineText } from "../../text/inline-text.ts";

export type StepChanged = PlanDiff["steps"][number];

export const changeLook = css`
  .changes {
    display: grid;
    gap: var(--hp-2);
  }

  .change {
    display: grid;
    gap: var(--hp-1);
    padding: var(--hp-2) var(--hp-3);
    border: 1px solid var(--hp-line);
    border-inline-start: 3px solid var(--hp-line-strong);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
    scroll-margin-block: var(--hp-6);
    content-visibility: auto;
    contain-intrinsic-block-size: auto 4.5rem;
  }

  .change.added {
    border-inline-start-color: var(--hp-good);
  }

  .change.removed {
    border-inline-start-color: var(--hp-bad);
  }

  .change.changed,
  .change.moved {
    border-inline-start-color: var(--hp-accent);
  }

  .about {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-1) var(--hp-2);
    font-size: var(--hp-size-small);
  }

  .parts {
    unicode-bidi: plaintext;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  ins {
    border-radius: 0.15rem;
    background: var(--hp-good-soft);
    color: var(--hp-good);
    text-decoration: underline;
    text-decoration-thickness: 1px;
  }

  del {
    border-radius: 0.15rem;
    background: var(--hp-bad-soft);
    color: var(--hp-bad);
  }

  .criteria-changes {
    display: grid;
    gap: 0.125rem;
    padding-inline-start: var(--hp-4);
    font-size: var(--hp-size-small);
  }

  .criteria-changes li {
    list-style: square;
  }

  button.answer {
    border: 0;
    cursor: pointer;
  }
`;

/** Words in order, with their Markdown drawn; new and removed ones are marked for screen readers. */
export function diffParts(parts: readonly DiffPart[]): TemplateResult {
  return html`<span class="parts"
    >${parts.map(({ op, text }) => {
      if (op === "added")
        return html`<ins><span class="unseen">${t("review.addedWords")} </span>${inlineText(text)}</ins>`;
      if (op === "removed")
        return html`<del><span class="unseen">${t("review.removedWords")} </span>${inlineText(text)}</del>`;
      return inlineText(text);
    })}</span
  >`;
}

const isChange = ({ change, moved }: StepChanged): boolean => change !== "same" || moved;

/** Unchanged parts become a line with their count. `onNote` is called with the note that somebody wants to see. */
export function stepChanges(steps: readonly StepChanged[], onNote?: (noteId: string) => void): TemplateResult {
  const rows: TemplateResult[] = [];
  let same = 0;
  const flush = (): void => {
    if (same > 0) rows.push(html`<li class="quiet small">${t("review.diffUnchanged", { count: same })}</li>`);
    same = 0;
  };
  for (const step of steps) {
    if (isChange(step)) {
      flush();
      rows.push(stepChange(step, onNote));
    } else {
      same += 1;
    }
  }
  flush();
  return html`<ul class="changes">
    ${rows}
  </ul>`;
}

function stepChange(step: StepChanged, onNote: ((noteId: string) => void) | undefined): TemplateResult {
  const { change, moved, from, to, text, criteria, answers } = step;
  const number = to ?? from ?? 0;
  const kind = change === "same" ? "moved" : change;
  const tone = { added: "good", removed: "bad", changed: "accent", moved: "accent" }[kind];
  return html`<li class="change ${kind}" id="change-${to === null ? "was" : "step"}-${number}" tabindex="-1">
    <div class="about">
      <span class="chip ${tone}">${t(`review.change_${kind}`)}</span>
      ${moved && change !== "same" ? html`<span class="chip">${t("review.change_moved")}</span>` : nothing}
      <span>${t("review.stepNumber", { number })}</span>
      ${formerPlace(step)} ${answered(answers, onNote)}
    </div>
    ${diffParts(text)}
    ${
      criteria.length === 0
        ? nothing
        : html`<ul class="criteria-changes" aria-label=${t("review.criteria")}>
            ${criteria.map((item) => html`<li>${diffParts(item.text)}</li>`)}
          </ul>`
    }
  </li>`;
}

/** Where it stood, if elsewhere: moved by somebody, or pushed along by others. */
function formerPlace({ moved, from, to }: StepChanged): TemplateResult | typeof nothing {
  if (from === null || to === null || from === to) return nothing;
  const text = moved ? t("review.movedFrom", { from, to }) : t("review.oldNumber", { number: from });
  return html`<span class="quiet">${text}</span>`;
}

/** Links to the notes that a change answers, and how that is known. */
export function answered(
  answers: readonly Answering[],
  onNote: ((noteId: string) => void) | undefined,
): TemplateResult | typeof nothing {
  if (answers.length === 0) return nothing;
  return html`<span>${t("review.answers")}</span> ${answers.map(({ noteId, n, declared }) => {
      const text = t("review.answersNote", { number: n });
      const hint = declared ? t("review.answersDeclared") : t("review.answersPlaced");
      const look = declared ? "good" : "";
      return onNote === undefined
        ? html`<span class="chip ${look}" title=${hint}>${text}</span>`
        : html`<button class="chip answer ${look}" title=${hint} @click=${() => onNote(noteId)}>${text}</button>`;
    })}`;
}
