/** `<hp-plan-start>`: before a plan is submitted, a person chooses its kind and the skill whose steps the draft begins with. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { PlanResultOf } from "../../../src/plan-mode/protocol/plan-methods.ts";
import type { PhaseOf } from "../../../src/plan-mode/protocol/state.ts";
import { ARCHETYPES } from "../../../src/plan-mode/protocol/template/archetype-names.ts";
import { AppElement } from "../../app/app-element.ts";
import { localizedPhrase } from "../../localized/localized-text.ts";
import { fields } from "../../parts/look/fields.ts";
import { isOnline, mayDecide, operatorOf } from "../../state/connection.ts";
import { base } from "../../theme/base.ts";
import { lineOrBlock } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";

type Templates = PlanResultOf<"plans.templates">["templates"];

class PlanStart extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    draft: { attribute: false },
    templates: { state: true },
  };
  static override styles = [
    base,
    fields,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-3);
        inline-size: min(100%, var(--hp-reading));
        margin-inline: auto;
        padding: var(--hp-3);
      }

      .choices {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-3);
      }

      .field {
        min-inline-size: 0;
      }

      select {
        max-inline-size: 100%;
      }

      ol {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--hp-1);
        padding-inline-start: 2rem;
        list-style: decimal;
        overflow-wrap: anywhere;
      }
    `,
  ];

  declare sessionId: SessionId;
  declare draft: PhaseOf<"exploring">;
  declare templates: Templates;

  constructor() {
    super();
    this.templates = [];
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("sessionId")) void this.#load();
  }

  async #load(): Promise<void> {
    const { sessionId } = this;
    const found = await this.app.call("plans.templates", { sessionId }).catch(() => undefined);
    if (sessionId === this.sessionId) this.templates = (found?.templates ?? []).filter(({ steps }) => steps.length > 0);
  }

  async #chooseKind(value: string): Promise<void> {
    const planArchetype = ARCHETYPES.find((kind) => kind === value) ?? null;
    await this.app.attempt(() => this.app.call("sessions.patch", { sessionId: this.sessionId, planArchetype }));
  }

  async #chooseSkill(skill: string): Promise<void> {
    if (skill === "") return;
    await this.app.attempt(() => this.app.call("plans.seed", { sessionId: this.sessionId, skill }));
  }

  protected override render(): TemplateResult {
    const connection = this.app.state.connection.get();
    const isFree = isOnline(connection) && mayDecide(operatorOf(connection));
    const { steps, cycle } = this.draft;
    return html`<div class="choices">
        <label class="field"
          >${localizedPhrase("chooseKind")}<select
            class="input"
            name="archetype"
            ?disabled=${!isFree}
            @change=${(event: Event) => void this.#chooseKind(valueOf(event))}
          >
            <option value="" ?selected=${cycle.archetype === undefined}>${localizedPhrase("kindAny")}</option>
            ${ARCHETYPES.map(
              (kind) =>
                html`<option value=${kind} ?selected=${cycle.archetype?.name === kind}>
                  ${localizedPhrase(`archetype_${kind.replaceAll("-", "_")}`)}
                </option>`,
            )}
          </select></label
        >
        ${this.templates.length === 0 ? nothing : this.#skills(isFree)}
      </div>
      ${
        cycle.seed === undefined
          ? nothing
          : html`<p>
              ${localizedPhrase("planSeeded", { skill: visibly(cycle.seed.skill), steps: String(steps.length) })}
            </p>`
      }
      ${
        steps.length === 0
          ? nothing
          : html`<ol>
              ${steps.map(({ step }) => html`<li>${lineOrBlock(step)}</li>`)}
            </ol>`
      }`;
  }

  #skills(isFree: boolean): TemplateResult {
    const { seed } = this.draft.cycle;
    const isTaken = this.draft.steps.length > 0 && seed?.untouched !== true;
    return html`<label class="field"
      >${localizedPhrase("chooseTemplate")}<select
        class="input"
        name="template"
        ?disabled=${!isFree || isTaken}
        @change=${(event: Event) => void this.#chooseSkill(valueOf(event))}
      >
        <option value="" ?selected=${seed === undefined}></option>
        ${this.templates.map(
          ({ skill }) => html`<option value=${skill} ?selected=${seed?.skill === skill}>${visibly(skill)}</option>`,
        )}
      </select></label
    >`;
  }
}

const valueOf = ({ target }: Event): string => (target instanceof HTMLSelectElement ? target.value : "");

customElements.define("hp-plan-start", PlanStart);
