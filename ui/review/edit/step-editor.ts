/**
 * `<hp-step-editor>`: a person changes the steps and approves the result in one action.
 *
 *   editing ──a new revision, or a decision elsewhere──▶ editing, with a notice; the draft stays
 *      └──approve──▶ the changes shown once more ──▶ approved (hp-edited), or back here with the reason
 *
 * The edition is bound to the bytes that were read: the gateway refuses it for any others.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import { AppElement } from "../../app/app-element.ts";
import { language, t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { reviewIcon } from "../review-icon.ts";
import { SEND_KEY } from "../../parts/writing-keys.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { marks } from "../../parts/look/marks.ts";
import { isOnline } from "../../state/connection.ts";
import { base } from "../../theme/base.ts";
import "./confirm-edited.ts";
import { declaredLook } from "./declared-fields.ts";
import { editorLook } from "./editor-look.ts";
import { editBase, keepEdit, type KeptEdit, readEdit } from "./kept-edit.ts";
import {
  type DraftStep,
  draftOf,
  edited,
  type Problem,
  problemsOf,
  type StepDraft,
  type StepEdit,
  stepsOf,
} from "./step-draft.ts";
import { type RowActs, type ShownRow, stepRow } from "./step-row.ts";

/** More than fill any screen: these are there at once, the rest after the first picture, some with each that follows. */
const ROWS_FIRST = 24;
const ROWS_MORE = 60;
const NO_KEYS: readonly number[] = [];

type Problems = ReadonlyMap<number, Problem>;

export class StepEditor extends AppElement {
  static override properties = {
    revisions: { attribute: false },
    newest: { attribute: false },
    isDecidable: { attribute: false },
    draft: { state: true },
    edition: { state: true },
    held: { state: true },
    confirming: { state: true },
    said: { state: true },
    showsProblems: { state: true },
    showsPreview: { state: true },
    opened: { state: true },
    rowsDrawn: { state: true },
  };
  static override styles = [base, buttons, fields, marks, editorLook, declaredLook];

  declare revisions: readonly PlanRevision[];
  /** The revision that lies before people now; editing begins with it, unless a kept draft knows another. */
  declare newest: PlanRevision;
  declare isDecidable: boolean;
  declare draft: StepDraft;
  declare edition: KeptEdit["base"];
  /** The step under the pointer while it is dragged. */
  declare held: number | undefined;
  declare confirming: boolean;
  declare said: string;
  declare showsProblems: boolean;
  /** The words as they will be read, beneath the field that they are written in. */
  declare showsPreview: boolean;
  /** The steps whose declarations are shown, by their keys. */
  declare opened: ReadonlySet<number>;
  declare rowsDrawn: number;
  #drags = 0;
  readonly #acts: RowActs = {
    edit: (edit) => this.#edit(edit),
    focus: (key, field) => void this.#focus(key, field),
    move: (step, by) => this.#move(step, by),
    remove: (step) => this.#remove(step),
    grab: (step, event) => this.#grab(step, event),
    pressed: (step, event) => this.#pressedIn(step, event),
    open: (key, isOpen) => this.#open(key, isOpen),
  };

  constructor() {
    super();
    this.confirming = false;
    this.said = "";
    this.showsProblems = false;
    this.showsPreview = false;
    this.opened = new Set();
    this.rowsDrawn = ROWS_FIRST;
    this.addEventListener("keydown", (event) => this.#pressed(event));
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.hasUpdated) return;
    const kept = readEdit(this.newest.sessionId, this.revisions);
    this.edition = kept?.base ?? editBase(this.newest);
    this.draft = draftOf(kept?.steps ?? this.newest.body.plan);
  }

  protected override updated(): void {
    if (this.rowsDrawn < this.draft.steps.length)
      requestAnimationFrame(() => setTimeout(() => (this.rowsDrawn += ROWS_MORE)));
  }

  takeFocus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  }

  #edit(edit: StepEdit): void {
    this.draft = edited(this.draft, edit);
    this.#keep();
  }

  #keep(): void {
    keepEdit(this.newest.sessionId, { base: this.edition, steps: stepsOf(this.draft) });
  }

  get #isStale(): boolean {
    return !this.isDecidable || this.newest.planId !== this.edition.planId;
  }

  get #mayApprove(): boolean {
    return !this.#isStale && isOnline(this.app.state.connection.get()) && this.draft.steps.length > 0;
  }

  #move(step: DraftStep, by: number): void {
    const to = this.draft.steps.indexOf(step) + by;
    this.#edit({ type: "move", key: step.key, to });
    this.#sayPlace(step.key);
    void this.#focus(step.key, ".step-field");
  }

  async #focus(key: number | undefined, field = "textarea"): Promise<void> {
    this.rowsDrawn = Math.max(this.rowsDrawn, this.draft.steps.findIndex((step) => step.key === key) + 1);
    await this.updateComplete;
    const row = this.renderRoot.querySelector<HTMLElement>(`[data-key="${key}"]`);
    row?.scrollIntoView({ block: "nearest" });
    [...(row?.querySelectorAll<HTMLElement>(field) ?? [])].at(-1)?.focus();
  }

  #add(at: number): void {
    this.#edit({ type: "add", at });
    void this.#focus(this.draft.steps[at]?.key);
  }

  #remove(step: DraftStep): void {
    const at = this.draft.steps.indexOf(step);
    this.#edit({ type: "remove", key: step.key });
    this.said = t("review.stepRemoved");
    void this.#focus(this.draft.steps[Math.min(at, this.draft.steps.length - 1)]?.key, ".step-field");
  }

  /** Past all the fields: Escape keeps it for later, Ctrl+Enter goes on to the approval. A dialog has keys of its own. */
  #pressed(event: KeyboardEvent): void {
    if (this.confirming || event.isComposing || event.altKey) return;
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") emit(this, "hp-edit-left");
    else if (isMod && event.key === "Enter") this.#approve();
    else if (isMod && event.key.toLowerCase() === "z") this.#edit({ type: event.shiftKey ? "redo" : "undo" });
    else return;
    event.preventDefault();
  }

  #pressedIn(step: DraftStep, event: KeyboardEvent): void {
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.#move(step, event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Enter" && !hasModifier(event) && !event.isComposing && isStepField(event)) {
      event.preventDefault();
      this.#add(this.draft.steps.indexOf(step) + 1);
    }
  }

  /**
   * The step follows the pointer over the others; one drag is one change. Listened to at the window, because the row
   * itself moves.
   */
  #grab(step: DraftStep, event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#drags += 1;
    const hold = String(this.#drags);
    this.held = step.key;
    const over = new AbortController();
    const isOurs = ({ pointerId }: PointerEvent): boolean => pointerId === event.pointerId;
    const drag = (moved: PointerEvent): void => {
      const to = isOurs(moved) ? this.#placeAt(moved.clientY, step.key) : undefined;
      if (to !== undefined) this.#edit({ type: "move", key: step.key, to, hold });
    };
    const drop = (ended: PointerEvent): void => {
      if (!isOurs(ended)) return;
      over.abort();
      this.held = undefined;
      this.#sayPlace(step.key);
    };
    addEventListener("pointermove", drag, { signal: over.signal });
    addEventListener("pointerup", drop, { signal: over.signal });
    addEventListener("pointercancel", drop, { signal: over.signal });
  }

  #sayPlace(moved: number): void {
    const number = this.draft.steps.findIndex(({ key }) => key === moved) + 1;
    this.said = t("review.stepMoved", { number, count: this.draft.steps.length });
  }

  /** Where a step belongs that is held at this height: behind the rows whose middle lies above. */
  #placeAt(clientY: number, key: number): number | undefined {
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>(".edited-step")];
    const others = rows.filter((row) => row.dataset["key"] !== String(key));
    const place = others.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return clientY < top + height / 2;
    });
    return place === -1 ? others.length : place;
  }

  #approve(): void {
    if (!this.#mayApprove) return;
    const problems = problemsOf(this.draft);
    this.showsProblems = true;
    const [first] = problems.keys();
    if (first !== undefined) return void this.#focus(first);
    this.confirming = true;
  }

  #unconfirm(): void {
    this.confirming = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".button.sign")?.focus());
  }

  /** Thrown away, or signed: either way nothing is left to keep. */
  #discard(): void {
    keepEdit(this.newest.sessionId, undefined);
    emit(this, "hp-edit-left");
  }

  /** The person's steps in place of the newest revision's; what that changes is shown before it is approved. */
  #rebase(): void {
    this.edition = editBase(this.newest);
    this.#keep();
  }

  protected override render(): TemplateResult {
    const { steps, before, after } = this.draft;
    const problems = problemsOf(this.draft);
    const keys = steps.map(({ key }) => key);
    return html`
      <div class="bar">
        <h2 class="title" id="editing">${t("review.editing")}</h2>
        <button
          class="button bare"
          aria-pressed=${this.showsPreview}
          @click=${() => (this.showsPreview = !this.showsPreview)}
        >
          ${icon("plan", 16)}${t("review.preview")}
        </button>
        <button class="button bare" aria-disabled=${before.length === 0} @click=${() => this.#edit({ type: "undo" })}>
          ${reviewIcon("undo")}${t("review.undo")}
        </button>
        <button class="button bare" aria-disabled=${after.length === 0} @click=${() => this.#edit({ type: "redo" })}>
          ${icon("redo", 16)}${t("review.redo")}
        </button>
      </div>
      <p class="quiet small">
        ${t("review.editHint")} <span class="keys">${t("review.editKeys", { key: SEND_KEY })}</span>
      </p>
      <ol aria-labelledby="editing">
        ${repeat(
          steps.slice(0, this.rowsDrawn),
          ({ key }) => key,
          (step, index) => this.#row(step, index, { problems, keys }),
        )}
      </ol>
      <div class="bar">
        <button class="button" @click=${() => this.#add(steps.length)}>${icon("add", 16)}${t("review.addStep")}</button>
      </div>
      <p class="unseen" role="status">${this.said}</p>
      ${this.#foot(problems)}
      ${
        this.confirming
          ? html`<hp-confirm-edited
              .app=${this.app}
              .sessionId=${this.newest.sessionId}
              .edition=${this.edition}
              .steps=${stepsOf(this.draft)}
              .revision=${this.newest.revision + 1}
              @hp-close=${() => this.#unconfirm()}
              @hp-edited=${() => this.#discard()}
            ></hp-confirm-edited>`
          : nothing
      }
    `;
  }

  /** Beside the button that it puts to rest: whoever writes in the tenth step does not see the top. */
  #stale(): TemplateResult {
    const { revision } = this.edition;
    const newest = this.newest.revision;
    if (!this.isDecidable) return html`<p class="told waiting">${t("review.supersededDecided")}</p>`;
    return html`<div class="told waiting stack">
      <p>${t("review.superseded", { newest, revision })}</p>
      <div class="bar">
        <button class="button" @click=${() => emit(this, "hp-edit-left")}>${t("review.seeNewest", { newest })}</button>
        <button class="button" @click=${() => this.#rebase()}>${t("review.rebase", { newest })}</button>
      </div>
    </div>`;
  }

  /** Of hundreds of steps one is written in: only what changed is drawn again. */
  #row(step: DraftStep, index: number, { problems, keys }: { problems: Problems; keys: readonly number[] }): unknown {
    const problem = problems.get(step.key);
    const isOpen = this.opened.has(step.key);
    const shown: ShownRow = {
      step,
      number: index + 1,
      count: keys.length,
      problem: this.showsProblems || problem === "twice" ? problem : undefined,
      isHeld: this.held === step.key,
      showsPreview: this.showsPreview,
      isOpen,
      keys: isOpen ? keys : NO_KEYS,
    };
    return guard([language.get(), ...Object.values(shown)], () => stepRow(shown, this.#acts));
  }

  #open(key: number, isOpen: boolean): void {
    if (this.opened.has(key) === isOpen) return;
    const opened = new Set(this.opened);
    if (isOpen) opened.add(key);
    else opened.delete(key);
    this.opened = opened;
  }

  #foot(problems: Problems): TemplateResult {
    const { steps } = this.draft;
    const isOnlineNow = isOnline(this.app.state.connection.get());
    const why = !isOnlineNow
      ? t("review.stillPending")
      : steps.length === 0
        ? t("review.noSteps")
        : this.showsProblems && problems.size > 0
          ? t("review.problems", { count: problems.size })
          : "";
    return html`<div class="foot">
      <div class="whole" role="status">${this.#isStale ? this.#stale() : nothing}</div>
      <button class="button sign" ?disabled=${!this.#mayApprove} @click=${() => this.#approve()}>
        ${icon("sign")}${t("review.approveEdited")}
      </button>
      <button class="button" @click=${() => emit(this, "hp-edit-left")}>${t("review.leaveEditing")}</button>
      <button class="button danger" @click=${() => this.#discard()}>${t("review.discard")}</button>
      <p class="small problem" role="status">${why}</p>
    </div>`;
  }
}

const hasModifier = ({ shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => shiftKey || ctrlKey || metaKey;

const isStepField = (event: Event): boolean =>
  event.composedPath()[0] instanceof HTMLTextAreaElement &&
  event.target instanceof HTMLElement &&
  event.target.classList.contains("step-field");

customElements.define("hp-step-editor", StepEditor);
