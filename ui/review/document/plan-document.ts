/**
 * `<hp-plan-document>`: one revision to read. Each section and step has an anchor of its own, its notes below it, and a
 * quiet button for another; selected words get one beside them. It asks for a note with `hp-note-on`.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { ApprovalId, SessionId } from "../../../src/protocol/ids.ts";
import type { PlanRevision, PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import type { Note, NoteTarget, PlanSection } from "../../../src/plan-mode/protocol/review.ts";
import { AppElement } from "../../app/app-element.ts";
import { copyText } from "../../app/copy-text.ts";
import { language, t } from "../../i18n/t.ts";
import { cssVars } from "../../parts/css-vars.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { type CallLink, proofLook } from "../../proof/proof-lines.ts";
import { reviewIcon } from "../review-icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { entries } from "../../parts/look/entries.ts";
import { marks } from "../../parts/look/marks.ts";
import type { PresentSteps } from "../../state/present-steps.ts";
import { base } from "../../theme/base.ts";
import { clearHighlights, highlightNotes } from "../anchor/highlight.ts";
import { selectedWords, type SelectedWords } from "../anchor/selected-words.ts";
import { graphLook, stepGraph } from "../graph/step-graph.ts";
import "../notes/note-form.ts";
import "../notes/note-thread.ts";
import {
  isBehindSteps,
  isSection,
  isUnanswered,
  notesByPlace,
  type Place,
  placeOfTarget,
  SECTIONS_AFTER,
  SECTIONS_BEFORE,
  stepPlace,
  targetAt,
  writtenAt,
  writtenIn,
} from "../notes/places.ts";
import { outline, outlineLook } from "../reading/outline.ts";
import { ReadingBar, type ReadingAct } from "../reading/reading-bar.ts";
import { placeOfKeyboard } from "../reading/place-of-keyboard.ts";
import { ReadingProgress } from "../reading/reading-progress.ts";
import { WordFinder } from "../reading/word-finder.ts";
import { documentLook } from "./document-look.ts";
import { sectionContent } from "./section-content.ts";
import { stepWords } from "./step-words.ts";

/** More than fill any screen: these are there at once, the rest after the first picture, some with each that follows. */
const STEPS_FIRST = 60;
const STEPS_MORE = 110;

/** The place at which a note is being written, if any. */
export type NoteAsked = NoteTarget | undefined;

export class PlanDocument extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    plan: { attribute: false },
    notes: { attribute: false },
    present: { attribute: false },
    failed: { attribute: false },
    noteApproval: { attribute: false },
    actionable: { attribute: false },
    noting: { attribute: false },
    outlined: { type: Boolean },
    selected: { state: true },
    active: { state: true },
    stepsDrawn: { state: true },
    showsGraph: { state: true },
  };
  static override styles = [base, buttons, entries, marks, documentLook, proofLook, graphLook, outlineLook];

  declare sessionId: SessionId;
  declare plan: PlanRevision;
  declare notes: readonly Note[];
  /** How each step stands, by its text, once the plan is carried out. */
  declare present: PresentSteps;
  /** How many calls of a step failed, by its text. */
  declare failed: ReadonlyMap<string, number>;
  /** Under which notes can be written; undefined where none can. */
  declare noteApproval: ApprovalId | undefined;
  /** Notes that can be answered and resolved, by id. */
  declare actionable: ReadonlySet<string>;
  declare noting: NoteAsked;
  declare outlined: boolean;
  declare selected: SelectedWords | undefined;
  /** The step that the keyboard is at; one stop for all of them, and the arrows within. */
  declare active: number;
  declare stepsDrawn: number;
  /** Whether the drawing of many steps was opened. */
  declare showsGraph: boolean;
  readonly #finder = new WordFinder(this);
  readonly #progress: ReadingProgress;
  #places: ReadonlyMap<Place, readonly Note[]> = new Map();
  #hadFocus = false;
  readonly #onSelection = (): void => this.#select();

  constructor() {
    super();
    this.notes = [];
    this.present = new Map();
    this.failed = new Map();
    this.actionable = new Set();
    this.outlined = false;
    this.active = 1;
    this.stepsDrawn = STEPS_FIRST;
    this.showsGraph = false;
    this.#progress = new ReadingProgress(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("selectionchange", this.#onSelection);
    this.addEventListener("hp-text-drawn", () => this.requestUpdate());
    void import("../../text/markdown.ts").then(() => this.requestUpdate()).catch(() => undefined); // words move when it comes
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("selectionchange", this.#onSelection);
    clearHighlights();
    this.#finder.clear();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = this.matches(":focus-within");
    if (changed.has("notes") || changed.has("plan")) this.#places = notesByPlace(this.notes, this.plan.body);
    if (!changed.has("plan")) return;
    this.#progress.follow(this.sessionId, this.plan);
    this.#finder.clear();
    this.active = 1;
    this.stepsDrawn = STEPS_FIRST;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#hadFocus && !this.matches(":focus-within")) this.#takeBack(changed.get("noting"));
    if (changed.has("stepsDrawn") || changed.has("plan")) this.#drawMore();
    if (changed.size === 1 && changed.has("selected")) return;
    requestAnimationFrame(() => this.isConnected && highlightNotes(this.renderRoot, this.notes, this.plan.body));
  }

  /** What had the keyboard is gone, as a form whose plan was decided elsewhere: it goes to where that stood. */
  #takeBack(noted: NoteAsked): void {
    const target = noted ?? this.noting;
    this.focusPlace(target === undefined ? stepPlace(this.active) : placeOfTarget(target));
  }

  #drawMore(): void {
    if (this.stepsDrawn >= this.plan.body.plan.length) return;
    requestAnimationFrame(() => setTimeout(() => (this.stepsDrawn += STEPS_MORE)));
  }

  #select(): void {
    const root = this.shadowRoot;
    if (root === null || this.noteApproval === undefined) return;
    const next = selectedWords(root, this.plan.body);
    if (next !== undefined || this.selected !== undefined) this.selected = next;
  }

  /** Opens the note of a shortcut: on the selected words, on what has the focus, or on the whole. */
  askForNote(): void {
    if (this.noteApproval === undefined) return;
    const focused = this.shadowRoot?.activeElement?.closest<HTMLElement>("[data-place]")?.dataset["place"];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own templates wrote it
    this.#ask(this.selected?.target ?? targetAt((focused ?? "plan") as Place) ?? { on: "plan" });
  }

  #ask(target: NoteAsked): void {
    this.selected = undefined;
    emit(this, "hp-note-on", target);
  }

  /** Brings a section, a step or a note into sight, and the keyboard to it. */
  async goTo(id: string): Promise<void> {
    this.stepsDrawn = this.plan.body.plan.length;
    await this.updateComplete;
    const found = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    if (found === null) return;
    found.closest("details")?.setAttribute("open", "");
    const step = /^step-(\d+)$/.exec(id)?.[1];
    if (step !== undefined) this.active = Number(step);
    found.scrollIntoView({ block: "start" });
    if (found.tabIndex < 0) found.tabIndex = -1;
    found.focus({ preventScroll: true });
  }

  /** One step on or back, from the one that has the keyboard or is read: what is in sight is known only a moment later. */
  #stepBy(by: 1 | -1): void {
    const current = placeOfKeyboard(this.shadowRoot) ?? this.#progress.current;
    const count = this.plan.body.plan.length;
    const at = Number(/^step-(\d+)$/.exec(current ?? "")?.[1] ?? (isBehindSteps(current) ? count + 1 : 0));
    void this.goTo(stepPlace(Math.max(1, Math.min(count, at + by))));
  }

  #nextNew(): void {
    const next = this.#progress.nextFresh();
    if (next !== undefined) void this.goTo(next);
  }

  /** By a key: what the bar above offers. */
  read(act: "next" | "previous" | "new" | "find"): void {
    if (act !== "find") return this.#read(act);
    const bar = this.renderRoot.querySelector("hp-reading-bar");
    if (bar instanceof ReadingBar) void bar.find();
  }

  async #find(words: string): Promise<void> {
    this.stepsDrawn = this.plan.body.plan.length;
    for (const details of this.renderRoot.querySelectorAll("section > details")) details.setAttribute("open", "");
    await this.updateComplete;
    this.#finder.find(this.renderRoot, words);
  }

  #read(act: ReadingAct): void {
    if (act === "next" || act === "previous") return this.#stepBy(act === "next" ? 1 : -1);
    if (act === "new") return this.#nextNew();
    const details = this.renderRoot.querySelectorAll("section > details");
    for (const one of details) one.toggleAttribute("open", act === "unfold");
  }

  #bar(): TemplateResult {
    const { current, fresh, before } = this.#progress;
    const step = /^step-(\d+)$/.exec(current ?? "")?.[1];
    const count = this.plan.body.plan.length;
    const where =
      step !== undefined
        ? t("review.stepAt", { number: Number(step), count })
        : isSection(current)
          ? t(`review.section_${current}`)
          : "";
    return html`<hp-reading-bar
      .app=${this.app}
      .where=${where}
      .fresh=${fresh.size}
      .freshSince=${before}
      .found=${this.#finder.found}
      @hp-find=${({ detail }: CustomEvent<string>) => void this.#find(detail)}
      @hp-find-step=${({ detail }: CustomEvent<number>) => this.#finder.step(detail)}
      @hp-reading=${({ detail }: CustomEvent<ReadingAct>) => this.#read(detail)}
    ></hp-reading-bar>`;
  }

  #fresh(place: Place): TemplateResult | typeof nothing {
    if (!this.#progress.fresh.has(place)) return nothing;
    return html`<span class="chip accent fresh" data-skip>${t("review.newToYou")}</span>`;
  }

  /** After a form was closed: back to where it was opened from. */
  focusPlace(place: Place): void {
    const host = this.renderRoot.querySelector<HTMLElement>(`[data-place="${place}"]`);
    const isStep = place.startsWith("step-"); // in sight already, and perhaps taller than the screen
    (isStep ? host : host?.querySelector<HTMLElement>(".tools .button"))?.focus({ preventScroll: isStep });
  }

  protected override render(): TemplateResult {
    const { body } = this.plan;
    return html`
      <div class="page ${this.outlined ? "with-outline" : ""}">
        ${this.outlined ? this.#outline() : nothing}
        <div class="stack">
          ${this.#bar()} ${this.#whole()} ${SECTIONS_BEFORE.map((name) => this.#section(name))}
          ${this.#steps(body.plan)} ${SECTIONS_AFTER.map((name) => this.#section(name))}
        </div>
      </div>
      ${this.#selection()}
    `;
  }

  /** Notes on the plan as a whole, where there are any. */
  #whole(): TemplateResult | typeof nothing {
    const threads = this.#threads("plan");
    if (threads === nothing) return nothing;
    return html`<section id="plan" data-place="plan" aria-label=${t("review.section_plan")}>${threads}</section>`;
  }

  #section(name: PlanSection): TemplateResult | typeof nothing {
    if (writtenIn(this.plan.body, name) === undefined) return nothing;
    return this.#part(name, html`<div data-words=${name}>${sectionContent(this.plan.body, name)}</div>`);
  }

  #part(name: PlanSection | "steps", inside: TemplateResult): TemplateResult {
    const heading = t(`review.section_${name}`);
    return html`<section id=${name} data-place=${name} aria-labelledby="heading-${name}">
      <details open>
        <summary>
          ${icon("down", 16)}
          <h2 id="heading-${name}">${heading}</h2>
          ${name === "steps" ? nothing : this.#fresh(name)}
        </summary>
        <div class="inside">${inside}</div>
      </details>
      ${this.#tools(name, heading)} ${this.#threads(name)}
    </section>`;
  }

  #steps(steps: readonly PlanStep[]): TemplateResult {
    return this.#part(
      "steps",
      html`${stepGraph(steps, {
          isOpen: this.showsGraph,
          onToggle: (isOpen) => (this.showsGraph = isOpen),
          onStep: (step) => void this.goTo(stepPlace(step)),
        })}
        <ol
          class="steps"
          aria-label=${t("review.section_steps")}
          @keydown=${(event: KeyboardEvent) => this.#walk(event)}
        >
          ${steps.slice(0, this.stepsDrawn).map((step, index) => this.#step(step, index + 1))}
        </ol>`,
    );
  }

  /** Of hundreds of steps few change with what happens while they are read: only those are drawn again. */
  #step(given: PlanStep, number: number): unknown {
    const place = stepPlace(number);
    const notes = this.#places.get(place);
    const isNoted = this.noting !== undefined && placeOfTarget(this.noting) === place;
    const present = this.present.get(given.step);
    return guard(
      [
        language.get(),
        given,
        number === this.active,
        present,
        this.failed.get(given.step),
        this.#progress.fresh.has(place),
        notes,
        notes === undefined ? undefined : this.actionable,
        isNoted ? this.noting : undefined,
        this.noteApproval,
      ],
      () => this.#drawnStep(given, number, present),
    );
  }

  #drawnStep(given: PlanStep, number: number, present: ReturnType<PresentSteps["get"]>): TemplateResult {
    const { step, status } = given;
    const place = stepPlace(number);
    const now = present?.status ?? status;
    return html`<li
      class="step"
      id=${place}
      data-place=${place}
      tabindex=${number === this.active ? 0 : -1}
      @focus=${() => (this.active = number)}
    >
      <span class="number ${now}" data-skip>
        <span class="unseen">${t("review.stepNumber", { number })}, ${t(`review.status_${now}`)}. </span>
        <span aria-hidden="true">${now === "completed" ? icon("check", 14) : number}</span>
      </span>
      ${this.#fresh(place)}
      <div data-words=${place}>
        ${stepWords(given, {
          number,
          present,
          failedCount: this.failed.get(step) ?? 0,
          run: this.#toRun(place),
          call: (callId) => this.#toRun(`call-${callId}`),
        })}
      </div>
      ${this.#tools(place, t("review.stepNumber", { number }))} ${this.#threads(place)}
    </li>`;
  }

  /** In the view that shows the plan being carried out. */
  #toRun(id: string): CallLink {
    const href = `${this.app.router.href("run", { sessionId: this.sessionId })}#${id}`;
    const onGo = (event: Event): void => {
      event.preventDefault();
      this.app.router.open(href);
    };
    return { href, onGo };
  }

  /** Up and down between steps; what stands inside of one is reached by Tab. */
  #walk(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const [at] = event.composedPath();
    if (by === undefined || event.altKey || !(at instanceof HTMLElement) || !at.classList.contains("step")) return;
    const next = this.renderRoot.querySelector<HTMLElement>(`#step-${this.active + by}`);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  }

  #tools(place: Place, name: string): TemplateResult | typeof nothing {
    const open = (this.#places.get(place) ?? []).filter(isUnanswered).length;
    const target = this.noteApproval === undefined ? undefined : targetAt(place);
    const copied = writtenAt(place, this.plan.body);
    if (open === 0 && target === undefined && copied === undefined) return nothing;
    const isStop = !place.startsWith("step-") || place === stepPlace(this.active);
    return html`<div class="tools" data-skip>
      ${open === 0 ? nothing : html`<span class="badge waiting" title=${t("review.openNotes", { count: open })}>${open}</span>`}
      ${
        copied === undefined
          ? nothing
          : html`<button
              class="button bare"
              tabindex=${isStop ? 0 : -1}
              aria-label="${t("parts.copy")}: ${name}"
              @click=${() => void copyText(this.app, copied)}
            >
              ${reviewIcon("copy")}
            </button>`
      }
      ${
        target === undefined
          ? nothing
          : html`<button
              class="button bare"
              tabindex=${isStop ? 0 : -1}
              aria-label=${t("review.noteOn", { place: name })}
              @click=${() => this.#ask(target)}
            >
              ${icon("note", 16)}
            </button>`
      }
    </div>`;
  }

  #threads(place: Place): TemplateResult | typeof nothing {
    const notes = this.#places.get(place) ?? [];
    const { noting, noteApproval } = this;
    const isHere = noting !== undefined && placeOfTarget(noting) === place && noteApproval !== undefined;
    if (notes.length === 0 && !isHere) return nothing;
    return html`<div class="threads" data-skip>
      ${repeat(
        notes,
        ({ id }) => id,
        (note) =>
          html`<hp-note-thread
            .app=${this.app}
            .sessionId=${this.sessionId}
            .note=${note}
            .mayAct=${this.actionable.has(note.id)}
          ></hp-note-thread>`,
      )}
      ${
        isHere
          ? html`<hp-note-form
              .app=${this.app}
              .sessionId=${this.sessionId}
              .approvalId=${noteApproval}
              .target=${noting}
            ></hp-note-form>`
          : nothing
      }
    </div>`;
  }

  #selection(): TemplateResult | typeof nothing {
    if (this.selected === undefined || this.noteApproval === undefined) return nothing;
    const { rect, target } = this.selected;
    const top = Math.min(rect.bottom + 6, innerHeight - 48);
    const left = Math.max(8, Math.min(rect.left, innerWidth - 220));
    return html`<button
      class="button primary select"
      style=${cssVars({ "--top": `${top}px`, "--left": `${left}px` })}
      @pointerdown=${(event: Event) => event.preventDefault()}
      @click=${() => this.#ask(target)}
    >
      ${icon("note", 16)}${t("review.noteOnWords")}
    </button>`;
  }

  #outline(): TemplateResult {
    const { current, fresh } = this.#progress;
    return outline(this.plan.body, {
      current,
      isFresh: (place) => fresh.has(place) && !this.#progress.isRead(place),
      openIn: (name) => this.#openIn(name),
      onGo: (event, id) => this.#jump(event, id),
    });
  }

  #openIn(name: PlanSection | "steps"): number {
    const isHere = (place: Place): boolean => place === name || (name === "steps" && place.startsWith("step-"));
    const notes = [...this.#places].filter(([place]) => isHere(place)).flatMap(([, here]) => here);
    return notes.filter(isUnanswered).length;
  }

  #jump(event: Event, name: string): void {
    event.preventDefault();
    history.replaceState(null, "", `#${name}`);
    void this.goTo(name);
  }
}

customElements.define("hp-plan-document", PlanDocument);
