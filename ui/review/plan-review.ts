/** `<hp-plan-review>`: the whole review of a session's plan, in a pane (`compact`) or as a view of its own. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PlanId, SessionId } from "../../src/protocol/ids.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Note } from "../../src/plan-mode/protocol/review.ts";
import { AppElement } from "../app/app-element.ts";
import { nameOf } from "../app/keys.ts";
import { type ApprovalCard, approvalIn, isWaiting } from "../../src/protocol/card/card.ts";
import { statusText } from "../cards/card-text.ts";
import { cardsOf } from "../cards/waiting-card.ts";
import { t, withTexts } from "../i18n/t.ts";
import { avatars } from "../parts/avatar.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import { takeFocus } from "../parts/take-focus.ts";
import "../slots/slot.ts";
import { mayDecide, operatorOf } from "../state/connection.ts";
import type { ReadySession } from "../state/open-session.ts";
import { type PresentSteps, presentSteps } from "../state/present-steps.ts";
import { latestOf, type ReadyReview, submissionOf } from "../state/plan-review.ts";
import { inlineText } from "../text/inline-text.ts";
import { base } from "../theme/base.ts";
import { beforeReading } from "./before-reading.ts";
import { type NoteAsked, PlanDocument } from "./document/plan-document.ts";
import { PlanChanges } from "./diff/plan-changes.ts";
import { type KeptEdit, readEdit } from "./edit/kept-edit.ts";
import { FailedCalls } from "./failed-calls.ts";
import { FollowedReview } from "./followed-review.ts";
import { historyList, historyLook } from "./history-list.ts";
import { placeOfTarget } from "./notes/places.ts";
import { exportPlan } from "./out/export-plan.ts";
import { reviewLook } from "./review-look.ts";
import { reviewToolbar } from "./review-toolbar.ts";
import { type Beginning, noPlan, planStart } from "./start/before-a-plan.ts";
import { statusLine } from "./status-line.ts";

type Look = "plan" | "changes" | "history";

export class PlanReviewElement extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    compact: { type: Boolean, reflect: true },
    look: { state: true },
    noting: { state: true },
    isEditing: { state: true },
    isAwaited: { state: true },
    isSharing: { state: true },
    said: { state: true },
  };
  static override styles = [base, buttons, fields, marks, avatars, reviewLook, historyLook];

  declare sessionId: SessionId;
  declare compact: boolean;
  declare look: Look;
  declare noting: NoteAsked;
  declare isEditing: boolean;
  /** The person's own edition is being read: to draw the plan before it once more would only take time. */
  declare isAwaited: boolean;
  declare isSharing: boolean;
  /** The announcement of what happened by itself; cleared when the person goes on. */
  declare said: string;
  readonly #failed = new FailedCalls(this);
  readonly #followed = new FollowedReview(this);
  /** The note whose answer is to be shown as soon as the changes are there. */
  #soughtAnswer: string | undefined;
  #hadFocus = false;
  #presentFrom: readonly unknown[] = [];
  #presented: PresentSteps = new Map();

  constructor() {
    super();
    this.compact = false;
    this.look = "plan";
    this.isEditing = false;
    this.isAwaited = false;
    this.isSharing = false;
    this.said = "";
  }

  protected override reads() {
    return [this.app.state.open, this.app.state.connection];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = this.matches(":focus-within");
    if (changed.has("sessionId") || !this.#followed.isFollowing) this.#follow(this.sessionId);
    this.#announce();
    const card = this.#card;
    const waiting = card !== undefined && isWaiting(card) ? card.id : undefined;
    if (waiting === undefined && this.#followed.reading !== "") this.#announceDecision(this.#followed.reading);
    this.#followed.read(waiting);
  }

  /** The buttons that were pressed are gone, or the text that was read: the keyboard is at the head of the plan. */
  protected override updated(): void {
    if (this.#hadFocus && !this.matches(":focus-within")) this.#toTitle();
  }

  #toTitle(): void {
    this.renderRoot.querySelector<HTMLElement>(".title")?.focus();
  }

  /** Somebody else decided while the plan was read here. */
  #announceDecision(id: string): void {
    const open = this.#open;
    const isTold = this.compact || this.app.state.decide.doneHere(id) !== undefined; // beside it, or by the person
    if (open === undefined || isTold) return;
    const card = cardsOf(open.session).find((one) => one.id === id) ?? open.closed.get(id);
    this.said =
      card === undefined ? t("cards.closedElsewhere") : statusText(card, operatorOf(this.app.state.connection.get()));
  }

  #follow(sessionId: SessionId): void {
    this.#followed.follow(sessionId);
    this.look = "plan";
    this.noting = undefined;
    this.isEditing = false;
  }

  /** A revision that arrives meanwhile is announced, and compared with the one before it. */
  #announce(): void {
    const revision = this.#followed.arrived();
    const review = this.#ready;
    if (revision === undefined || review === undefined) return;
    if (this.isEditing) return; // the editor shows it, and what to do about it
    this.said = t("review.newRevision", { revision });
    if (this.noting === undefined && review.shown === latestOf(review)) this.look = "changes";
  }

  get #open(): ReadySession | undefined {
    const open = this.app.state.open.get();
    return open.status === "ready" && open.id === this.sessionId ? open : undefined;
  }

  get #card(): ApprovalCard | undefined {
    return this.#open === undefined ? undefined : approvalIn(cardsOf(this.#open.session));
  }

  get #ready(): ReadyReview | undefined {
    return this.#followed.ready;
  }

  get #document(): PlanDocument | undefined {
    const found = this.renderRoot.querySelector("hp-plan-document");
    return found instanceof PlanDocument ? found : undefined;
  }

  /** For the shortcut: a note on what has the focus. */
  askForNote(): void {
    if (this.isEditing) return;
    this.look = "plan";
    void this.updateComplete.then(() => this.#document?.askForNote());
  }

  /** Beside a conversation the page's own keys mean other things, unless the keyboard is in here. */
  #pressed(event: KeyboardEvent): void {
    const [at] = event.composedPath();
    const isTyping = at instanceof HTMLElement && at.matches("input, textarea, select");
    if (!this.compact || isTyping || nameOf(event) !== "n" || !this.app.keys.enabled.get()) return;
    event.preventDefault();
    this.askForNote();
  }

  /** For the shortcut: to the buttons that decide, past everything that stands before them. */
  toDecision(): void {
    takeFocus(this.renderRoot.querySelector("hp-decision-bar"));
  }

  /** For the shortcuts of a reader. */
  read(act: "next" | "previous" | "new" | "find"): void {
    if (this.isEditing) return;
    this.look = "plan";
    void this.updateComplete.then(() => this.#document?.read(act));
  }

  showChanges(): void {
    if (!this.isEditing) this.look = this.look === "changes" ? "plan" : "changes";
  }

  /** One revision older or newer. */
  step(by: 1 | -1): void {
    const review = this.#ready;
    if (review === undefined || this.isEditing) return;
    const next = review.revisions[review.revisions.indexOf(review.shown) + by];
    if (next !== undefined) this.#show(next.planId);
  }

  async edit(): Promise<void> {
    const review = this.#ready;
    if (this.isEditing || review === undefined || !(this.#mayDecide || this.#keptEdit(review) !== undefined)) return;
    if (
      (await this.app.attempt(() =>
        withTexts(() => import("./edit/step-editor.ts"), "cards", "problems", "review"),
      )) === undefined
    )
      return;
    this.isEditing = true;
    await this.updateComplete;
    takeFocus(this.renderRoot.querySelector("hp-step-editor"));
  }

  /** Also of a plan that somebody else signed meanwhile: what was written is there to be read and copied. */
  #keptEdit({ revisions }: ReadyReview): KeptEdit | undefined {
    return readEdit(this.sessionId, revisions);
  }

  get #mayDecide(): boolean {
    const isDecidable = (this.#card?.actions.length ?? 0) > 0;
    return isDecidable && mayDecide(operatorOf(this.app.state.connection.get()));
  }

  /** Brings a section, a step or a note into sight, as an address names it. */
  goTo(id: string): void {
    this.look = "plan";
    void this.updateComplete.then(() => this.#document?.updateComplete).then(() => this.#document?.goTo(id));
  }

  #look(wanted: string): void {
    this.look = wanted === "changes" || wanted === "history" ? wanted : "plan";
    this.said = "";
  }

  #show(planId: PlanId): void {
    this.#followed.show(planId);
    this.said = "";
    this.noting = undefined;
    if (this.look === "history") this.look = "plan";
  }

  async #export(planId: PlanId, format: string): Promise<void> {
    const name = await exportPlan(this.app, planId, format);
    if (name !== undefined) this.said = t("review.exported", { name });
  }

  async #share(): Promise<void> {
    this.isSharing =
      (await this.app.attempt(() => withTexts(() => import("./out/share-dialog.ts"), "review"))) !== undefined;
  }

  #closeNote(): void {
    const place = this.noting === undefined ? undefined : placeOfTarget(this.noting);
    this.noting = undefined;
    if (place !== undefined) void this.updateComplete.then(() => this.#document?.focusPlace(place));
  }

  /** From a note to the change that answers it. */
  #seeChange(note: Note): void {
    const review = this.#ready;
    const answer = review?.revisions.find(({ revision }) => revision === note.addressedIn);
    if (answer === undefined) return;
    this.#soughtAnswer = note.id;
    if (review?.shown !== answer) this.#show(answer.planId);
    this.look = "changes";
  }

  #changesShown(): void {
    const changes = this.renderRoot.querySelector("hp-plan-changes");
    if (this.#soughtAnswer !== undefined && changes instanceof PlanChanges) changes.goToAnswer(this.#soughtAnswer);
    this.#soughtAnswer = undefined;
  }

  /** From a change to the note that it answers. */
  #seeNote(noteId: string): void {
    const note = this.#ready?.notes.find(({ id }) => id === noteId);
    if (note !== undefined) this.goTo(`note-${note.n}`);
  }

  #leaveEditing(): void {
    this.isEditing = false;
    const newest = submissionOf(this.#open?.plan)?.planId;
    this.isAwaited = newest !== undefined && this.#ready?.revisions.every(({ planId }) => planId !== newest) === true;
    void this.#followed.settled().then(() => (this.isAwaited = false));
    void this.updateComplete.then(() => this.#toTitle());
  }

  protected override render(): TemplateResult {
    const review = this.#followed.now;
    const open = this.#open;
    if (review?.status === "ready" && open !== undefined) return this.#whole(review, open);
    if (review?.status === "none") return noPlan(this.#beginning);
    if (review?.status !== "failed") return html`<p class="empty">${t("review.loading")}</p>`;
    return html`<p class="empty">
      ${t("review.failed")}
      <button class="button" @click=${() => this.#followed.again()}>${t("review.tryAgain")}</button>
    </p>`;
  }

  #whole(review: ReadyReview, open: ReadySession): TemplateResult {
    return html`
      <div class="scroll ${this.compact ? "" : "outlined"}" @keydown=${(event: KeyboardEvent) => this.#pressed(event)}>
        ${planStart(this.#beginning)} ${this.#top(review, open)}
        <div class="plugins"><hp-slot name="plan-pane" .app=${this.app} .session=${open.session}></hp-slot></div>
        ${this.isEditing ? this.#editor(review) : this.#body(review, open)}
      </div>
      ${this.compact || this.isEditing ? nothing : html`${this.#unsent(open)} ${this.#decide(review)}`}
      ${
        this.isSharing
          ? html`<hp-share-dialog
              .app=${this.app}
              .plan=${review.shown}
              .revisions=${review.revisions}
              @hp-close=${() => (this.isSharing = false)}
            ></hp-share-dialog>`
          : nothing
      }
    `;
  }

  get #beginning(): Beginning {
    return { app: this.app, sessionId: this.sessionId, plan: this.#open?.plan };
  }

  #top(review: ReadyReview, open: ReadySession): TemplateResult {
    const { shown } = review;
    return html`<header class="top">
      <p class="title" role="heading" aria-level="2" tabindex="-1">${inlineText(shown.body.title)}</p>
      ${statusLine(review, {
        plan: open.plan,
        card: this.#card,
        present: this.#present(review),
        operator: operatorOf(this.app.state.connection.get()),
      })}
      ${this.isEditing ? nothing : this.#toolbar(review)}
      <div role="status">
        ${this.said === "" ? nothing : html`<p class="told accent">${this.said} ${this.#whereTo()}</p>`}
      </div>
      ${this.isEditing ? nothing : html`${this.#told(review)} ${this.#glance(review, open)}`}
    </header>`;
  }

  /** Before the text, while it can be signed; beside a conversation the card says it. */
  #glance({ shown }: ReadyReview, { session }: ReadySession): TemplateResult | typeof nothing {
    const card = this.#card;
    if (this.compact || this.look !== "plan" || card === undefined || card.planId !== shown.planId) return nothing;
    if (card.actions.length === 0) return nothing;
    return html`<hp-at-a-glance .app=${this.app} .card=${card} .session=${session}></hp-at-a-glance>`;
  }

  /** What was signed here can be followed. */
  #whereTo(): TemplateResult | typeof nothing {
    if (this.said !== t("review.acceptedNow")) return nothing;
    return html`<a href=${this.app.router.href("run", { sessionId: this.sessionId })}>${t("app.run")}</a>`;
  }

  /** Where others must sign too, the bar says so. */
  #decided(action: string, { signing }: ApprovalCard): void {
    const isLast = (signing?.quorum ?? 1) <= (signing?.signatures.length ?? 0) + 1;
    if (!isLast || action === "reject") return;
    this.said = t("review.acceptedNow");
  }

  #toolbar({ revisions, shown }: ReadyReview): TemplateResult {
    return reviewToolbar({
      app: this.app,
      sessionId: this.sessionId,
      revisions,
      shown,
      look: this.look,
      isCompact: this.compact,
      onLook: (wanted) => this.#look(wanted),
      onShow: (planId) => this.#show(planId),
      onExport: (format) => void this.#export(shown.planId, format),
      onShare: () => void this.#share(),
    });
  }

  #told(review: ReadyReview): TemplateResult {
    const mayResume = !this.compact && this.#keptEdit(review) !== undefined;
    return beforeReading(review, {
      onResume: mayResume ? () => void this.edit() : undefined,
      onShow: (planId) => this.#show(planId),
    });
  }

  #body(review: ReadyReview, { plan }: ReadySession): TemplateResult {
    if (this.isAwaited) return html`<p class="empty">${t("review.loading")}</p>`;
    if (this.look === "history") return historyList(review, (planId) => this.#show(planId));
    if (this.look === "changes" && review.revisions.length > 1) {
      return html`<hp-plan-changes
        .app=${this.app}
        .plan=${review.shown}
        .revisions=${review.revisions}
        @hp-changes-shown=${() => this.#changesShown()}
        @hp-see-note=${({ detail }: CustomEvent<string>) => this.#seeNote(detail)}
      ></hp-plan-changes>`;
    }
    const card = this.#card;
    const isCurrent = review.shown.planId === card?.planId;
    const mayNote = isCurrent && this.#mayDecide;
    return html`<hp-plan-document
      .app=${this.app}
      .sessionId=${this.sessionId}
      .plan=${review.shown}
      .notes=${review.notes}
      .present=${this.#present(review)}
      .failed=${this.#failed.of(this.#present(review).size > 0 ? this.#open?.items : undefined)}
      .noteApproval=${mayNote ? review.shown.approvalId : undefined}
      .actionable=${this.#actionable(plan)}
      .noting=${this.noting}
      ?outlined=${!this.compact}
      @hp-note-on=${({ detail }: CustomEvent<NoteAsked>) => (this.noting = detail)}
      @hp-note-closed=${() => this.#closeNote()}
      @hp-see-change=${({ detail }: CustomEvent<Note>) => this.#seeChange(detail)}
    ></hp-plan-document>`;
  }

  /** Of whichever revision is shown: as it is carried out, or as it was when it ended. Made anew only from something new. */
  #present(review: ReadyReview): PresentSteps {
    const from = [review, this.#card, this.#open?.plan];
    if (from.some((part, at) => part !== this.#presentFrom[at])) this.#presented = this.#presentIn(review);
    this.#presentFrom = from;
    return this.#presented;
  }

  #presentIn(review: ReadyReview): PresentSteps {
    const { shown, progress } = review;
    const card = this.#card;
    const plan = this.#open?.plan;
    if (shown.planId === card?.planId) return presentSteps({ card, plan });
    return presentSteps(card === undefined && shown === latestOf(review) ? { progress, plan } : { progress });
  }

  #actionable(plan: PlanModeState | undefined): ReadonlySet<string> {
    return new Set(this.#mayDecide ? plan?.review?.notes.map(({ id }) => id) : []);
  }

  #editor(review: ReadyReview): TemplateResult {
    return html`<hp-step-editor
      .app=${this.app}
      .revisions=${review.revisions}
      .newest=${latestOf(review)}
      .isDecidable=${this.#mayDecide}
      @hp-edit-left=${() => this.#leaveEditing()}
    ></hp-step-editor>`;
  }

  #unsent(open: ReadySession): TemplateResult {
    return html`<hp-unsent-words
      .app=${this.app}
      .open=${open}
      may-note
      @hp-write-note=${({ detail }: CustomEvent<NoteAsked>) => this.#writeNote(detail)}
      @hp-write-words=${() => this.#openSendBack()}
      @hp-draft-put=${() => this.app.router.go("session", { sessionId: this.sessionId })}
    ></hp-unsent-words>`;
  }

  #writeNote(target: NoteAsked): void {
    const review = this.#ready;
    if (review !== undefined) this.#show(latestOf(review).planId);
    this.look = "plan";
    this.noting = target;
  }

  /** Beside a conversation there is no bar, and its code is not loaded. */
  #openSendBack(): void {
    const bar: unknown = this.renderRoot.querySelector("hp-decision-bar");
    if (bar instanceof HTMLElement && "openSendBack" in bar && typeof bar.openSendBack === "function")
      bar.openSendBack();
  }

  #decide(review: ReadyReview): TemplateResult | typeof nothing {
    const shown = this.#card;
    if (shown === undefined || shown.actions.length === 0 || review.shown.planId !== shown.planId) return nothing;
    return html`<hp-decision-bar
      .app=${this.app}
      .sessionId=${this.sessionId}
      .card=${shown}
      @hp-edit-steps=${() => this.edit()}
      @hp-decided=${({ detail }: CustomEvent<string>) => this.#decided(detail, shown)}
    ></hp-decision-bar>`;
  }

  /** Resolves when there is something to look at, or nothing ever will be. */
  async shownPlan(): Promise<void> {
    await this.updateComplete;
    await this.#followed.loaded();
    await this.updateComplete;
  }
}

customElements.define("hp-plan-review", PlanReviewElement);
