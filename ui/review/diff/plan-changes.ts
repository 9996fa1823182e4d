/** `<hp-plan-changes>`: what one revision changed against another, readable or raw, with the notes that it answers. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import type { PlanDiff } from "../../../src/plan-mode/protocol/review.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { fields } from "../../parts/look/fields.ts";
import { marks } from "../../parts/look/marks.ts";
import "../../parts/tabs.ts";
import { base } from "../../theme/base.ts";
import { visibly } from "../../text/visibly.ts";
import { blockChanges, blockLook } from "./block-list.ts";
import { answered, changeLook, diffParts, stepChanges } from "./change-list.ts";

type Loaded = { status: "loading" } | { status: "failed" } | { status: "ready"; diff: PlanDiff | null };

export class PlanChanges extends AppElement {
  static override properties = {
    revisions: { attribute: false },
    plan: { attribute: false },
    from: { state: true },
    loaded: { state: true },
    isRaw: { state: true },
  };
  static override styles = [
    base,
    buttons,
    fields,
    marks,
    changeLook,
    blockLook,
    css`
      :host {
        display: grid;
        gap: var(--hp-4);
        max-inline-size: var(--hp-reading);
        margin-inline: auto;
      }

      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--hp-2) var(--hp-4);
      }

      .bar select {
        inline-size: auto;
      }

      pre {
        margin: 0;
        padding: var(--hp-3);
        overflow-x: auto;
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-surface);
        line-height: 1.45;
      }

      pre .added {
        background: var(--hp-good-soft);
        color: var(--hp-good);
      }

      pre .removed {
        background: var(--hp-bad-soft);
        color: var(--hp-bad);
      }

      pre .place {
        color: var(--hp-quiet);
      }
    `,
  ];

  declare revisions: readonly PlanRevision[];
  declare plan: PlanRevision;
  /** Compared with this one; undefined: with the one before. */
  declare from: number | undefined;
  declare loaded: Loaded;
  declare isRaw: boolean;
  #run = 0;

  constructor() {
    super();
    this.loaded = { status: "loading" };
    this.isRaw = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("plan")) this.from = undefined;
    if (changed.has("plan") || changed.has("from")) void this.#load();
  }

  async #load(): Promise<void> {
    this.#run += 1;
    const own = this.#run;
    this.loaded = { status: "loading" };
    const { from, plan } = this;
    const asked = { planId: plan.planId, to: plan.planId, ...(from === undefined ? {} : { from }) };
    const answer = await this.app.attempt(() => this.app.call("plans.diff", asked));
    if (own !== this.#run) return;
    this.loaded = answer === undefined ? { status: "failed" } : { status: "ready", diff: answer.diff };
    await this.updateComplete;
    emit(this, "hp-changes-shown");
  }

  /** Scrolls to the change that answers a note. */
  goToAnswer(noteId: string): void {
    const diff = this.loaded.status === "ready" ? this.loaded.diff : null;
    const step = diff?.steps.find(({ answers }) => answers.some((answer) => answer.noteId === noteId));
    const section = diff?.sections.find(({ answers }) => answers.some((answer) => answer.noteId === noteId));
    const id =
      step !== undefined
        ? `change-${step.to === null ? "was" : "step"}-${step.to ?? step.from}`
        : section === undefined
          ? "elsewhere"
          : `change-${section.section}`;
    const found = this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    found?.scrollIntoView({ block: "center" });
    found?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const before = this.revisions.filter(({ revision }) => revision < this.plan.revision);
    if (before.length === 0) return html`<p class="empty">${t("review.diffFirst")}</p>`;
    return html`${this.#bar(before)} ${this.#body()}`;
  }

  #bar(before: readonly PlanRevision[]): TemplateResult {
    const from = this.from ?? before.at(-1)?.revision;
    return html`<div class="bar">
      <label class="row small">
        <span>${t("review.compare")}</span>
        <select
          class="input"
          @change=${({ target }: Event) => {
            if (target instanceof HTMLSelectElement) this.from = Number(target.value);
          }}
        >
          ${before.map(
            ({ revision }) =>
              html`<option value=${revision} ?selected=${revision === from}>
                ${t("review.compareWith", { revision })}
              </option>`,
          )}
        </select>
      </label>
      <span class="grow"></span>
      <hp-tabs
        label=${t("review.diffLook")}
        .tabs=${[
          { id: "readable", label: t("review.diffReadable") },
          { id: "raw", label: t("review.diffRaw") },
        ]}
        selected=${this.isRaw ? "raw" : "readable"}
        @hp-select=${({ detail }: CustomEvent<string>) => (this.isRaw = detail === "raw")}
      ></hp-tabs>
    </div>`;
  }

  #body(): TemplateResult {
    const { loaded } = this;
    if (loaded.status === "loading") return html`<p class="empty">${t("review.loading")}</p>`;
    if (loaded.status === "failed") {
      return html`<p class="empty">
        ${t("review.failed")} <button class="button" @click=${() => this.#load()}>${t("review.tryAgain")}</button>
      </p>`;
    }
    const { diff } = loaded;
    if (diff === null) return html`<p class="empty">${t("review.diffFirst")}</p>`;
    if (this.isRaw) return rawDiff(diff.raw);
    return this.#readable(diff);
  }

  #readable(diff: PlanDiff): TemplateResult {
    const onNote = (noteId: string): void => emit(this, "hp-see-note", noteId);
    const isSame =
      diff.title === null &&
      diff.sections.length === 0 &&
      diff.steps.every(({ change, moved }) => change === "same" && !moved);
    if (isSame && diff.declaredElsewhere.length === 0) return html`<p class="empty">${t("review.diffSame")}</p>`;
    return html`
      ${
        diff.declaredElsewhere.length === 0
          ? nothing
          : html`<div class="change" id="elsewhere" tabindex="-1">
              <p class="small">${t("review.declaredElsewhere")}</p>
              <div class="about">${answered(diff.declaredElsewhere, onNote)}</div>
            </div>`
      }
      ${
        diff.title === null
          ? nothing
          : html`<div class="change changed">
              <div class="about"><span class="chip accent">${t("review.titleChanged")}</span></div>
              ${diffParts(diff.title)}
            </div>`
      }
      <section class="stack" aria-label=${t("review.section_steps")}>
        <h2>${t("review.section_steps")}</h2>
        ${stepChanges(diff.steps, onNote)}
      </section>
      ${diff.sections.map(
        ({ section, change, text, answers, blocks }) =>
          html`<section class="stack" aria-label=${t(`review.section_${section}`)}>
            <h2>${t(`review.section_${section}`)}</h2>
            <div class="change ${change}" id="change-${section}" tabindex="-1">
              <div class="about">
                <span class="chip">${t(`review.change_${change}`)}</span>${answered(answers, onNote)}
              </div>
              ${blocks === undefined ? diffParts(text) : blockChanges(blocks)}
            </div>
          </section>`,
      )}
    `;
  }
}

function rawDiff(raw: string): TemplateResult {
  return html`<pre tabindex="0" aria-label=${t("review.diffRaw")}>
${raw.split("\n").map((line) => html`<span class=${lookOf(line)}>${visibly(line)}</span> `)}</pre>`;
}

function lookOf(line: string): string {
  if (/^(?:@@|---|\+\+\+)/.test(line)) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

customElements.define("hp-plan-changes", PlanChanges);
