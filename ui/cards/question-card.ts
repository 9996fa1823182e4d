/** A question of the agent, or of the gateway about one call that a gate holds. The same shell as a plan's card. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { HeldCall, QuestionOption } from "../../src/plan-mode/protocol/state.ts";
import { drafts } from "../chat/drafts.ts";
import { sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { callShownIn, type QuestionCard } from "./card-of.ts";
import { cardLook } from "./card-look.ts";
import { DecisionCard } from "./decision-card.ts";

const ANSWER_CHARS_MAX = 8_192;
const GATES = {
  plan: "cards.gate_plan",
  "accept-edits": "cards.gate_accept_edits",
  permission: "cards.gate_permission",
} as const;

export class HpQuestionCard extends DecisionCard<QuestionCard> {
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

  get #draftKey(): string {
    return `answer.${this.card.id}`;
  }

  get #text(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  async #answer(answer: string, event?: Event): Promise<void> {
    const { id, question } = this.card;
    const key = this.#draftKey;
    const { questionId } = question;
    const isDone = await this.decide({ action: "answer", approvalId: id, questionId, answer }, event);
    if (isDone) drafts.write(key, "");
  }

  #leave(action: "decline" | "defer", event: Event): void {
    const { id, question } = this.card;
    void this.decide({ action, approvalId: id, questionId: question.questionId }, event);
  }

  #write(open: boolean): Promise<void> {
    return this.writing(open, "#other");
  }

  #send(): void {
    const answer = this.#text?.value.trim() ?? "";
    if (answer === "") this.#text?.focus();
    else void this.#answer(answer);
  }

  #typed(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      void this.#write(false);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      event.preventDefault();
      this.#send();
    }
  }

  protected override render(): TemplateResult {
    const { question } = this.card;
    const { call, askedAtMs, deadlineAtMs, reading } = question;
    const about = { name: visibly(this.session.agentId), when: sayWhen(askedAtMs, clock.get()) };
    return html`
      <section class="card" aria-labelledby="kicker heading">
        <div class="kicker">
          <span id="kicker"
            >${icon(call === undefined ? "agent" : "tool", 16)}${t(call === undefined ? "cards.questionWaits" : "cards.callWaits")}</span
          >
          ${this.timeLeft({ deadlineAtMs, reading }, "cards.timeToAnswer")}
        </div>
        ${call === undefined ? html`<h2 id="heading" tabindex="-1">${visibly(question.question)}</h2>` : this.#held(call)}
        <p class="meta">
          <span>${call === undefined ? t("cards.askedBy", about) : t("cards.calledBy", about)}</span>
        </p>
        ${this.state("cards.offlineQuestion")}
        <div class="options" role="group" aria-label=${t("cards.options")}>
          ${question.options.map((option) => this.#option(option))}
        </div>
        <div class="actions ${this.isResting ? "resting" : ""}" role="group" aria-label=${t("cards.actions")}>
          ${this.#others()}
        </div>
        ${this.isWriting && question.allowFreetext ? this.#free() : nothing}
      </section>
    `;
  }

  /** Where the server itself asks: which tool, where, and every argument, as it would run. */
  #held({ tool, folder, gate, rule, matched }: HeldCall): TemplateResult {
    const { question } = this.card.question;
    const shown = callShownIn(question);
    return html`
      <h2 id="heading" tabindex="-1"><code>${visibly(tool)}</code></h2>
      <dl>
        <dt>${t("cards.folder")}</dt>
        <dd><code>${visibly(folder)}</code></dd>
        <dt>${t("cards.why")}</dt>
        <dd>
          ${t(GATES[gate])}
          <span class="quiet">${t("chat.rule", { rule: visibly(rule), matched: visibly(matched) })}</span>
        </dd>
      </dl>
      <pre class="small" tabindex="0" aria-label=${t("cards.call")}>${visibly(shown ?? question)}</pre>
    `;
  }

  #option(option: QuestionOption): TemplateResult {
    const { label, description } = this.#worded(option);
    return html`
      <button
        class="button option"
        ?disabled=${!this.isReady}
        @click=${(event: Event) => this.#answer(option.id, event)}
      >
        <span>${label}</span>
        ${description === undefined ? nothing : html`<span class="hint">${description}</span>`}
      </button>
    `;
  }

  /** The server's own options in the person's language; an agent's as they came. */
  #worded({ id, label, description }: QuestionOption): { label: string; description: string | undefined } {
    if (this.card.question.call !== undefined) {
      if (id === "allow-once") return { label: t("cards.allowOnce"), description: t("cards.allowOnceHint") };
      if (id === "deny") return { label: t("cards.deny"), description: t("cards.denyHint") };
    }
    return { label: visibly(label), description: description === undefined ? undefined : visibly(description) };
  }

  #others(): TemplateResult {
    const isResting = !this.isReady;
    return html`
      ${
        this.card.question.allowFreetext
          ? html`<button
              class="button"
              id="other"
              aria-expanded=${this.isWriting}
              ?disabled=${isResting}
              @click=${() => this.#write(!this.isWriting)}
            >
              ${t("cards.other")}
            </button>`
          : nothing
      }
      <button
        class="button bare"
        title=${t("cards.deferHint")}
        ?disabled=${isResting}
        @click=${(event: Event) => this.#leave("defer", event)}
      >
        ${t("cards.defer")}
      </button>
      <button
        class="button bare"
        title=${t("cards.declineHint")}
        ?disabled=${isResting}
        @click=${(event: Event) => this.#leave("decline", event)}
      >
        ${t("cards.decline")}
      </button>
    `;
  }

  #free(): TemplateResult {
    return html`
      <form
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          this.#send();
        }}
      >
        <label class="field">
          <span>${t("cards.otherLabel")}</span>
          <textarea
            class="input"
            maxlength=${ANSWER_CHARS_MAX}
            .value=${drafts.read(this.#draftKey)}
            @input=${() => drafts.write(this.#draftKey, this.#text?.value ?? "")}
            @keydown=${(event: KeyboardEvent) => this.#typed(event)}
          ></textarea>
        </label>
        <div><button class="button primary" ?disabled=${!this.isReady}>${t("cards.otherSend")}</button></div>
      </form>
    `;
  }
}

customElements.define("hp-question-card", HpQuestionCard);
