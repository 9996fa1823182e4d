/** How much the agent may do in this session, in a word; its menu (M, then a digit) and Ctrl+1 … Ctrl+6 change it. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { AppElement } from "../app/app-element.ts";
import { mayDecide } from "../state/connection.ts";
import { t, withTexts } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { HpMenu } from "../parts/menu.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { base } from "../theme/base.ts";
import {
  changesTo,
  type Mode,
  type ModeControls,
  modeOf,
  MODES,
  type ModeWarning,
  offeredModes,
  warningFor,
} from "./mode-of.ts";

type Asking = { mode: Mode; about: ModeWarning };

class ModeChip extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    plan: { attribute: false },
    controls: { attribute: false },
    hintOf: { state: true },
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
  declare controls: ModeControls;
  /** Explains a mode; loaded when the menu is opened first. */
  declare hintOf: ((mode: Mode) => string) | undefined;
  declare asking: Asking | undefined;
  declare isChanging: boolean;
  #stopKeys = (): void => undefined;

  constructor() {
    super();
    this.isChanging = false;
  }

  get #standing() {
    return { ...this.plan, nextRequestPlans: this.controls.nextRequestPlans };
  }

  get #mode(): Mode | "custom" | "held" {
    return modeOf(this.#standing);
  }

  protected override reads() {
    return [this.app.state.connection];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      { key: "m", does: "chat.modeKey", run: () => this.#open() },
      ...MODES.map((mode, index) => ({
        key: `Ctrl+${index + 1}`,
        does: `chat.modeKey_${mode}` as const,
        run: () => void this.#choose(mode),
      })),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeys();
  }

  #open(): void {
    const menu = this.renderRoot.querySelector("hp-menu");
    if (menu instanceof HpMenu) menu.show();
  }

  get #mayUse(): boolean {
    const connection = this.app.state.connection.get();
    return isOnline(connection) && mayDecide(operatorOf(connection));
  }

  /** A menu without explanations is still a menu. */
  async #explain(): Promise<void> {
    const loaded = await withTexts(() => import("./mode-hint.ts"), "modes").catch(() => undefined);
    this.hintOf = loaded?.modeHint;
  }

  async #choose(mode: Mode): Promise<void> {
    if (!this.#mayChangeTo(mode)) return;
    const about = warningFor(mode, this.#standing);
    if (about === undefined) return this.#change(mode);
    const loaded = await this.app.attempt(() => withTexts(() => import("./sure-dialog.ts"), "modes"));
    if (loaded !== undefined && this.#mayChangeTo(mode)) this.asking = { mode, about };
  }

  #mayChangeTo(mode: Mode): boolean {
    const isOffered = offeredModes(this.controls, this.#mode).includes(mode);
    return isOffered && this.#mayUse && !this.isChanging && this.asking === undefined && this.#mode !== mode;
  }

  async #change(mode: Mode): Promise<void> {
    const { sessionId } = this;
    this.isChanging = true;
    const done = await this.app.attempt(async () => {
      let isHeld = false;
      for (const change of changesTo(mode, this.#standing))
        isHeld = (await this.app.call("sessions.patch", { sessionId, ...change })).session?.mode === "held";
      return { isHeld };
    });
    this.isChanging = false;
    if (done?.isHeld === true) this.app.notices.tell(t("chat.modeIs_held"), "bad");
    else if (done !== undefined) this.app.notices.tell(t(`chat.modeIs_${mode}`));
  }

  protected override render(): TemplateResult {
    const mode = this.#mode;
    const isNext = this.controls.nextRequestPlans && this.plan.now.mode === "normal";
    const name = isNext ? t("chat.modeNext", { mode: t(`chat.mode_${mode}`) }) : t(`chat.mode_${mode}`);
    const tone =
      mode === "bypass" || mode === "auto" || mode === "custom"
        ? "loose"
        : mode === "plan" || mode === "held"
          ? "plan"
          : "";
    return html`
      <hp-menu
        look="bare"
        align="start"
        label=${t("chat.mode", { mode: name })}
        ?disabled=${!this.#mayUse /* not while it changes: the keyboard would be lost */}
        .items=${offeredModes(this.controls, mode).map((id) => ({
          id,
          label: t(`chat.mode_${id}`),
          hint: this.hintOf?.(id) ?? "",
          key: String(MODES.indexOf(id) + 1),
          checked: id === mode,
        }))}
        @hp-open=${() => void this.#explain()}
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
    return html`<hp-sure-dialog
      .about=${about}
      @hp-close=${close}
      @hp-sure=${() => {
        close();
        void this.#change(mode);
      }}
    ></hp-sure-dialog>`;
  }
}

customElements.define("hp-mode-chip", ModeChip);
