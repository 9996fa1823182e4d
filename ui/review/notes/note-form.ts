/**
 * `<hp-note-form .target=${…}>`: where a note is written. Ctrl+Enter sends, Escape closes; what was typed stays for this
 * place until it is sent. Emits `hp-note-closed` when it is done.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ApprovalId, SessionId } from "../../../src/protocol/ids.ts";
import type { NoteKind, NoteTarget } from "../../../src/plan-mode/protocol/review.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { writingKeys } from "../../parts/writing-keys.ts";
import { isOnline } from "../../state/connection.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import { draftKey, forgetDraft, noteSent, readDraft, writeDraft } from "./note-drafts.ts";
import { noteLook } from "./note-look.ts";

export const NOTE_CHARS_MAX = 4_000;
const KINDS: readonly NoteKind[] = ["change", "question", "comment"];

class NoteForm extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    approvalId: { attribute: false },
    target: { attribute: false },
    kind: { reflect: true },
    isSending: { state: true },
  };
  static override styles = [base, buttons, fields, noteLook];

  declare sessionId: SessionId;
  declare approvalId: ApprovalId;
  declare target: NoteTarget;
  declare kind: NoteKind;
  declare isSending: boolean;
  #key = "";

  constructor() {
    super();
    this.kind = "change";
    this.isSending = false;
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("target")) return;
    this.#key = draftKey(this.sessionId, this.target);
    this.kind = readDraft(this.#key).kind;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const field = this.#field;
    if (!changed.has("target") || field === null) return;
    field.value = readDraft(this.#key).text;
    field.focus();
    this.scrollIntoView({ block: "nearest" });
  }

  #keep(): void {
    const { kind, approvalId, target } = this;
    writeDraft({ key: this.#key, kind, approvalId, target, text: this.#field?.value ?? "" });
  }

  #choose(kind: NoteKind): void {
    this.kind = kind;
    this.#keep();
  }

  readonly #pressed = writingKeys({ send: () => void this.#send(), leave: () => emit(this, "hp-note-closed") });

  async #send(): Promise<void> {
    const text = this.#field?.value.trim() ?? "";
    const { sessionId, approvalId, kind, target: anchor } = this;
    if (text === "" || this.isSending || !isOnline(this.app.state.connection.get())) return this.#field?.focus();
    this.isSending = true;
    noteSent(text);
    const planNote = { action: "add" as const, approvalId, kind, anchor, text };
    const sent = await this.app.attempt(() =>
      this.app.call("sessions.patch", { sessionId, planNote, withoutSession: true }),
    );
    this.isSending = false;
    if (sent === undefined) return;
    forgetDraft(this.#key);
    emit(this, "hp-note-closed");
  }

  protected override render(): TemplateResult {
    const online = isOnline(this.app.state.connection.get());
    const quote = "quote" in this.target ? this.target.quote : undefined;
    return html`
      <form
        class="body"
        aria-label=${t("review.newNote")}
        @keydown=${this.#pressed}
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.#send();
        }}
      >
        ${quote === undefined ? nothing : html`<blockquote>${visibly(quote.exact)}</blockquote>`}
        <fieldset class="kinds">
          <legend class="unseen">${t("review.noteKind")}</legend>
          ${KINDS.map(
            (kind) =>
              html`<label>
                <input type="radio" name="kind" .checked=${kind === this.kind} @change=${() => this.#choose(kind)} />
                ${t(`review.kind_${kind}`)}
              </label>`,
          )}
        </fieldset>
        <textarea
          class="input"
          rows="2"
          aria-label=${t("review.noteText")}
          placeholder=${t(`review.placeholder_${this.kind}`)}
          maxlength=${NOTE_CHARS_MAX}
          @input=${() => this.#keep()}
        ></textarea>
        <div class="actions">
          ${online ? nothing : html`<span class="small quiet grow">${t("review.offline")}</span>`}
          <button class="button bare" type="button" @click=${() => emit(this, "hp-note-closed")}>
            ${t("app.cancel")}
          </button>
          <button class="button primary" ?disabled=${!online || this.isSending}>${t("review.addNote")}</button>
        </div>
      </form>
    `;
  }
}

customElements.define("hp-note-form", NoteForm);
