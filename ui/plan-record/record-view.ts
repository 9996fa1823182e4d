/**
 * `/plans/:planId`: who approved exactly this text, what it changed, how we know that it worked, and how it is undone. For
 * any revision, also weeks later, when its session has gone on or is gone.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PlanChanges } from "../../src/changes/protocol/changes.ts";
import type { PlanId } from "../../src/protocol/ids.ts";
import { loadProblems } from "../app/app.ts";
import { ViewElement } from "../app/app-element.ts";
import { ChangeList } from "../changes/change-list.ts";
import { FollowedChanges, type ShownChanges } from "../changes/followed-changes.ts";
import { sayDate } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { TONES } from "../library/outcome-tones.ts";
import { avatars } from "../parts/avatar.ts";
import { buttons } from "../parts/look/buttons.ts";
import { entries } from "../parts/look/entries.ts";
import { marks } from "../parts/look/marks.ts";
import { proofLook } from "../proof/proof-lines.ts";
import { documentLook } from "../review/document/document-look.ts";
import { reviewIcon } from "../review/review-icon.ts";
import { isOnline } from "../state/connection.ts";
import { inlineText } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { decidedPart } from "./decided-part.ts";
import { planIdIn } from "./plan-id-in.ts";
import { provenPart } from "./proven-part.ts";
import { type PlanRecord, readRecord, wasCarriedOut } from "./read-record.ts";
import { recordLook } from "./record-look.ts";
import { signedText } from "./signed-text.ts";

type Read = PlanRecord | "loading" | "failed" | "missing";
/** `why`: it cannot be taken back, and this is the reason. */
type Undo = "looking" | "possible" | { why: string };

class RecordView extends ViewElement {
  static override properties = { read: { state: true }, undo: { state: true }, isTextOpen: { state: true } };
  static override styles = [base, buttons, marks, entries, avatars, documentLook, proofLook, recordLook];

  declare read: Read;
  declare undo: Undo;
  /** A long text is drawn when somebody wants to read it. */
  declare isTextOpen: boolean;
  readonly #changes = new FollowedChanges(this);
  #planId: PlanId | undefined;
  /** The changes that `undo` is about. */
  #looked: PlanChanges | undefined;

  constructor() {
    super();
    this.read = "loading";
    this.undo = "looking";
    this.isTextOpen = false;
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const planId = planIdIn(this.params["planId"]);
    if (planId !== this.#planId) this.#open(planId);
    else if (this.read === "failed" && isOnline(this.app.state.connection.get())) void this.#readAgain();
    this.#changes.follow(this.#followed());
    const now = this.#changes.get();
    if (now.status === "ready" && now.changes !== null && now.changes !== this.#looked) void this.#look(now.changes);
  }

  #open(planId: PlanId | undefined): void {
    this.#planId = planId;
    this.#looked = undefined;
    this.isTextOpen = false;
    this.read = planId === undefined ? "missing" : "loading";
    if (planId !== undefined) void this.#readAgain();
  }

  async #readAgain(): Promise<void> {
    const planId = this.#planId;
    if (planId === undefined) return;
    this.read = "loading";
    const read = await readRecord(this.app, planId).catch(() => "failed" as const);
    if (planId === this.#planId) this.read = read;
  }

  #followed() {
    const { read } = this;
    if (typeof read === "string" || !wasCarriedOut(read) || read.entry.sessionDeleted === true) return undefined;
    return { sessionId: read.plan.sessionId, cycleId: read.plan.cycleId };
  }

  /** Whether there is something to put back, by the very preview that the person is shown before anything is done. */
  async #look(changes: PlanChanges): Promise<void> {
    this.#looked = changes;
    const { sessionId, cycleId } = changes;
    const undo = await this.app
      .call("changes.preview", { sessionId, cycleId })
      .then(({ preview }) => (preview.files.length === 0 ? { why: t("changes.nothingToPutBack") } : "possible"))
      .catch(async (error: unknown) => ({ why: (await loadProblems()).problemOf(error).text }));
    if (changes === this.#looked) this.undo = undo;
  }

  protected override render(): TemplateResult {
    const { read } = this;
    if (read === "loading") return html`<p class="empty" role="status">${t("library.loading")}</p>`;
    if (read === "missing") return html`<p class="empty">${t("record.missing")}</p>`;
    if (read === "failed") {
      return html`<p class="empty">
        ${t("library.readFailed")}
        <button class="button" @click=${() => this.#readAgain()}>${t("library.again")}</button>
      </p>`;
    }
    return html`<article class="column" aria-labelledby="title">
      ${this.#head(read)} ${part("who", html`${decidedPart(read)} ${this.#text(read)} ${this.#elsewhere(read)}`)}
      ${part("changed", this.#changed(read))} ${part("proven", provenPart(read))} ${part("undo", this.#undo(read))}
    </article>`;
  }

  #head({ entry, plan, revisions }: PlanRecord): TemplateResult {
    const { sessionId, outcome, sessionDeleted, submittedAtMs, rule } = entry;
    const others = revisions.filter(({ planId }) => planId !== plan.planId);
    return html`<header class="stack">
      <h2 id="title" class="title">${inlineText(plan.body.title)}</h2>
      <p class="row wrap small quiet">
        <span class="chip ${TONES[outcome]}">${t(`library.outcome_${outcome}`)}</span>
        ${rule === undefined ? nothing : html`<span class="chip waiting">${t("library.byRule", { rule: visibly(rule) })}</span>`}
        <span>${t("library.revision", { revision: plan.revision })}</span>
        <time datetime=${new Date(submittedAtMs).toISOString()}>${sayDate(submittedAtMs)}</time>
        ${sessionDeleted === true ? html`<span>${t("library.sessionDeleted")}</span>` : nothing}
      </p>
      <p class="row wrap">
        ${
          sessionDeleted === true
            ? nothing
            : html`<a class="button" href=${this.app.router.href("plan", { sessionId })}>${t("library.toSession")}</a>`
        }
        ${others.map(
          ({ planId, revision }) =>
            html`<a class="button" href=${this.app.router.href("record", { planId })}
              >${t("library.revision", { revision })}</a
            >`,
        )}
      </p>
    </header>`;
  }

  #text({ plan }: PlanRecord): TemplateResult {
    return html`<details
      class="whole"
      ?open=${this.isTextOpen}
      @toggle=${({ target }: Event) => (this.isTextOpen = target instanceof HTMLDetailsElement && target.open)}
    >
      <summary>${t("record.text")}</summary>
      ${this.isTextOpen ? signedText(plan) : nothing}
    </details>`;
  }

  #elsewhere({ approvedElsewhere: other }: PlanRecord): TemplateResult | typeof nothing {
    if (other === undefined) return nothing;
    const { planId, revision } = other;
    return html`<p>
      <a href=${this.app.router.href("record", { planId })}>${t("record.approvedElsewhere", { revision })}</a>
    </p>`;
  }

  #changed(read: PlanRecord): TemplateResult {
    const why = this.#whyNoChanges(read);
    if (why !== undefined) return html`<p>${why}</p>`;
    const now: ShownChanges = this.#changes.get();
    if (now.status === "failed") return html`<p>${t("run.failed")}</p>`;
    if (now.status !== "ready" || now.changes === null) return html`<p class="quiet">${t("library.loading")}</p>`;
    return html`<hp-change-list
      .isPart=${true}
      .app=${this.app}
      .changes=${now.changes}
      .seen=${read.progress ?? { steps: [] }}
      @hp-rolled-back=${() => this.#changes.read()}
    ></hp-change-list>`;
  }

  /** Why nothing is known of changes; undefined where something is, or will be in a moment. */
  #whyNoChanges(read: PlanRecord): string | undefined {
    if (!wasCarriedOut(read)) return t("record.notCarriedOut");
    const now = this.#changes.get();
    if (read.entry.sessionDeleted === true || now.status === "gone") return t("record.sessionGone");
    return now.status === "ready" && now.changes === null ? t("record.nothingRecorded") : undefined;
  }

  #undo(read: PlanRecord): TemplateResult {
    const why = this.#whyNoChanges(read) ?? (typeof this.undo === "string" ? undefined : this.undo.why);
    if (why !== undefined) return html`<p>${t("record.noUndo", { why })}</p>`;
    if (this.undo === "looking") return html`<p class="quiet">${t("library.loading")}</p>`;
    return html`<p>${t("record.undoHint")}</p>
      <p>
        <button
          class="button"
          ?disabled=${!isOnline(this.app.state.connection.get())}
          @click=${() => this.#askForAll()}
        >
          ${reviewIcon("undo")} ${t("changes.rollBackPlan")}
        </button>
      </p>`;
  }

  #askForAll(): void {
    const list = this.renderRoot.querySelector("hp-change-list");
    if (list instanceof ChangeList) void list.askForAll();
  }
}

const part = (name: "who" | "changed" | "proven" | "undo", inside: TemplateResult): TemplateResult =>
  html`<section class="part" aria-labelledby=${name}>
    <h2 id=${name}>${t(`record.part_${name}`)}</h2>
    ${inside}
  </section>`;

customElements.define("hp-record-view", RecordView);
