/** What plugins contribute to one slot, drawn from their descriptors. Nothing in here can break the page around it. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SessionView } from "../../src/protocol/methods.ts";
import { AppElement } from "../app/app-element.ts";
import { titleOf } from "../app/session/session-title.ts";
import { t } from "../i18n/t.ts";
import { buttons } from "../parts/look/buttons.ts";
import { fields } from "../parts/look/fields.ts";
import { marks } from "../parts/look/marks.ts";
import { isOnline } from "../state/connection.ts";
import type { Contribution } from "../state/descriptors.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import type { SlotName } from "./ui-element.ts";
import { drawElement } from "./draw.ts";
import "./plugin-action.ts";
import "./plugin-form.ts";
import { slotStyles } from "./slot-styles.ts";
import { localizedDescriptor } from "./localized-descriptor.ts";
import { isShown, needsSession } from "./values.ts";

/** Among many sessions the newest are offered; the others are opened by themselves. */
const CHOICES_MAX = 50;

class SlotBody extends AppElement {
  static override properties = {
    name: { reflect: true },
    session: { attribute: false },
    contributions: { attribute: false },
    chosen: { state: true },
  };
  static override styles = [base, buttons, fields, marks, slotStyles];

  declare name: SlotName;
  declare session: SessionView | undefined;
  declare contributions: readonly Contribution[];
  declare chosen: SessionView | undefined;
  #stop = (): void => undefined;
  readonly #size = new ResizeObserver(() => this.#letScroll());

  protected override reads() {
    return [this.app.state.connection, this.app.state.sessions];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.app.state.on("sessions.changed", ({ payload }) => {
      const { chosen } = this;
      if (chosen !== undefined && payload.sessions.some(({ id }) => id === chosen.id)) void this.#choose(chosen.id);
    });
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#size.disconnect();
  }

  protected override updated(): void {
    this.#letScroll();
  }

  /** What scrolls must be reachable by keyboard, and what does not must be no stop on the way. */
  #letScroll(): void {
    const scrolls = this.name === "session-header" && this.scrollHeight > this.clientHeight + 1;
    this.toggleAttribute("tabindex", scrolls);
    if (scrolls) this.tabIndex = 0;
    this.role = scrolls ? "region" : null;
    this.ariaLabel = scrolls ? t("app.sessionMenu") : null;
  }

  get #belongsToPage(): boolean {
    return this.session === undefined && (this.name === "settings" || this.name === "dashboard");
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    const first = this.app.state.sessions.get().sessions[0];
    if (this.#belongsToPage && this.chosen === undefined && first !== undefined) void this.#choose(first.id);
  }

  async #choose(sessionId: SessionView["id"]): Promise<void> {
    const found = await this.app.attempt(() => this.app.call("sessions.get", { sessionId }));
    if (found !== undefined) this.chosen = found.session;
  }

  protected override render(): TemplateResult {
    const session = this.session ?? this.chosen;
    const shown = this.contributions.filter(({ descriptor }) => Array.isArray(descriptor.body));
    const asks = this.#belongsToPage && shown.some(({ descriptor }) => needsSession(descriptor.body));
    return html`
      ${asks ? this.#chooser(session) : nothing}
      ${shown.map((contribution) => this.#contribution(contribution, session))}
    `;
  }

  /** Where a slot lies among headings of its own, its name is one; beside a title or a card it is a word. */
  #heading(label: string): TemplateResult {
    const isAmongHeadings = this.name === "settings" || this.name === "dashboard";
    return isAmongHeadings ? html`<h3>${label}</h3>` : html`<strong class="name">${label}</strong>`;
  }

  #chooser(session: SessionView | undefined): TemplateResult {
    const { sessions } = this.app.state.sessions.get();
    if (sessions.length === 0) return html`<p class="small quiet">${t("slots.noSession")}</p>`;
    return html`<label class="field chooser">
      <span>${t("slots.forSession")}</span>
      <select
        class="input"
        @change=${({ target }: Event) => {
          const found = sessions.find(({ id }) => target instanceof HTMLSelectElement && id === target.value);
          if (found !== undefined) void this.#choose(found.id);
        }}
      >
        ${sessions
          .slice(0, CHOICES_MAX)
          .map((one) => html`<option value=${one.id} ?selected=${one.id === session?.id}>${titleOf(one)}</option>`)}
      </select>
    </label>`;
  }

  #contribution({ pluginId, ...given }: Contribution, session: SessionView | undefined): TemplateResult {
    const data = session?.plugins?.[pluginId] ?? {};
    const context = {
      app: this.app,
      pluginId,
      sessionId: session?.id,
      data,
      isOnline: isOnline(this.app.state.connection.get()),
    };
    const plugin = visibly(pluginId);
    try {
      const descriptor = localizedDescriptor(given.descriptor, pluginId);
      const body = descriptor.body.filter((element) => isShown(element, data));
      return html`
        <section class="contribution" role="group" aria-label=${visibly(descriptor.label)}>
          <header class="head" title=${t("slots.fromPlugin", { plugin })}>
            ${this.#heading(visibly(descriptor.label))}
            <span class="small quiet">${t("slots.fromPlugin", { plugin })}</span>
          </header>
          <div class="body">${body.map((element) => drawElement(element, context))}</div>
        </section>
      `;
    } catch {
      // a descriptor that the gateway let pass and that still cannot be drawn is the plugin's mistake, not the page's
      return html`<p class="small quiet">${t("slots.unreadable", { plugin })}</p>`;
    }
  }
}

customElements.define("hp-slot-body", SlotBody);
