/** The library of all plans: search, what became of each, ways to use one again, and the plans that sessions share. */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { plainLine } from "../../src/protocol/text/inline-markdown.ts";
import type { LibraryEntry, PlanOutcome } from "../../src/library/protocol/library-entry.ts";
import { ViewElement } from "../app/app-element.ts";
import { sayDate } from "../i18n/say.ts";
import { t, withTexts } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { reviewIcon } from "../review/review-icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import "../parts/tabs.ts";
import "./kept-plan.ts";
import { filterBar, filters } from "../parts/filter-bar.ts";
import { inlineText } from "../text/inline-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { TONES } from "./outcome-tones.ts";
import { type Mark, planMarks, planMarksLook, shortened } from "./plan-marks.ts";

const TYPING_MS = 200;
/** While older plans are read into the index, it is looked at again so often. */
const INDEXING_MS = 2_000;
const PAGE = 30;
const SHOWN_MAX = 6;
/** The browser reads the file after the click; soon after nothing needs it any more. */
const RELEASED_AFTER_MS = 60_000;

type Choice = "all" | PlanOutcome;
const CHOICES = ["all", "pending", "approved", "completed", "rejected"] as const satisfies Choice[];

type Look = "all" | "shared";

type Found = { plans: readonly LibraryEntry[]; nextCursor: string | null; indexing: boolean };

class LibraryView extends ViewElement {
  static override properties = {
    found: { state: true },
    chosen: { state: true },
    look: { state: true },
    canShare: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    filters,
    planMarksLook,
    css`
      :host {
        position: relative;
        overflow: auto;
        padding: var(--hp-4);
      }

      .column {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-4);
        max-inline-size: calc(var(--hp-reading) + 8rem);
        margin-inline: auto;
      }

      li.plan {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-1);
        padding-block: var(--hp-3);
        border-block-start: 1px solid var(--hp-line);
        content-visibility: auto;
        contain-intrinsic-size: auto 6rem;
      }

      .plan p {
        overflow-wrap: anywhere;
      }

      .row {
        flex-wrap: wrap;
      }

      summary {
        inline-size: fit-content;
        min-block-size: 1.75rem;
        color: var(--hp-quiet);
        cursor: pointer;
      }

      @media (pointer: coarse) {
        summary {
          min-block-size: 2.75rem;
        }
      }

      form .input {
        flex-basis: 14rem;
      }
    `,
  ];

  declare found: Found | "loading" | "failed";
  declare chosen: Choice;
  declare look: Look;
  /** Whether the code that shows shared plans is here; most people never need it. */
  declare canShare: boolean;
  #query = "";
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** Only the answer to the last question counts. */
  #asked = 0;

  constructor() {
    super();
    this.found = "loading";
    this.chosen = "all";
    this.look = "all";
    this.canShare = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#search();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
  }

  async #search(cursor: string | null = null): Promise<void> {
    const asked = ++this.#asked;
    try {
      const outcome = this.chosen === "all" ? {} : { outcome: this.chosen };
      const page = await this.app.call("library.search", { query: this.#query, cursor, limit: PAGE, ...outcome });
      if (asked !== this.#asked) return;
      const before = cursor === null || typeof this.found === "string" ? [] : this.found.plans;
      this.found = { ...page, plans: [...before, ...page.plans] };
      if (page.indexing && cursor === null && this.isConnected) this.#again(INDEXING_MS);
    } catch {
      if (asked === this.#asked) this.found = "failed";
    }
  }

  #typed(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.#query = event.target.value;
    this.#again(TYPING_MS);
  }

  #again(afterMs: number): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#search(), afterMs);
  }

  #choose(id: Choice): void {
    this.chosen = id;
    void this.#search();
  }

  #lookAt(look: Look): void {
    this.look = look;
    if (look === "all" || this.canShare) return;
    void this.app
      .attempt(() => withTexts(() => import("./shared-plans.ts"), "library"))
      .then((found) => (this.canShare = found !== undefined));
  }

  protected override render(): TemplateResult {
    return html`<div class="column">
      <hp-tabs
        label=${t("library.views")}
        .tabs=${[
          { id: "all", label: t("library.tabAll") },
          { id: "shared", label: t("library.tabShared") },
        ]}
        selected=${this.look}
        @hp-select=${({ detail }: CustomEvent<Look>) => this.#lookAt(detail)}
      ></hp-tabs>
      ${this.look === "all" ? this.#all() : this.#shared()}
    </div>`;
  }

  #shared(): TemplateResult {
    if (!this.canShare) return html`<p class="empty" role="status">${t("library.loading")}</p>`;
    return html`<hp-shared-plans .app=${this.app}></hp-shared-plans>`;
  }

  #all(): TemplateResult {
    return html`<label class="stack">
        <span class="quiet small">${t("library.searchHint")}</span>
        <input
          class="input"
          type="search"
          maxlength="500"
          aria-label=${t("library.search")}
          placeholder=${t("library.search")}
          @input=${(event: InputEvent) => this.#typed(event)}
        />
      </label>
      ${filterBar({
        label: t("library.filter"),
        choices: CHOICES.map((id) => ({ id, label: t(`library.outcome_${id}`) })),
        chosen: this.chosen,
        choose: (id) => this.#choose(id),
      })}
      ${this.#list()}`;
  }

  #list(): TemplateResult {
    const { found } = this;
    if (found === "loading") return html`<p class="empty" role="status">${t("library.loading")}</p>`;
    if (found === "failed") {
      return html`<p class="empty">
        ${t("library.failed")} <button class="button" @click=${() => this.#search()}>${t("library.again")}</button>
      </p>`;
    }
    return html`
      ${found.indexing ? html`<p class="quiet small" role="status">${t("library.indexing")}</p>` : nothing}
      <ol aria-label=${t("library.plans")}>
        ${repeat(
          found.plans,
          ({ planId }) => planId,
          (plan) => this.#plan(plan),
        )}
      </ol>
      ${found.plans.length === 0 ? html`<p class="empty">${t("library.empty")}</p>` : nothing}
      ${
        found.nextCursor === null
          ? nothing
          : html`<button class="button" @click=${() => this.#search(found.nextCursor)}>${t("library.more")}</button>`
      }
    `;
  }

  #plan(plan: LibraryEntry): TemplateResult {
    const { planId, sessionId, title, revision, summary, outcome, rule, submittedAtMs, sessionDeleted } = plan;
    const about = [...plan.people.map(({ name }) => name), ...plan.files.slice(0, SHOWN_MAX).map(shortened)];
    return html`
      <li class="plan" data-plan=${planId}>
        <p class="row">
          <strong>${visibly(plainLine(title))}</strong>
          <span class="chip ${TONES[outcome]}">${t(`library.outcome_${outcome}`)}</span>
        </p>
        <p class="small quiet">
          ${t("library.revision", { revision })} ·
          <time datetime=${new Date(submittedAtMs).toISOString()}>${sayDate(submittedAtMs)}</time>
        </p>
        ${
          rule === undefined
            ? nothing
            : html`<p class="small">
                <span class="chip waiting">${t("library.byRule", { rule: visibly(rule) })}</span>
              </p>`
        }
        ${sessionDeleted === undefined ? nothing : html`<p class="small">${t("library.sessionDeleted")}</p>`}
        ${summary === "" ? nothing : html`<p>${inlineText(summary)}</p>`}
        ${planMarks(plan, (mark) => void this.#unmark(plan, mark))}
        ${about.length === 0 ? nothing : html`<p class="small quiet">${visibly(about.join(" · "))}</p>`}
        <hp-kept-plan .app=${this.app} .planId=${planId}></hp-kept-plan>
        <p class="row">
          <a class="button" href=${this.app.router.href("record", { planId })}
            >${icon("plan", 16)}${t("library.record")}</a
          >
          ${
            sessionDeleted === undefined
              ? html`<a class="button" href=${this.app.router.href("plan", { sessionId })}
                  >${t("library.toSession")}</a
                >`
              : nothing
          }
          <button class="button" @click=${() => this.#reuse(plan)}>${icon("redo", 16)}${t("library.reuse")}</button>
          <button class="button" @click=${() => this.#export(plan)}>
            ${reviewIcon("download")}${t("library.export")}
          </button>
        </p>
        ${this.#marking(plan)}
      </li>
    `;
  }

  /** Tags and links are the library's: the plan itself stays as it was signed. */
  #marking(plan: LibraryEntry): TemplateResult {
    return html`<details>
      <summary class="small">${t("library.mark")}</summary>
      <form class="row" @submit=${(event: SubmitEvent) => void this.#mark(event, plan)}>
        <input
          class="input grow"
          name="mark"
          maxlength="500"
          required
          aria-label=${t("library.mark")}
          placeholder=${t("library.markHint")}
        />
        <button class="button">${t("library.markAdd")}</button>
      </form>
    </details>`;
  }

  async #mark(event: SubmitEvent, { planId }: LibraryEntry): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const given = new FormData(form).get("mark");
    const mark = typeof given === "string" ? given.trim() : "";
    const done = await this.app.attempt(() =>
      LINK.test(mark)
        ? this.app.call("library.link", { planId, link: mark })
        : this.app.call("library.tag", { planId, add: [mark.replace(/^#/, "")] }),
    );
    if (done === undefined) return;
    form.reset();
    this.#replace(done.plan);
  }

  async #unmark({ planId }: LibraryEntry, mark: Mark): Promise<void> {
    const done = await this.app.attempt(() =>
      "link" in mark
        ? this.app.call("library.link", { planId, link: mark.link, remove: true })
        : this.app.call("library.tag", { planId, remove: [mark.tag] }),
    );
    if (done !== undefined) this.#replace(done.plan);
  }

  #replace(changed: LibraryEntry): void {
    if (typeof this.found === "string") return;
    const plans = this.found.plans.map((plan) => (plan.planId === changed.planId ? changed : plan));
    this.found = { ...this.found, plans };
  }

  /** A new session in which the agent plans anew; nothing of the earlier approval counts. */
  #reuse({ planId, title }: LibraryEntry): void {
    void this.app.attempt(async () => {
      const { text } = await this.app.call("library.template", { planId });
      const { session } = await this.app.call("sessions.create", { title: title.slice(0, 100) });
      await this.app.call("chat.send", { sessionId: session.id, text });
      this.app.router.go("session", { sessionId: session.id });
    });
  }

  #export({ planId }: LibraryEntry): void {
    void this.app.attempt(async () => {
      const { filename, mediaType, text } = await this.app.call("library.export", { planId, format: "markdown" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: mediaType }));
      link.download = filename;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), RELEASED_AFTER_MS);
    });
  }
}

/** Everything that is no tag; the gateway checks it. */
const LINK = /^https?:|[#!]\d+$|^[A-Z][A-Z0-9]+-\d+$/;

customElements.define("hp-library-view", LibraryView);
