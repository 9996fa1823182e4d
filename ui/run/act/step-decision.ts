/** `<hp-step-decision .step=${…}>`: holds or skips an open step of the plan that is carried out, or accepts a held one. */
import { html, nothing, type TemplateResult } from "lit";
import { sayList } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { nameOf } from "../../localized/name-of.ts";
import "../../parts/dialog.ts";
import "../../parts/menu.ts";
import { RunDecision } from "./run-decision.ts";
import type { Stage } from "./stages-of.ts";

class StepDecision extends RunDecision {
  static override properties = { step: { attribute: false }, isSure: { state: true } };

  declare step: Stage;
  /** Whether the person is being asked once more: a skipped step stays skipped. */
  declare isSure: boolean;

  constructor() {
    super();
    this.isSure = false;
  }

  protected get about(): string {
    return `step:${this.step.number}`;
  }

  #stage(action: "release" | "hold" | "skip", event?: Event): void {
    const { digest } = this.plan;
    void this.send(action, { digest, steps: [this.step.number] }, event);
  }

  #chosen(choice: string): void {
    if (choice === "hold") this.#stage("hold");
    else this.isSure = true;
  }

  protected override render(): TemplateResult {
    return html`<div class="actions">${this.step.isHeld ? this.#held() : nothing} ${this.#menu()}</div>
      ${this.#signed()} ${this.state()} ${this.isSure ? this.#sure() : nothing}`;
  }

  #held(): TemplateResult {
    const { number } = this.step;
    return html`<span class="chip waiting">${t("run.held")}</span> ${
        this.mayDecide
          ? html`<button
              class="button small"
              ?disabled=${!this.isReady}
              @click=${(event: Event) => this.#stage("release", event)}
            >
              ${t("run.acceptStep", { step: number })}
            </button>`
          : nothing
      }`;
  }

  #menu(): TemplateResult | typeof nothing {
    if (!this.mayDecide) return nothing;
    const hold = { id: "hold", label: t("run.hold"), hint: t("run.holdHint") };
    const skip = { id: "skip", label: t("run.skip"), hint: t("run.skipHint") };
    return html`<hp-menu
      label=${t("run.stepMenu", { step: this.step.number })}
      ?disabled=${!this.isReady}
      .items=${this.step.isHeld ? [skip] : [hold, skip]}
      @hp-choose=${({ detail }: CustomEvent<string>) => this.#chosen(detail)}
    ></hp-menu>`;
  }

  #signed(): TemplateResult | typeof nothing {
    const { signedBy } = this.step;
    if (signedBy.length === 0) return nothing;
    return html`<p class="small quiet">${t("run.stepSigned", { names: sayList(signedBy.map(nameOf)) })}</p>`;
  }

  #sure(): TemplateResult {
    const { number } = this.step;
    const close = (): void => void (this.isSure = false);
    return html`<hp-dialog open heading=${t("run.skipSure", { step: number })} @hp-close=${close}>
      <div class="stack">
        <p>${t("run.skipHint")}</p>
        <div class="row">
          <button class="button" autofocus @click=${close}>${t("app.cancel")}</button>
          <button
            class="button danger"
            ?disabled=${!this.isReady}
            @click=${(event: Event) => {
              this.#stage("skip", event);
              close();
            }}
          >
            ${t("run.skip")}
          </button>
        </div>
      </div>
    </hp-dialog>`;
  }
}

customElements.define("hp-step-decision", StepDecision);
