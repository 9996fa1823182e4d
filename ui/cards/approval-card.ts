/** The plan that waits for a signature. Signing it is one deliberate act: see decision-card.ts for what keeps it so. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { sayList, sayWhen } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { drafts } from "../chat/drafts.ts";
import { clock } from "../parts/clock.ts";
import { emit } from "../parts/emit.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import "../slots/slot.ts";
import { problemLines } from "../problems/problem-lines.ts";
import { refusalProblem } from "../problems/problem-of.ts";
import type { Attempt } from "../state/decide.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { type ApprovalCard, canBeAccepted, shortDigest, signedBy } from "./card-of.ts";
import { acceptHint } from "./accept-hint.ts";
import { cardLook } from "./card-look.ts";
import { DecisionCard } from "./decision-card.ts";

const FEEDBACK_CHARS_MAX = 8_192;
const AGENTS_NAMED_MAX = 8;
const SEND_KEY = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘↵" : "Ctrl+Enter";

export class HpApprovalCard extends DecisionCard<ApprovalCard> {
  static override properties = {
    isAgain: { type: Boolean, attribute: "again" },
    supersededBefore: { type: Boolean, attribute: "superseding" },
    showsSteps: { state: true },
  };
  static override styles = [base, buttons, fields, marks, cardLook];

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

  get #draftKey(): string {
    return `revise.${this.card.id}`;
  }

  get #text(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  #accept(action: "approve" | "edit", event: Event): void {
    const { id, submission } = this.card;
    void this.decide({ action, approvalId: id, digest: submission.digest }, event);
  }

  #write(open: boolean): Promise<void> {
    return this.writing(open, "#revise");
  }

  async #sendBack(): Promise<void> {
    const feedback = this.#text?.value.trim() ?? "";
    if (feedback === "" && this.card.openNotes === 0) return this.#text?.focus();
    const key = this.#draftKey;
    const isDone = await this.decide({ action: "reject", approvalId: this.card.id, feedback });
    if (isDone) drafts.write(key, "");
  }

  /** Enter alone makes a new line; nothing typed in here accepts anything. */
  #typed(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      void this.#write(false);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      event.preventDefault();
      void this.#sendBack();
    }
  }

  protected override render(): TemplateResult {
    const { submission, reading } = this.card;
    return html`
      <section class="card" aria-labelledby="kicker heading">
        <div class="kicker">
          <span id="kicker">${icon("sign", 16)}${t("cards.planWaits")}</span>
          ${this.timeLeft({ deadlineAtMs: submission.deadlineAtMs, reading }, "cards.timeLeft")}
        </div>
        <h2 id="heading" tabindex="-1">${visibly(submission.title)}</h2>
        ${this.#about()} ${this.#steps()}
        ${this.supersededBefore ? html`<p class="note" role="status">${t("cards.superseded", { number: submission.revision })}</p>` : nothing}
        ${this.#signers()} ${this.#blocked()} ${this.state("cards.offline")}
        <div class="actions ${this.isResting ? "resting" : ""}" role="group" aria-label=${t("cards.actions")}>
          ${this.#actions()}
        </div>
        ${acceptHint()} ${this.isWriting ? this.#revise() : nothing}
        <hp-slot name="approval-card" .app=${this.app} .session=${this.session}></hp-slot>
      </section>
    `;
  }

  #about(): TemplateResult {
    const { submission, openNotes } = this.card;
    const when = sayWhen(submission.submittedAtMs, clock.get());
    const who =
      submission.edited === undefined
        ? t("cards.submittedBy", { name: visibly(this.session.agentId), when })
        : t("cards.editedBy", { name: this.nameOf(submission.edited.by), when });
    return html`<p class="meta">
      <span>${t("chat.steps", { count: submission.steps.length })}</span>
      <span>${t("cards.revision", { number: submission.revision })}</span>
      <span>${who}</span>
      ${openNotes === 0 ? nothing : html`<span>${t("cards.openNotes", { count: openNotes })}</span>`}
      <span title=${t("cards.digestHint")}>${t("cards.digest", { digest: shortDigest(submission.digest) })}</span>
    </p>`;
  }

  /** Drawn when they are asked for: there may be hundreds. */
  #steps(): TemplateResult {
    return html`<details
      class="steps"
      @toggle=${(event: Event) => (this.showsSteps = event.target instanceof HTMLDetailsElement && event.target.open)}
    >
      <summary>${t("cards.showSteps")}</summary>
      ${
        this.showsSteps
          ? html`<ol tabindex="0" aria-label=${t("chat.steps", { count: this.card.submission.steps.length })}>
              ${this.card.submission.steps.map(({ step }) => html`<li>${visibly(step)}</li>`)}
            </ol>`
          : nothing
      }
    </details>`;
  }

  #signers(): TemplateResult | typeof nothing {
    const { signatures, needs } = this.card;
    if (needs === undefined || needs.quorum < 2) return nothing;
    const missing = needs.quorum - signatures.length;
    return html`<div class="note calm">
      <strong>${t("cards.signatures", { given: signatures.length, count: needs.quorum })}</strong>
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
              needs.missing.length === 0
                ? t("cards.anyone", { count: missing })
                : t("cards.missingSigners", { names: sayList(needs.missing.map(visibly)) })
            }</span
          >
        </li>
      </ul>
      ${signedBy(this.card, this.operator) ? html`<p>${t("cards.youSigned")}</p>` : nothing}
    </div>`;
  }

  /** Follows the session: a sub-agent that returns leaves the list, and the last one frees the buttons. */
  #blocked(): TemplateResult {
    const { blockedBy } = this.card;
    const isBlocked = blockedBy === "unknown" || blockedBy.length > 0;
    return html`<div role="status">
      ${
        !isBlocked
          ? nothing
          : blockedBy === "unknown"
            ? html`<p class="note">${t("cards.blockedUnknown")}</p>`
            : html`<div class="note">
                ${t("cards.blockedByAgents", { count: blockedBy.length })}
                <ul>
                  ${repeat(
                    blockedBy.slice(0, AGENTS_NAMED_MAX),
                    ({ id }) => id,
                    ({ id, title }) =>
                      html`<li>
                        ${icon("agent", 14)}<a class="clip" href=${this.app.router.href("session", { sessionId: id })}
                          >${title.trim() === "" ? t("app.untitled") : visibly(title)}</a
                        >
                      </li>`,
                  )}
                </ul>
              </div>`
      }
    </div>`;
  }

  #actions(): TemplateResult {
    const plan = this.app.router.href("plan", { sessionId: this.session.id });
    const isFree = this.isReady && canBeAccepted(this.card) && !signedBy(this.card, this.operator);
    return html`<span class="together">
        <button
          class="button sign"
          aria-describedby="accept-hint"
          ?disabled=${!isFree}
          @click=${(event: Event) => this.#accept("approve", event)}
        >
          ${icon("sign")}${t("cards.accept")}
        </button>
        <button
          class="button"
          aria-describedby="accept-hint"
          ?disabled=${!isFree}
          @click=${(event: Event) => this.#accept("edit", event)}
        >
          ${t("cards.acceptEdits")}
        </button>
      </span>
      <span class="together">${this.#others(plan)}</span>`;
  }

  #others(plan: string): TemplateResult {
    return html`${
        this.isAgain
          ? nothing
          : html`<button
                class="button"
                id="revise"
                aria-expanded=${this.isWriting}
                ?disabled=${!this.isReady}
                @click=${() => this.#write(!this.isWriting)}
              >
                ${t("cards.revise")}
              </button>
              <a
                class="button"
                href="${plan}?edit=steps"
                aria-disabled=${this.isReady ? nothing : "true"}
                @click=${(event: Event) => this.#leave(event)}
                >${t("cards.editSteps")}</a
              >`
      }
      <a class="button bare" href=${plan}>${t("chat.openPlan")}</a> `;
  }

  #leave(event: Event): void {
    if (this.isReady) emit(this, "hp-leave-card");
    else event.preventDefault();
  }

  #revise(): TemplateResult {
    const { openNotes } = this.card;
    return html`
      <form
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.#sendBack();
        }}
      >
        <label class="field">
          <span>${t("cards.reviseLabel")}</span>
          <textarea
            class="input"
            maxlength=${FEEDBACK_CHARS_MAX}
            placeholder=${t("cards.revisePlaceholder")}
            aria-describedby="revise-hint"
            .value=${drafts.read(this.#draftKey)}
            @input=${() => drafts.write(this.#draftKey, this.#text?.value ?? "")}
            @keydown=${(event: KeyboardEvent) => this.#typed(event)}
          ></textarea>
        </label>
        <div class="row">
          <p class="grow small quiet" id="revise-hint">
            ${t("cards.reviseHint", { key: SEND_KEY })}
            ${openNotes === 0 ? nothing : t("cards.reviseNotes", { count: openNotes })}
          </p>
          <button class="button primary" ?disabled=${!this.isReady}>${t("cards.reviseSend")}</button>
        </div>
      </form>
    `;
  }

  protected override stillHolds({ code }: Extract<Attempt, { status: "refused" }>): boolean {
    if (code === "PLAN_APPROVAL_BLOCKED_BY_THREADS") return this.card.openNotes > 0;
    return code !== "PLAN_APPROVAL_BLOCKED_BY_SUBAGENTS"; // named above, and live
  }

  protected override refusal(attempt: Extract<Attempt, { status: "refused" }>): TemplateResult {
    if (attempt.code !== "PLAN_APPROVAL_BLOCKED_BY_THREADS") return super.refusal(attempt);
    const plan = this.app.router.href("plan", { sessionId: this.session.id });
    return html`${problemLines(refusalProblem(attempt))} <a href=${plan}>${t("cards.seeNotes")}</a>`;
  }
}

customElements.define("hp-approval-card", HpApprovalCard);
