/** `<hp-at-a-glance>`: before signing, in one look: what the plan touches, what is open, what it cost, who else must sign. */
import { css, html, nothing, type TemplateResult } from "lit";
import { findAction } from "../../../src/protocol/card/availability.ts";
import { type ApprovalCard, type CardSection, type CardText, isWaiting } from "../../../src/protocol/card/card.ts";
import type { SessionView } from "../../../src/protocol/methods.ts";
import { SCOPE_PARTS } from "../../../src/plan-mode/protocol/step/step-lines.ts";
import { AppElement } from "../../app/app-element.ts";
import { cardText } from "../../cards/card-text.ts";
import { isIrreversible, isLintWarning } from "../../cards/lint-warnings.ts";
import { cardsOf } from "../../cards/waiting-card.ts";
import { sayList, sayNumber } from "../../i18n/say.ts";
import { language, t, withTexts } from "../../i18n/t.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { entries } from "../../parts/look/entries.ts";
import { marks } from "../../parts/look/marks.ts";
import { isOnline, mayDecide, operatorOf } from "../../state/connection.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";

/** Shown of each kind without a click; the rest is one away. */
const ENTRIES_SHOWN = 4;

class AtAGlance extends AppElement {
  static override properties = {
    card: { attribute: false },
    session: { attribute: false },
    isPicking: { state: true },
  };
  static override styles = [
    base,
    buttons,
    entries,
    marks,
    css`
      :host {
        display: block;
        padding: var(--hp-3);
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-surface);
        font-size: var(--hp-size-small);
      }

      dl {
        display: grid;
        grid-template-columns: minmax(4rem, max-content) minmax(0, 1fr);
        gap: var(--hp-2) var(--hp-3);
        margin: 0;
      }

      dt {
        color: var(--hp-quiet);
        font-weight: 550;
      }

      dd {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-1);
        min-inline-size: 0;
        margin: 0;
        overflow-wrap: anywhere;
      }

      .no-way-back {
        color: var(--hp-bad);
        font-weight: 550;
      }

      summary {
        inline-size: fit-content;
        min-block-size: 1.5rem;
        cursor: pointer;
      }

      ul {
        margin: 0;
        padding-inline-start: 1.2em;
        list-style: disc;
      }

      .button {
        justify-self: start;
        max-inline-size: 100%;
        text-align: start;
        white-space: normal;
      }

      @media (width < 30rem) {
        dl {
          grid-template-columns: minmax(0, 1fr);
          gap: 0;
        }

        dd {
          margin-block-end: var(--hp-2);
        }
      }
    `,
  ];

  declare card: ApprovalCard;
  declare session: SessionView;
  declare isPicking: boolean;

  constructor() {
    super();
    this.isPicking = false;
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override render(): TemplateResult {
    return html`<section aria-label=${t("review.glance")}>
        <dl>
          <dt>${t("review.touches")}</dt>
          <dd>${this.#touches()}</dd>
          <dt>${t("review.glanceOpen")}</dt>
          <dd>${this.#open()}</dd>
          <dt>${t("review.glanceSign")}</dt>
          <dd>${this.#signing()}</dd>
          ${this.#cost()}
        </dl>
      </section>
      ${
        this.isPicking
          ? html`<hp-step-picker
              .app=${this.app}
              .sessionId=${this.session.id}
              .card=${this.card}
              @hp-close=${() => (this.isPicking = false)}
            ></hp-step-picker>`
          : nothing
      }`;
  }

  #touches(): TemplateResult {
    const { sections = [] } = this.card;
    const scopes = SCOPE_PARTS.flatMap((part) => sections.find(({ id }) => id === `scope_${part}`) ?? []);
    const nothingAtAll = sections.find(({ id }) => id === "scope");
    const cannotUndo = warningsOf(this.card).filter(isIrreversible);
    return html`${scopes.map(scopeLine)}
    ${
      scopes.length > 0
        ? nothing
        : html`<span
            >${nothingAtAll === undefined ? t("review.glanceUndeclared") : cardText(nothingAtAll.heading)}</span
          >`
    }
    ${sections.filter(({ id }) => id === "tried").map(triedLine)}
    ${cannotUndo.map((text) => html`<span class="no-way-back">${cardText(text)}</span>`)}`;
  }

  #open(): TemplateResult {
    const { notesOpen, notesAnswered = 0 } = this.card;
    const question = cardsOf(this.session).find((card) => card.kind !== "approval" && isWaiting(card));
    const findings = warningsOf(this.card).filter((text) => isLintWarning(text) && !isIrreversible(text));
    const unanswered = notesOpen - notesAnswered;
    const lines = [
      ...(question === undefined ? [] : [t("review.glanceQuestion", { question: visibly(question.title) })]),
      ...findings.map(cardText),
      ...(unanswered === 0 ? [] : [t("review.openNotes", { count: unanswered })]),
      ...(notesAnswered === 0 ? [] : [t("review.answeredNotes", { count: notesAnswered })]),
    ];
    const critic = (this.card.sections ?? []).filter(({ id }) => id === "critic");
    return lines.length === 0 && critic.length === 0
      ? html`<span>${t("review.glanceNothing")}</span>`
      : html`${lines.map((line) => html`<span>${line}</span>`)}${critic.map(criticNotes)}`;
  }

  #signing(): TemplateResult {
    const { signing } = this.card;
    const approvers = findAction(this.card, "approve")?.approvers;
    return html`${
      signing === undefined || signing.quorum < 2
        ? html`<span>${t("review.glanceOne")}</span>`
        : html`<span
            >${t("cards.signatures", { given: signing.signatures.length, count: signing.quorum })}${
              signing.missing.length === 0
                ? nothing
                : html` · ${t("review.missing", { names: sayList(signing.missing.map(visibly)) })}`
            }</span
          >`
    }
    ${approvers === undefined ? nothing : html`<span>${t("review.glanceMay", { names: sayList(approvers.map(visibly)) })}</span>`}
    ${this.#pickButton()}`;
  }

  #pickButton(): TemplateResult | typeof nothing {
    const connection = this.app.state.connection.get();
    if (this.card.steps.length < 2 || !mayDecide(operatorOf(connection))) return nothing;
    return html`<button class="button" ?disabled=${!isOnline(connection)} @click=${() => void this.#pick()}>
      ${icon("check", 16)}${t("review.pick")}
    </button>`;
  }

  async #pick(): Promise<void> {
    const loaded = await this.app.attempt(() =>
      withTexts(() => import("./step-picker.ts"), "cards", "problems", "review"),
    );
    this.isPicking = loaded !== undefined;
  }

  #cost(): TemplateResult | typeof nothing {
    const { spent } = this.session;
    if (spent === undefined || spent.answers === 0) return nothing;
    const tokens = spent.inputTokens + spent.outputTokens;
    const isPriced = spent.answersWithoutPrice < spent.answers;
    return html`<dt>${t("review.glanceCost")}</dt>
      <dd>
        <span
          >${isPriced ? html`${sayCost(spent.costUsd)} · ` : nothing}${t("review.glanceTokens", {
            tokens: sayNumber(tokens),
          })}</span
        >
      </dd>`;
  }
}

/** Small sums keep the digits that tell them apart. */
const sayCost = (usd: number): string =>
  new Intl.NumberFormat(language.get().locale, {
    style: "currency",
    currency: "USD",
    maximumSignificantDigits: 3,
  }).format(usd);

/** They may come while somebody reads: said aloud, and never in the way of a decision. */
const criticNotes = ({ heading, items = [] }: CardSection): TemplateResult =>
  html`<div role="status">
    <strong>${cardText(heading)}</strong>
    <ul>
      ${items.map((item) => html`<li>${lineOrBlock(item)}</li>`)}
    </ul>
  </div>`;

const warningsOf = ({ warnings = [] }: ApprovalCard): readonly CardText[] => warnings;

const named = (some: readonly string[]): TemplateResult[] =>
  some.map((entry) => html`<code class="entry">${visibly(entry)}</code> `);

const triedLine = ({ heading, items = [] }: CardSection): TemplateResult =>
  html`<span>${cardText(heading)}: ${named(items)}</span>`;

function scopeLine({ heading, items = [] }: CardSection): TemplateResult {
  const title = html`${cardText(heading)}: <strong>${items.length}</strong>`;
  if (items.length <= ENTRIES_SHOWN) return html`<span>${title} ${named(items)}</span>`;
  return html`<details>
    <summary>${title} ${named(items.slice(0, ENTRIES_SHOWN))}…</summary>
    ${named(items.slice(ENTRIES_SHOWN))}
  </details>`;
}

customElements.define("hp-at-a-glance", AtAGlance);
