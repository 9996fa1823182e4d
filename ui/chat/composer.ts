/** The field for messages. What is typed survives switching sessions, reloading, and an unreachable gateway. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { ResultOf } from "../../src/all-methods.ts";
import { AppElement } from "../app/app-element.ts";
import { titleFrom } from "../app/session/session-title.ts";
import { t } from "../i18n/t.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { describedAs, localizedText } from "../localized/localized-text.ts";
import "../slots/slot.ts";
import { isOnline } from "../state/connection.ts";
import type { Decision } from "../state/decide.ts";
import { cardsOf } from "../cards/waiting-card.ts";
import { base } from "../theme/base.ts";
import { asides } from "./asides.ts";
import { HpAttach } from "./attachments/attach.ts";
import { composerLook } from "./composer-look.ts";
import { type Completing, completingAfter, NOT_COMPLETING } from "./completing.ts";
import { drafts } from "./drafts.ts";
import { typedAccept } from "./typed-accept.ts";
import { visibly } from "../text/visibly.ts";

const MESSAGE_CHARS_MAX = 65_536;

type Reply = Extract<ResultOf<"chat.send">, { kind: "command" }>;
type LocalizedLine = { sessionId: SessionId; text: string; attachments?: { name: string; bytes: string }[] };

export class Composer extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    isSending: { state: true },
    completing: { state: true },
    overChars: { state: true },
  };
  static override styles = [base, buttons, fields, composerLook];

  declare sessionId: SessionId;
  declare isSending: boolean;
  /** Completions of a line that begins with a slash. */
  declare completing: Completing;
  /** By how much the text is too long. It is kept whole: the person decides what to cut. */
  declare overChars: number;
  #asked = 0;

  constructor() {
    super();
    this.isSending = false;
    this.completing = NOT_COMPLETING;
    this.overChars = 0;
  }

  protected override reads() {
    return [this.app.state.connection, this.app.state.open];
  }

  takeFocus(): void {
    this.#field?.focus();
  }

  /** Whether somebody is in the middle of a sentence: then nothing takes the field away. */
  get isInUse(): boolean {
    return this.matches(":focus-within") && (this.#field?.value.trim() ?? "") !== "";
  }

  get #attached(): HpAttach | undefined {
    const found = this.renderRoot.querySelector("hp-attach");
    return found instanceof HpAttach ? found : undefined;
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("sessionId")) this.#fill();
    if (this.completing.status === "open") {
      this.renderRoot.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    }
  }

  #fill(): void {
    if (this.#field === null) return;
    this.#field.value = drafts.read(this.sessionId);
    this.#measure();
  }

  /** Something was put into the draft from outside: it is shown, and the person goes on from there. */
  readDraft(): void {
    this.#fill();
    this.takeFocus();
    emit(this, "hp-typed");
  }

  #measure(): void {
    this.overChars = Math.max(0, (this.#field?.value.trim().length ?? 0) - MESSAGE_CHARS_MAX);
  }

  #typed(): void {
    const text = this.#field?.value ?? "";
    drafts.write(this.sessionId, text);
    this.#measure();
    emit(this, "hp-typed");
    void this.#complete(text);
  }

  async #complete(text: string): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const isCommand = text.startsWith("/") && !text.includes("\n") && text.length <= 500;
    if (!isCommand || !isOnline(this.app.state.connection.get())) return void (this.completing = NOT_COMPLETING);
    try {
      const { completions } = await this.app.call("commands.complete", { text });
      if (mine === this.#asked) this.completing = completingAfter(text, completions);
    } catch {
      this.completing = NOT_COMPLETING; // completions are optional
    }
  }

  #closeList(): void {
    this.#asked += 1;
    this.completing = NOT_COMPLETING;
  }

  #take(text: string): void {
    const field = this.#field;
    if (field === null) return;
    field.value = `${text} `;
    field.focus();
    this.#typed();
  }

  /** The message to send, if it may be sent now. */
  #said(): LocalizedLine | undefined {
    const text = this.#field?.value.trim() ?? "";
    const files = this.#attached?.files() ?? [];
    const isEmpty = text === "" && files.length === 0;
    const isAway = !isOnline(this.app.state.connection.get());
    return isEmpty || isAway || this.isSending || this.overChars > 0
      ? undefined
      : { sessionId: this.sessionId, text, ...(files.length === 0 ? {} : { attachments: files }) };
  }

  async #send(): Promise<void> {
    const said = this.#said();
    if (said === undefined) return;
    this.#closeList();
    this.isSending = true;
    const decision = this.#decisionIn(said);
    const sent = await this.app.attempt(async () =>
      decision === undefined
        ? this.app.call("chat.send", said)
        : { kind: "decision" as const, decided: await this.app.state.decide.decide(said.sessionId, decision) },
    );
    this.isSending = false;
    if (sent === undefined) return; // the text stays in the field
    this.#clear(said);
    const { sessionId, text, attachments = [] } = said;
    if (sent.kind === "command") this.#tellReply(sessionId, text, sent);
    emit(this, "hp-sent");
    if (sent.kind === "decision") return; // the card shows what came of it
    await this.#nameAfter(text === "" ? (attachments[0]?.name ?? "") : text);
  }

  #decisionIn({ sessionId, text, attachments }: LocalizedLine): Decision | undefined {
    const open = this.app.state.open.get();
    if (attachments !== undefined) return undefined; // with a file it is a message
    return open.status === "ready" && open.id === sessionId ? typedAccept(text, cardsOf(open.session)) : undefined;
  }

  /** Clears what was sent; what was typed meanwhile, or into another session, stays. */
  #clear({ sessionId, text }: LocalizedLine): void {
    this.#attached?.clear(sessionId);
    if (drafts.read(sessionId).trim() === text) drafts.write(sessionId, "");
    const field = this.#field;
    if (field !== null && this.sessionId === sessionId && field.value.trim() === text) field.value = "";
  }

  #tellReply(sessionId: SessionId, command: string, { message, said = [] }: Reply): void {
    const open = this.app.state.open.get();
    const afterN = open.status === "ready" && open.id === sessionId ? (open.items.at(-1)?.n ?? 0) : 0;
    asides.add(sessionId, { command, text: message, said, atMs: Date.now(), afterN });
  }

  async #nameAfter(text: string): Promise<void> {
    const open = this.app.state.open.get();
    if (open.status !== "ready" || open.session.title !== "" || text.startsWith("/")) return;
    await this.app.attempt(() => this.app.call("sessions.patch", { sessionId: open.id, title: titleFrom(text) }));
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (this.completing.status === "open" && this.#movedInList(event.key)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void this.#send();
    }
  }

  /** Whether the key was for the list of completions. */
  #movedInList(key: string): boolean {
    const { completing } = this;
    if (completing.status !== "open") return false;
    const { items, at } = completing;
    const chosen = items[at]?.text ?? "";
    const isWhole = chosen === this.#field?.value.trim();
    switch (key) {
      case "ArrowDown":
      case "ArrowUp":
        this.completing = { ...completing, at: (at + (key === "ArrowDown" ? 1 : items.length - 1)) % items.length };
        return true;
      case "Escape":
        this.#closeList();
        return true;
      case "Tab":
      case "Enter":
        if (key === "Enter" && isWhole) return false; // nothing to complete: it is sent
        this.#take(chosen);
        return true;
      default:
        return false;
    }
  }

  protected override render(): TemplateResult {
    const online = isOnline(this.app.state.connection.get());
    const { completing } = this;
    const isListed = completing.status === "open";
    return html`
      ${this.#fromPlugins()} ${this.#list()}
      <form
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          void this.#send();
        }}
      >
        <hp-attach .app=${this.app} .sessionId=${this.sessionId}></hp-attach>
        <textarea
          class="input"
          rows="1"
          aria-label=${t("chat.message")}
          aria-autocomplete="list"
          aria-controls=${isListed ? "completions" : nothing}
          aria-activedescendant=${isListed ? `completion-${completing.at}` : nothing}
          placeholder=${t("chat.placeholder")}
          @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
          @input=${() => this.#typed()}
          @blur=${() => this.#closeList()}
        ></textarea>
        <button
          class="button primary square"
          aria-label=${t("chat.send")}
          ?disabled=${!online || this.isSending || this.overChars > 0}
        >
          ${icon("send")}
        </button>
      </form>
      <div role="status">
        ${online ? nothing : html`<p class="small quiet">${t("chat.offline")}</p>`}
        ${this.overChars === 0 ? nothing : html`<p class="small problem">${t("chat.tooLong", { count: this.overChars })}</p>`}
      </div>
    `;
  }

  #fromPlugins(): TemplateResult | typeof nothing {
    const open = this.app.state.open.get();
    if (open.status !== "ready" || open.id !== this.sessionId) return nothing;
    return html`<hp-slot name="composer" .app=${this.app} .session=${open.session}></hp-slot>`;
  }

  #list(): TemplateResult {
    const { completing } = this;
    const items = completing.status === "open" ? completing.items : [];
    return html`
      <div class="unseen" role="status">
        ${items.length === 0 ? nothing : t("chat.completions", { count: items.length })}
      </div>
      <ul id="completions" role="listbox" aria-label=${t("chat.commands")} ?hidden=${items.length === 0}>
        ${items.map(
          ({ text, description, said }, index) => html`
            <li
              id="completion-${index}"
              role="option"
              aria-selected=${completing.status === "open" && completing.at === index}
              @pointerdown=${(event: Event) => {
                event.preventDefault(); // the field keeps the keyboard
                this.#take(text);
              }}
            >
              <code>${visibly(text)}</code
              ><span class="quiet clip">${describedAs(localizedText(description, said))}</span>
            </li>
          `,
        )}
      </ul>
    `;
  }
}

customElements.define("hp-composer", Composer);
