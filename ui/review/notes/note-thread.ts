/** `<hp-note-thread .note=${…}>`: one note with its answers, where it stands in the plan. */
import { html, nothing, type TemplateResult } from "lit";
import type { By } from "../../../src/protocol/actor.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { Note, PlanNote } from "../../../src/plan-mode/protocol/review.ts";
import { approvalIn } from "../../../src/protocol/card/card.ts";
import { AppElement } from "../../app/app-element.ts";
import { cardsOf } from "../../cards/waiting-card.ts";
import { sayDate, sayWhen } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { avatar, avatars } from "../../parts/avatar.ts";
import { clock } from "../../parts/clock.ts";
import { emit } from "../../parts/emit.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { writingKeys } from "../../parts/writing-keys.ts";
import { marks } from "../../parts/look/marks.ts";
import { isOnline } from "../../state/connection.ts";
import { inlineText } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import { forgetDraft, isJustSent, readDraft, replyKey, writeDraft } from "./note-drafts.ts";
import { NOTE_CHARS_MAX } from "./note-form.ts";
import { noteLook } from "./note-look.ts";

class NoteThread extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    note: { attribute: false },
    mayAct: { type: Boolean },
    isOpen: { state: true },
    isReplying: { state: true },
    isBusy: { state: true },
  };
  static override styles = [base, buttons, fields, marks, avatars, noteLook];

  declare sessionId: SessionId;
  declare note: Note;
  /** Whether it can be answered and resolved: it is about the plan that lies before people. */
  declare mayAct: boolean;
  /** A resolved one is folded until somebody looks. */
  declare isOpen: boolean;
  declare isReplying: boolean;
  declare isBusy: boolean;

  constructor() {
    super();
    this.mayAct = false;
    this.isOpen = false;
    this.isReplying = false;
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    if (isJustSent(this.note.text)) this.scrollIntoView({ block: "nearest" });
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override willUpdate(): void {
    this.id = `note-${this.note.n}`;
    this.setAttribute("kind", this.note.kind);
    this.toggleAttribute("resolved", this.note.resolved !== null);
  }

  get #draftKey(): string {
    return replyKey(this.sessionId, this.note.id);
  }

  #keep(text: string): void {
    const open = this.app.state.open.get();
    const approvalId = open.status === "ready" ? (approvalIn(cardsOf(open.session))?.id ?? "") : "";
    writeDraft({ key: this.#draftKey, kind: "comment", approvalId, text });
  }

  async #do(planNote: PlanNote): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    const { sessionId } = this;
    const done = await this.app.attempt(() =>
      this.app.call("sessions.patch", { sessionId, planNote, withoutSession: true }),
    );
    this.isBusy = false;
    return done !== undefined;
  }

  async #reply(): Promise<void> {
    const field = this.renderRoot.querySelector("textarea");
    const text = field?.value.trim() ?? "";
    if (text === "") return field?.focus();
    if (!(await this.#do({ action: "reply", noteId: this.note.id, text }))) return;
    forgetDraft(this.#draftKey);
    await this.#openReply(false);
  }

  async #openReply(open: boolean): Promise<void> {
    this.isReplying = open;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(open ? "textarea" : "#reply")?.focus();
  }

  readonly #pressed = writingKeys({ send: () => void this.#reply(), leave: () => void this.#openReply(false) });

  protected override render(): TemplateResult {
    const { note } = this;
    const isFolded = note.resolved !== null && !this.isOpen;
    return html`
      <article class="body" aria-label=${t("review.noteLabel", { number: note.n })}>
        ${this.#head()} ${isFolded ? nothing : this.#whole()}
      </article>
    `;
  }

  #head(): TemplateResult {
    const { n, kind, revision, by, atMs, resolved, standing, addressedIn } = this.note;
    return html`<div class="head">
      ${avatar(by.name)}
      <span class="name">${nameOf(by)}</span>
      <span class="quiet" title=${sayDate(atMs)}>${sayWhen(atMs, clock.get())}</span>
      <span class="chip ${kind === "question" ? "waiting" : kind === "change" ? "accent" : ""}"
        >${t(`review.kind_${kind}`)}</span
      >
      <span class="quiet" title=${t("review.noteMarkHint", { revision })}
        >${t("review.noteMark", { number: n, revision })}</span
      >
      ${standing === "exact" || resolved !== null ? nothing : html`<span class="chip">${t(`review.standing_${standing}`)}</span>`}
      ${
        addressedIn === undefined
          ? nothing
          : html`<button class="chip good" @click=${() => emit(this, "hp-see-change", this.note)}>
              ${t("review.answeredIn", { revision: addressedIn })}
            </button>`
      }
      ${
        resolved === null
          ? nothing
          : html`<span class="chip good">${t("review.resolvedBy", { name: nameOf(resolved.by) })}</span>
              <button class="button bare" aria-expanded=${this.isOpen} @click=${() => (this.isOpen = !this.isOpen)}>
                ${this.isOpen ? t("review.fold") : t("review.unfold")}
              </button>`
      }
    </div>`;
  }

  #whole(): TemplateResult {
    const { anchor, text, replies } = this.note;
    const quote = anchor.on === "plan" ? undefined : anchor.quote;
    return html`
      ${quote === undefined ? nothing : html`<blockquote>${visibly(quote.exact)}</blockquote>`}
      ${
        anchor.on === "step" && this.note.standing === "orphaned" && quote === undefined
          ? html`<blockquote>${visibly(anchor.text)}</blockquote>`
          : nothing
      }
      <p class="words">${inlineText(text)}</p>
      ${replies.map(
        ({ by, atMs, text: said }) =>
          html`<div class="reply">
            <div class="head">
              ${avatar(by.name)} <span class="name">${nameOf(by)}</span>
              <span class="quiet" title=${sayDate(atMs)}>${sayWhen(atMs, clock.get())}</span>
            </div>
            <p class="words">${inlineText(said)}</p>
          </div>`,
      )}
      ${this.mayAct ? this.#actions() : nothing}
    `;
  }

  #actions(): TemplateResult {
    const { id, resolved } = this.note;
    const isOff = this.isBusy || !isOnline(this.app.state.connection.get());
    if (this.isReplying) {
      return html`<form
        class="reply"
        @keydown=${this.#pressed}
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.#reply();
        }}
      >
        <textarea
          class="input"
          rows="2"
          aria-label=${t("review.reply")}
          maxlength=${NOTE_CHARS_MAX}
          .value=${readDraft(this.#draftKey).text}
          @input=${({ target }: InputEvent) => this.#keep(target instanceof HTMLTextAreaElement ? target.value : "")}
        ></textarea>
        <div class="actions">
          <button class="button bare" type="button" @click=${() => this.#openReply(false)}>${t("app.cancel")}</button>
          <button class="button primary" ?disabled=${isOff}>${t("review.sendReply")}</button>
        </div>
      </form>`;
    }
    const settle = resolved === null ? "resolve" : "reopen";
    return html`<div class="actions">
      <button class="button bare" id="reply" ?disabled=${isOff} @click=${() => this.#openReply(true)}>
        ${t("review.reply")}
      </button>
      <button class="button" ?disabled=${isOff} @click=${() => this.#do({ action: settle, noteId: id })}>
        ${t(`review.${settle}`)}
      </button>
    </div>`;
  }
}

const nameOf = ({ name }: By): string => visibly(name);

customElements.define("hp-note-thread", NoteThread);
