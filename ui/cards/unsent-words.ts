/**
 * `<hp-unsent-words>`: what a person had typed on a card that was decided meanwhile. It says what happened, shows the
 * words, and offers what can still be done with them; nothing is sent by itself.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Card, isWaiting } from "../../src/protocol/card/card.ts";
import { AppElement } from "../app/app-element.ts";
import { drafts } from "../chat/drafts.ts";
import { t } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { operatorOf } from "../state/connection.ts";
import type { ReadySession } from "../state/open-session.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { asSentence, personName, statusText } from "./card-text.ts";
import { keptWords, type KeptWords } from "./kept-words.ts";
import { forgetDraft, type KeptNote, noteDrafts } from "../review/notes/note-drafts.ts";
import { cardsOf } from "./waiting-card.ts";

export class HpUnsentWords extends AppElement {
  static override properties = { open: { attribute: false }, mayNote: { type: Boolean, attribute: "may-note" } };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
      }

      section {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-2);
        margin-block-end: var(--hp-2);
        padding: var(--hp-2) var(--hp-3);
        border: 1px solid var(--hp-waiting);
        border-radius: var(--hp-round);
        background: var(--hp-waiting-soft);
        font-size: var(--hp-size-small);
      }

      blockquote {
        max-block-size: 8rem;
        margin: 0;
        padding-inline-start: var(--hp-2);
        overflow: auto;
        border-inline-start: 3px solid var(--hp-waiting);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }

      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-1);
      }
    `,
  ];

  declare open: ReadySession;
  /** Whether notes are written where this stands. */
  declare mayNote: boolean;

  constructor() {
    super();
    this.mayNote = false;
  }

  protected override reads() {
    return [keptWords, noteDrafts, this.app.state.connection];
  }

  /** The card that waits now: what was written may be meant for it too. */
  get #next(): Card | undefined {
    return cardsOf(this.open.session).find((card) => card.kind === "approval" && isWaiting(card));
  }

  protected override render(): TemplateResult {
    const waiting = new Set(
      cardsOf(this.open.session)
        .filter((card) => isWaiting(card) || card.kind === "notice") // one that is shown has its own field
        .map(({ id }) => id),
    );
    const left = keptWords.all(this.open.id).filter(({ cardId }) => !waiting.has(cardId));
    // always there, so that a screen reader announces what comes into it
    return html`<div role="status">
      ${repeat(
        left,
        ({ cardId }) => cardId,
        (words) => this.#words(words),
      )}
      ${repeat(
        noteDrafts.left(this.open.id, this.#next?.id),
        ({ key }) => key,
        (note) => this.#note(note),
      )}
    </div>`;
  }

  /** What became of the card that something was written under. */
  #happened(cardId: string): string {
    const { open } = this;
    const card = cardsOf(open.session).find(({ id }) => id === cardId) ?? open.closed.get(cardId);
    if (card === undefined) return t("cards.closedElsewhere");
    const operator = operatorOf(this.app.state.connection.get());
    const by = card.state === "superseded" ? card.outcome?.by : undefined; // who sent it back outlives the next revision
    const said = by === undefined ? "" : t("cards.sentBackBy", { name: personName(by, operator) });
    return [said, statusText(card, operator)]
      .filter((text) => text !== "")
      .map(asSentence)
      .join(" ");
  }

  /** A note on a plan that cannot take it any more; where a newer revision waits, it may be meant for that too. */
  #note({ key, approvalId, text, target }: KeptNote): TemplateResult {
    const isUsable = this.mayNote && target !== undefined && this.#next !== undefined;
    return html`<section aria-label=${t("cards.unsentNote")}>
      <p><strong>${this.#happened(approvalId)}</strong> ${t("cards.unsentNote")}</p>
      <blockquote tabindex="0">${visibly(text)}</blockquote>
      <div class="actions">
        ${
          isUsable
            ? html`<button class="button small" @click=${() => emit(this, "hp-write-note", target)}>
                ${t("cards.unsentUse")}
              </button>`
            : nothing
        }
        ${this.#messageAndDiscard(text, () => forgetDraft(key))}
      </div>
    </section>`;
  }

  #messageAndDiscard(text: string, forget: () => void): TemplateResult {
    return html`<button class="button small" @click=${() => this.#toMessage(text, forget)}>
        ${icon("send", 14)}${t("cards.unsentToMessage")}
      </button>
      <button class="button bare small" @click=${forget}>${t("cards.unsentDiscard")}</button>`;
  }

  #words(words: KeptWords): TemplateResult {
    return html`<section aria-label=${t("cards.unsent")}>
      <p><strong>${this.#happened(words.cardId)}</strong> ${t("cards.unsent")}</p>
      <blockquote tabindex="0">${visibly(words.text)}</blockquote>
      <div class="actions">
        ${
          this.#next === undefined
            ? nothing
            : html`<button class="button small" @click=${() => this.#use(words)}>${t("cards.unsentUse")}</button>`
        }
        ${this.#messageAndDiscard(words.text, () => this.#forget(words))}
      </div>
    </section>`;
  }

  #forget({ cardId }: KeptWords): void {
    keptWords.write(this.open.id, { cardId, text: "" });
  }

  #use(words: KeptWords): void {
    const next = this.#next;
    if (next === undefined) return;
    const typed = keptWords.read(this.open.id, next.id);
    keptWords.write(this.open.id, { cardId: next.id, text: joined(typed, words.text) });
    this.#forget(words);
    emit(this, "hp-write-words");
  }

  /** Into the field for messages, behind what stands there: the person reads it once more and sends it. */
  #toMessage(text: string, forget: () => void): void {
    drafts.write(this.open.id, joined(drafts.read(this.open.id), text));
    forget();
    emit(this, "hp-draft-put");
  }
}

const joined = (typed: string, text: string): string => (typed.trim() === "" ? text : `${typed}\n\n${text}`);

customElements.define("hp-unsent-words", HpUnsentWords);
