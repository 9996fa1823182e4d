/** A question of the agent, or of the gateway about one call that a gate holds. The same shell as a plan's card. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { CardAction, CardOption, GrantCard } from "../../src/protocol/card/card.ts";
import { sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { writingKeys } from "../parts/writing-keys.ts";
import { marks } from "../parts/look/marks.ts";
import { inlineText } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { cardLook } from "./card-look.ts";
import { cardText, headingText } from "./card-text.ts";
import { DecisionCard } from "./decision-card.ts";
import { keptWords } from "./kept-words.ts";
import type { AskingCard } from "./waiting-card.ts";

type Choosing = CardAction & { input: Extract<CardAction["input"], { kind: "option" }> };

export class HpQuestionCard extends DecisionCard<AskingCard> {
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    cardLook,
    css`
      h2 {
        max-block-size: 30dvh;
        overflow: auto;
        font-size: var(--hp-size);
        font-weight: 550;
        white-space: pre-wrap;
      }

      .options {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        max-block-size: 40dvh;
        overflow: auto;
        padding: 2px;
      }

      .option {
        display: grid;
        gap: 0;
        justify-content: start;
        justify-items: start;
        padding-block: var(--hp-2);
        text-align: start;
        white-space: normal;
      }

      .option .hint {
        color: var(--hp-quiet);
        font-size: var(--hp-size-small);
        font-weight: 400;
      }

      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: var(--hp-1) var(--hp-3);
        font-size: var(--hp-size-small);
      }

      dt {
        color: var(--hp-quiet);
      }

      dd code {
        overflow-wrap: anywhere;
      }

      @media (width < 40rem) {
        .actions {
          grid-template-columns: repeat(auto-fit, minmax(4.5rem, 1fr));
        }
      }

      pre {
        max-block-size: 30dvh;
        margin: 0;
        padding: var(--hp-3);
        overflow: auto;
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round-small);
        background: var(--hp-sunken);
        white-space: pre-wrap;
      }
    `,
  ];

  get #text(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  /** The action that takes one of several answers; a held call has a yes and a no instead. */
  get #choosing(): Choosing | undefined {
    return this.card.actions.find((action): action is Choosing => action.input.kind === "option");
  }

  async #answer(answer: string, event?: Event): Promise<void> {
    const choosing = this.#choosing;
    const cardId = this.card.id;
    const isDone = choosing !== undefined && (await this.act(choosing, answer, event));
    if (isDone) keptWords.write(this.session.id, { cardId, text: "" });
  }

  #write(open: boolean): Promise<void> {
    return this.writing(open, "#other");
  }

  #send(): void {
    const answer = this.#text?.value.trim() ?? "";
    if (answer === "") this.#text?.focus();
    else void this.#answer(answer);
  }

  readonly #typed = writingKeys({ send: () => this.#send(), leave: () => void this.#write(false) });

  protected override render(): TemplateResult {
    const { card } = this;
    const { deadline, sinceMs } = card;
    const about = { name: visibly(this.session.agentId), when: sayWhen(sinceMs, clock.get()) };
    const isCall = card.kind === "grant";
    return html`
      <section class="card" aria-labelledby="kicker heading">
        <div class="kicker">
          <span id="kicker">${icon(isCall ? "tool" : "agent", 16)}${headingText(card)}</span>
          ${this.timeLeft(deadline, "cards.timeToAnswer")}
        </div>
        ${isCall ? this.#held(card) : html`<h2 id="heading" tabindex="-1">${inlineText(card.question)}</h2>`}
        <p class="meta"><span>${isCall ? t("cards.calledBy", about) : t("cards.askedBy", about)}</span></p>
        ${this.warnings()} ${this.state("cards.offlineQuestion")}
        <div class="options" role="group" aria-label=${t("cards.options")}>
          ${card.actions.filter(({ input }) => input.kind === "none").map((action) => this.#click(action))}
          ${this.#choosing?.input.options.map((option) => this.#option(option))}
        </div>
        <div class="actions ${this.isResting ? "resting" : ""}" role="group" aria-label=${t("cards.actions")}>
          ${this.#others()}
        </div>
        ${this.isWriting ? this.#free() : nothing}
      </section>
    `;
  }

  /** Where the server itself asks: which tool, where, and every argument, as it would run. */
  #held({ call, why }: GrantCard): TemplateResult {
    const { tool, folder, shown } = call;
    return html`
      <h2 id="heading" tabindex="-1"><code>${visibly(tool)}</code></h2>
      <dl>
        <dt>${t("cards.folder")}</dt>
        <dd><code>${visibly(folder)}</code></dd>
        <dt>${t("cards.why")}</dt>
        <dd>${cardText(why)}</dd>
      </dl>
      <pre class="small" tabindex="0" aria-label=${t("cards.call")}>${visibly(shown)}</pre>
    `;
  }

  /** The server's own answers, in the person's language. */
  #click(action: CardAction): TemplateResult {
    return html`
      <button
        class="button option"
        ?disabled=${!this.can(action)}
        @click=${(event: Event) => this.act(action, undefined, event)}
      >
        <span>${this.labelOf(action)}</span>
        ${action.hint === undefined ? nothing : html`<span class="hint">${cardText(action.hint)}</span>`}
      </button>
    `;
  }

  /** An agent's answers, as they came. */
  #option({ id, label, description }: CardOption): TemplateResult {
    return html`
      <button class="button option" ?disabled=${!this.isReady} @click=${(event: Event) => this.#answer(id, event)}>
        <span>${visibly(label)}</span>
        ${description === undefined ? nothing : html`<span class="hint">${visibly(description)}</span>`}
      </button>
    `;
  }

  #others(): TemplateResult {
    const isResting = !this.isReady;
    return html`
      ${
        this.#choosing?.input.freeText === undefined
          ? nothing
          : html`<button
              class="button"
              id="other"
              aria-expanded=${this.isWriting}
              ?disabled=${isResting}
              @click=${() => this.#write(!this.isWriting)}
            >
              ${t("cards.other")}
            </button>`
      }
      ${this.card.actions.filter(({ input }) => input.kind === "text").map((action) => this.#leaving(action))}
    `;
  }

  /** Not answering, without a word of why. */
  #leaving(action: CardAction): TemplateResult {
    return html`<button
      class="button bare"
      title=${action.hint === undefined ? nothing : cardText(action.hint)}
      ?disabled=${!this.can(action)}
      @click=${(event: Event) => this.act(action, undefined, event)}
    >
      ${this.labelOf(action)}
    </button>`;
  }

  #free(): TemplateResult | typeof nothing {
    const choosing = this.#choosing;
    const free = choosing?.input.freeText;
    if (choosing === undefined || free === undefined) return nothing;
    return html`
      <form
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          this.#send();
        }}
      >
        <label class="field">
          <span>${cardText(free.label)}</span>
          <textarea
            class="input"
            maxlength=${free.charsMax}
            .value=${keptWords.read(this.session.id, this.card.id)}
            @input=${() => keptWords.write(this.session.id, { cardId: this.card.id, text: this.#text?.value ?? "" })}
            @keydown=${this.#typed}
          ></textarea>
        </label>
        <div><button class="button primary" ?disabled=${!this.isReady}>${this.labelOf(choosing)}</button></div>
      </form>
    `;
  }
}

customElements.define("hp-question-card", HpQuestionCard);
