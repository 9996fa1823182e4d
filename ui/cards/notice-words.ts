/** What a person may write on a notice, such as a plan for an agent that hands none over. */
import { html, nothing, type TemplateResult } from "lit";
import type { CardAction, NoticeCard } from "../../src/protocol/card/card.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { base } from "../theme/base.ts";
import { cardText } from "./card-text.ts";
import { DecisionCard } from "./decision-card.ts";
import { keptWords } from "./kept-words.ts";

type WordsAction = CardAction & { input: Extract<CardAction["input"], { kind: "text" }> };

export const takesWords = (action: CardAction): action is WordsAction => action.input.kind === "text";

export class HpNoticeWords extends DecisionCard<NoticeCard> {
  static override styles = [base, buttons, fields];

  get #text(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  async #send(action: WordsAction): Promise<void> {
    const text = this.#text?.value.trim() ?? "";
    if (text.length < action.input.charsMin) return this.#text?.focus();
    if (await this.act(action, text)) keptWords.write(this.session.id, { cardId: this.card.id, text: "" });
  }

  protected override render(): TemplateResult {
    const action = this.card.actions.find(takesWords);
    if (action === undefined) return html``;
    return html`
      <button
        class="button small"
        id="write"
        aria-expanded=${this.isWriting}
        ?disabled=${!this.can(action)}
        @click=${() => this.writing(!this.isWriting, "#write")}
      >
        ${this.labelOf(action)}
      </button>
      ${this.isWriting ? this.#form(action) : nothing} ${this.state("cards.offline")}
    `;
  }

  /** Enter makes a new line: a plan has several. */
  #form(action: WordsAction): TemplateResult {
    const { id } = this.card;
    return html`<form
      class="stack"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.#send(action);
      }}
    >
      <label class="field">
        <span>${cardText(action.input.label)}</span>
        <textarea
          class="input"
          rows="6"
          maxlength=${action.input.charsMax}
          .value=${keptWords.read(this.session.id, id)}
          @input=${() => keptWords.write(this.session.id, { cardId: id, text: this.#text?.value ?? "" })}
        ></textarea>
      </label>
      <div class="row">
        <button class="button bare" type="button" @click=${() => this.writing(false, "#write")}>
          ${t("app.cancel")}
        </button>
        <button class="button primary" ?disabled=${!this.can(action)}>${this.labelOf(action)}</button>
      </div>
    </form>`;
  }
}

customElements.define("hp-notice-words", HpNoticeWords);
