/** Where a new session works, as which agent and with which model; the model can be chosen here. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../src/all-methods.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { icon } from "../parts/icon.ts";
import "../parts/menu.ts";
import type { MenuItem } from "../parts/menu.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";

type Defaults = ResultOf<"sessions.defaults">;

/** Chosen in the settings, where several can be named. */
const ANOTHER = "…";

class WorkPlace extends AppElement {
  static override properties = { defaults: { state: true } };
  static override styles = [
    base,
    buttons,
    css`
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: var(--hp-1) var(--hp-3);
        align-items: center;
      }

      dd {
        min-inline-size: 0;
      }

      dd.clip {
        direction: rtl; /* of a long folder the end tells most */
        unicode-bidi: normal;
        text-align: end;
      }

      dd.clip bdi {
        direction: ltr;
      }

      .demo {
        margin-block-start: var(--hp-2);
        color: var(--hp-waiting);
      }
    `,
  ];

  /** Undefined until it is known. */
  declare defaults: Defaults | undefined;
  #wasOnline = false;

  protected override reads() {
    return [this.app.state.connection];
  }

  /** Read again after each time that the gateway was away: its configuration may be another. */
  protected override willUpdate(): void {
    const online = isOnline(this.app.state.connection.get());
    if (online && !this.#wasOnline) void this.#read();
    this.#wasOnline = online;
  }

  /** The view works without it, also with a gateway that does not know the method yet. */
  async #read(): Promise<void> {
    this.defaults = await this.app.call("sessions.defaults", {}).catch(() => undefined);
  }

  async #choose(name: string): Promise<void> {
    const path = this.defaults?.modelSetting ?? undefined;
    if (path === undefined) return;
    if (name === ANOTHER) return this.app.router.open(`/settings?at=${encodeURIComponent(path)}`);
    const done = await this.app.attempt(() => this.app.call("config.set", { path, value: name }));
    if (done === undefined) return;
    this.app.notices.tell(t("palette.modelChosen", { model: visibly(name) }));
    await this.#read();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { defaults } = this;
    if (defaults === undefined) return nothing;
    const { agentId, workspace, models } = defaults;
    return html`
      <dl class="small">
        <dt class="quiet">${t("palette.workspace")}</dt>
        <dd class="clip" title=${visibly(workspace)}><bdi>${visibly(workspace)}</bdi></dd>
        <dt class="quiet">${t("palette.agent")}</dt>
        <dd>${visibly(agentId)}</dd>
        <dt class="quiet">${t("palette.model")}</dt>
        <dd>${this.#models(defaults)}</dd>
      </dl>
      ${models[0] === "demo" ? html`<p class="small demo">${t("palette.demo")}</p>` : nothing}
    `;
  }

  #models({ models, modelSetting, choosable }: Defaults): TemplateResult {
    const shown = models.map(visibly).join(", ");
    const mayChoose = operatorOf(this.app.state.connection.get())?.scopes.includes("operator.admin") ?? false;
    if (modelSetting === null || !mayChoose) return html`${shown}`;
    const items: MenuItem[] = choosable.map(({ name, ready }) => ({
      id: name,
      label: visibly(name),
      checked: models[0] === name,
      ...(ready ? {} : { hint: t("palette.noKey") }),
    }));
    return html`<hp-menu
      look=""
      align="start"
      label=${t("palette.chooseModel", { model: shown })}
      .items=${[...items, { id: ANOTHER, label: t("palette.another") }]}
      @hp-choose=${({ detail }: CustomEvent<string>) => this.#choose(detail)}
      >${shown}${icon("down", 16)}</hp-menu
    >`;
  }
}

customElements.define("hp-work-place", WorkPlace);
