/** The plan that waits for a signature. Signing it is one deliberate act: see decision-card.ts for what keeps it so. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type ApprovalCard, type CardAction, shortDigest } from "../../src/protocol/card/card.ts";
import { sayList, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { clock } from "../parts/clock.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import "../parts/sheet.ts";
import { SEND_KEY, writingKeys } from "../parts/writing-keys.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import "../slots/slot.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { refusalProblem } from "../problems/problem-of.ts";
import type { Attempt } from "../state/decide.ts";
import { inlineText, lineOrBlock } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { acceptHint } from "./accept-hint.ts";
import { cardText, headingText } from "./card-text.ts";
import { blockersOf } from "./blockers-of.ts";
import { cardLook } from "./card-look.ts";
import { DecisionCard } from "./decision-card.ts";
import { keptWords } from "./kept-words.ts";
import { thumbLook } from "./thumb-look.ts";

type WordsAction = CardAction & { input: Extract<CardAction["input"], { kind: "text" }> };

const AGENTS_NAMED_MAX = 8;

export class HpApprovalCard extends DecisionCard<ApprovalCard> {
  static override properties = {
    isAgain: { type: Boolean, attribute: "again" },
    supersededBefore: { type: Boolean, attribute: "superseding" },
    showsSteps: { state: true },
  };
  static override styles = [base, buttons, fields, marks, cardLook, thumbLook];

  /** It was sent back; the person may still accept it. */
  declare isAgain: boolean;
  /** It took the place of the one that was shown here a moment ago. */
  declare supersededBefore: boolean;
  declare showsSteps: boolean;

  constructor() {
    super();
    this.isAgain = false;
    this.supersededBefore = false;
    this.showsSteps = false;
  }

  /** From outside, as by a key of the inbox. */
  openRevise(): void {
    void this.updateComplete.then(() => this.#write(true));
  }

  get #text(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  /** The action that takes words: sending it back. */
  get #words(): WordsAction | undefined {
    return this.card.actions.find((action): action is WordsAction => action.input.kind === "text");
  }

  #write(open: boolean): Promise<void> {
    return this.writing(open, "#revise");
  }

  async #sendBack(): Promise<void> {
    const words = this.#words;
    const feedback = this.#text?.value.trim() ?? "";
    if (words === undefined || feedback.length < words.input.charsMin) return this.#text?.focus();
    const cardId = this.card.id;
    const isDone = await this.act(words, feedback);
    if (isDone) keptWords.write(this.session.id, { cardId, text: "" });
  }

  /** Nothing typed in here accepts anything. */
  readonly #typed = writingKeys({ send: () => void this.#sendBack(), leave: () => void this.#write(false) });

  protected override render(): TemplateResult {
    const { title, deadline, revision } = this.card;
    return html`
      <section class="card" aria-labelledby="kicker heading">
        <div class="kicker">
          <span id="kicker">${icon("sign", 16)}${headingText(this.card)}</span>
          ${this.timeLeft(deadline, "cards.timeLeft")}
        </div>
        <h2 id="heading" tabindex="-1">${inlineText(title)}</h2>
        ${this.#about()} ${this.#steps()} ${this.#sections()}
        ${this.supersededBefore ? html`<p class="note" role="status">${t("cards.superseded", { number: revision ?? 1 })}</p>` : nothing}
        ${this.warnings()} ${this.#signers()} ${this.#blocked()} ${this.state("cards.offline")}
        ${this.isWriting ? this.#revise() : this.#choices()}
        <hp-slot name="approval-card" .app=${this.app} .session=${this.session}></hp-slot>
      </section>
    `;
  }

  #about(): TemplateResult {
    const { sinceMs, editedBy, steps, revision, digest, notesOpen, notesAnswered = 0 } = this.card;
    const when = sayWhen(sinceMs, clock.get());
    const who =
      editedBy === undefined
        ? t("cards.submittedBy", { name: visibly(this.session.agentId), when })
        : t("cards.editedBy", { name: this.nameOf(editedBy), when });
    return html`<p class="meta">
      ${steps.length === 0 ? nothing : html`<span>${t("chat.steps", { count: steps.length })}</span>`}
      ${revision === undefined ? nothing : html`<span>${t("cards.revision", { number: revision })}</span>`}
      <span>${who}</span>
      ${notesOpen === notesAnswered ? nothing : html`<span>${t("cards.openNotes", { count: notesOpen - notesAnswered })}</span>`}
      ${notesAnswered === 0 ? nothing : html`<span>${t("cards.answeredNotes", { count: notesAnswered })}</span>`}
      ${
        digest === undefined
          ? nothing
          : html`<span title=${t("cards.digestHint")}>${t("cards.digest", { digest: shortDigest(digest) })}</span>`
      }
    </p>`;
  }

  /** Drawn when they are asked for: there may be hundreds. */
  #steps(): TemplateResult | typeof nothing {
    if (this.card.steps.length === 0) return nothing;
    return html`<details
      class="steps"
      @toggle=${(event: Event) => (this.showsSteps = event.target instanceof HTMLDetailsElement && event.target.open)}
    >
      <summary>${t("cards.showSteps")}</summary>
      ${
        this.showsSteps
          ? html`<ol tabindex="0" aria-label=${t("chat.steps", { count: this.card.steps.length })}>
              ${this.card.steps.map(({ text }) => html`<li>${lineOrBlock(text)}</li>`)}
            </ol>`
          : nothing
      }
    </details>`;
  }

  /** What the card carries besides the steps, such as jobs that stay: whoever signs here reads it here. */
  #sections(): TemplateResult[] {
    return (this.card.sections ?? []).map(
      ({ heading, items = [] }) =>
        html`<div class="note calm">
          <strong>${cardText(heading)}</strong>
          <ul class="listed" tabindex="0" aria-label=${cardText(heading)}>
            ${items.map((item) => html`<li><span>${lineOrBlock(item)}</span></li>`)}
          </ul>
        </div>`,
    );
  }

  #signers(): TemplateResult | typeof nothing {
    const { signing } = this.card;
    if (signing === undefined || signing.quorum < 2) return nothing;
    const { signatures, quorum, missing } = signing;
    return html`<div class="note calm">
      <strong>${t("cards.signatures", { given: signatures.length, count: quorum })}</strong>
      <ul>
        ${signatures.map(
          ({ by, atMs }) =>
            html`<li>
              ${icon("check", 14)}<span
                >${t("cards.signedBy", { name: this.nameOf(by), when: sayWhen(atMs, clock.get()) })}</span
              >
            </li>`,
        )}
        <li>
          ${icon("waiting", 14)}<span
            >${
              missing.length === 0
                ? t("cards.anyone", { count: quorum - signatures.length })
                : t("cards.missingSigners", { names: sayList(missing.map(visibly)) })
            }</span
          >
        </li>
      </ul>
    </div>`;
  }

  /** Follows the session: a sub-agent that returns leaves the list, and the last one frees the buttons. */
  #blocked(): TemplateResult {
    const { blockedBy = [] } = this.card;
    const plan = this.app.router.href("plan", { sessionId: this.session.id });
    return html`<div role="status">
      ${blockersOf(this.card, this.operator).map(
        ({ code, text }) =>
          html`<div class="note ${code === "APPROVAL_ALREADY_SIGNED" ? "calm" : ""}">
            ${cardText(text)}
            ${code === "PLAN_APPROVAL_BLOCKED_BY_THREADS" ? html`<a href=${plan}>${t("cards.seeNotes")}</a>` : nothing}
            ${code === "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS" && blockedBy !== "unknown" ? this.#agents(blockedBy) : nothing}
          </div>`,
      )}
    </div>`;
  }

  #agents(agents: readonly { id: string; title: string }[]): TemplateResult {
    return html`<ul>
      ${repeat(
        agents.slice(0, AGENTS_NAMED_MAX),
        ({ id }) => id,
        ({ id, title }) =>
          html`<li>
            ${icon("agent", 14)}<a class="clip" href=${this.app.router.href("session", { sessionId: id })}
              >${title.trim() === "" ? t("app.untitled") : visibly(title)}</a
            >
          </li>`,
      )}
    </ul>`;
  }

  /** While words are written none of these is there: no button beside the text approves anything. */
  #choices(): TemplateResult {
    return html`<div
        class="actions decide ${this.isResting ? "resting" : ""}"
        role="group"
        aria-label=${t("cards.actions")}
      >
        ${this.#actions()}
      </div>
      ${acceptHint(this.card)}`;
  }

  /** The two that a plan usually gets: a signature, or words; on a phone everything else is in a sheet. */
  #actions(): TemplateResult {
    const { actions, planId } = this.card;
    const plan = this.app.router.href("plan", { sessionId: this.session.id });
    const [first, ...others] = actions.filter(({ input }) => input.kind === "none");
    return html`<span class="together">
        ${first === undefined ? nothing : this.#click(first, true)}
        ${this.#words === undefined ? nothing : this.#wordsButton(this.#words)}
      </span>
      <hp-sheet label=${t("cards.more")}>
        <span class="together">
          ${others.map((action) => this.#click(action, false))}
          ${actions.filter(({ input }) => input.kind === "steps").map((action) => this.#edit(action, plan))}
          ${planId === undefined ? nothing : html`<a class="button bare" href=${plan}>${t("chat.openPlan")}</a>`}
        </span>
      </hp-sheet>`;
  }

  #click(action: CardAction, isFirst: boolean): TemplateResult {
    return html`<button
      class="button ${isFirst && action.tone === "yes" ? "sign" : ""}"
      aria-describedby="accept-hint"
      ?disabled=${!this.can(action)}
      @click=${(event: Event) => this.act(action, undefined, event)}
    >
      ${isFirst && action.tone === "yes" ? icon("sign") : nothing}${this.labelOf(action)}
    </button>`;
  }

  #wordsButton(action: CardAction): TemplateResult {
    return html`<button
      class="button"
      id="revise"
      aria-expanded=${this.isWriting}
      ?disabled=${!this.can(action)}
      @click=${() => this.#write(!this.isWriting)}
    >
      ${this.labelOf(action)}
    </button>`;
  }

  #edit(action: CardAction, plan: string): TemplateResult {
    return html`<a
      class="button"
      href="${plan}?edit=steps"
      aria-disabled=${this.isReady ? nothing : "true"}
      @click=${(event: Event) => this.#leave(event)}
      >${this.labelOf(action)}</a
    >`;
  }

  #leave(event: Event): void {
    if (this.isReady) emit(this, "hp-leave-card");
    else event.preventDefault();
  }

  #revise(): TemplateResult | typeof nothing {
    const { notesOpen } = this.card;
    const words = this.#words;
    if (words === undefined) return nothing;
    return html`
      <form
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.#sendBack();
        }}
      >
        <label class="field">
          <span>${cardText(words.input.label)}</span>
          <textarea
            class="input"
            maxlength=${words.input.charsMax}
            placeholder=${t("cards.revisePlaceholder")}
            aria-describedby="revise-hint"
            .value=${keptWords.read(this.session.id, this.card.id)}
            @input=${() => keptWords.write(this.session.id, { cardId: this.card.id, text: this.#text?.value ?? "" })}
            @keydown=${this.#typed}
          ></textarea>
        </label>
        <div class="row">
          <p class="grow small quiet" id="revise-hint">
            ${t("cards.reviseHint", { key: SEND_KEY })}
            ${notesOpen === 0 ? nothing : t("cards.reviseNotes", { count: notesOpen })}
          </p>
          <button class="button bare" type="button" @click=${() => this.#write(false)}>${t("app.cancel")}</button>
          <button class="button primary" ?disabled=${!this.isReady}>${t("cards.reviseSend")}</button>
        </div>
      </form>
    `;
  }

  protected override stillHolds({ code }: Extract<Attempt, { status: "refused" }>): boolean {
    if (code === "PLAN_APPROVAL_BLOCKED_BY_THREADS") return this.card.notesOpen > 0;
    return code !== "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS"; // named above, and live
  }

  protected override refusal(attempt: Extract<Attempt, { status: "refused" }>): TemplateResult {
    if (attempt.code !== "PLAN_APPROVAL_BLOCKED_BY_THREADS") return super.refusal(attempt);
    const plan = this.app.router.href("plan", { sessionId: this.session.id });
    return html`${problemLines(refusalProblem(attempt))} <a href=${plan}>${t("cards.seeNotes")}</a>`;
  }
}

customElements.define("hp-approval-card", HpApprovalCard);
