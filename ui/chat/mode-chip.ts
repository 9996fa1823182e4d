/** How much the agent may do in this session, in a word; its menu and Ctrl+1 … Ctrl+6 change it. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { PlanModeState } from "../../src/protocol/plan-mode.ts";
import { AppElement } from "../app/app-element.ts";
import { mayDecide } from "../cards/card-of.ts";
import { t } from "../i18n/t.ts";
import "../parts/dialog.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import "../parts/menu.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { base } from "../theme/base.ts";
import { changesTo, type Mode, modeOf, MODES, type ModeWarning, warningFor } from "./mode-of.ts";

type Asking = { mode: Mode; about: ModeWarning };

class ModeChip extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    plan: { attribute: false },
    asking: { state: true },
    isChanging: { state: true },
  };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: inline-block;
      }

      .mode {
        display: inline-flex;
        gap: var(--hp-1);
        align-items: center;
        font-size: var(--hp-size-small);
      }

      .loose {
        color: var(--hp-bad);
      }

      .plan {
        color: var(--hp-accent-strong);
      }
    `,
  ];

  declare sessionId: SessionId;
  declare plan: PlanModeState;
  declare asking: Asking | undefined;
  declare isChanging: boolean;
  #stopKeys = (): void => undefined;

  constructor() {
    super();
    this.isChanging = false;
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      ...MODES.map((mode, index) => ({
        key: `Ctrl+${index + 1}`,
        does: `cards.modeKey_${mode}` as const,
        run: () => this.#choose(mode),
      })),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeys();
  }

  get #isFree(): boolean {
    const connection = this.app.state.connection.get();
    return isOnline(connection) && mayDecide(operatorOf(connection)) && !this.isChanging;
  }

  #choose(mode: Mode): void {
    if (!this.#isFree || this.asking !== undefined || modeOf(this.plan) === mode) return;
    const about = warningFor(mode, this.plan);
    if (about === undefined) void this.#change(mode);
    else this.asking = { mode, about };
  }

  async #change(mode: Mode): Promise<void> {
    const { sessionId } = this;
    this.isChanging = true;
    const done = await this.app.attempt(async () => {
      for (const change of changesTo(mode, this.plan)) await this.app.call("sessions.patch", { sessionId, ...change });
      return true;
    });
    this.isChanging = false;
    if (done === true) this.app.notices.tell(t(`cards.modeIs_${mode}`));
  }

  protected override render(): TemplateResult {
    const mode = modeOf(this.plan);
    const name = t(`cards.mode_${mode}`);
    const tone = mode === "bypass" || mode === "auto" || mode === "custom" ? "loose" : mode === "plan" ? "plan" : "";
    return html`
      <hp-menu
        look="bare"
        label=${t("cards.mode", { mode: name })}
        ?disabled=${!this.#isFree}
        .items=${MODES.map((id, index) => ({
          id,
          label: t(`cards.mode_${id}`),
          key: `Ctrl+${index + 1}`,
          checked: id === mode,
        }))}
        @hp-choose=${({ detail }: CustomEvent<Mode>) => this.#choose(detail)}
        ><span class="mode ${tone}"
          >${icon(mode === "plan" ? "plan" : "settings", 16)}${name}${icon("down", 14)}</span
        ></hp-menu
      >
      ${this.asking === undefined ? nothing : this.#sure(this.asking)}
    `;
  }

  #sure({ mode, about }: Asking): TemplateResult {
    const close = (): void => void (this.asking = undefined);
    return html`
      <hp-dialog open heading=${t(`cards.sure_${about}`)} @hp-close=${close}>
        <div class="stack">
          <p>${t(`cards.sureText_${about}`)}</p>
          <div class="row">
            <button class="button" autofocus @click=${close}>${t("cards.cancel")}</button>
            <button
              class="button danger"
              @click=${() => {
                close();
                void this.#change(mode);
              }}
            >
              ${t(`cards.sureYes_${about}`)}
            </button>
          </div>
        </div>
      </hp-dialog>
    `;
  }
}

customElements.define("hp-mode-chip", ModeChip);
