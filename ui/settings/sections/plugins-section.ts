/** Plugins: what they are, their status, what they ask for. A person agrees only to what was shown. */
import { html, nothing, type TemplateResult } from "lit";
import type { ResultOf } from "../../../src/all-methods.ts";
import { t } from "../../i18n/t.ts";
import "../../parts/dialog.ts";
import { localizedPhrase, localizedText } from "../../localized/localized-text.ts";
import { visibly } from "../../text/visibly.ts";
import { Section } from "../section.ts";

type Plugins = ResultOf<"plugins.list">;
type Plugin = Plugins["plugins"][number];

const TONES: Readonly<Record<Plugin["standing"], string>> = {
  active: "good",
  ready: "good",
  disabled: "",
  refused: "bad",
};

class PluginsSection extends Section<Plugins> {
  static override properties = { asked: { state: true }, isBusy: { state: true } };

  declare asked: { plugin: Plugin; on: boolean } | undefined;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  protected read(): Promise<Plugins> {
    return this.app.call("plugins.list", {});
  }

  async #switch({ plugin, on }: { plugin: Plugin; on: boolean }): Promise<void> {
    const { id, askDigest } = plugin;
    this.asked = undefined;
    this.isBusy = true;
    const done = await this.app.attempt(() =>
      on ? this.app.call("plugins.enable", { id, agree: askDigest }) : this.app.call("plugins.disable", { id }),
    );
    this.isBusy = false;
    const told = { plugin: nameOf(plugin) };
    if (done !== undefined)
      this.app.notices.tell(on ? t("settings.switchedOn", told) : t("settings.switchedOff", told));
    await this.again();
    await this.app.attempt(() => this.app.state.descriptors.reload());
  }

  protected draw({ plugins, problems }: Plugins): TemplateResult {
    return html`
      ${plugins.length === 0 ? html`<p class="quiet">${t("settings.noPlugins")}</p>` : nothing}
      <ul class="items">
        ${plugins.map((plugin) => this.#plugin(plugin))}
      </ul>
      ${
        problems.length === 0
          ? nothing
          : html`<h3>${t("settings.problems")}</h3>
              <ul class="items">
                ${problems.map(
                  ({ id, problem, advice, saidProblem, saidAdvice }) =>
                    html`<li>
                      <div class="grow">
                        <p><code>${visibly(id)}</code></p>
                        <p class="problem">${localizedText(problem, saidProblem)}</p>
                        <p class="small quiet">${localizedText(advice, saidAdvice)}</p>
                      </div>
                    </li>`,
                )}
              </ul>`
      }
      ${this.#question()}
    `;
  }

  #plugin(plugin: Plugin): TemplateResult {
    const { version, standing, tier, because, said } = plugin;
    const isOn = standing !== "disabled";
    const title = nameOf(plugin);
    return html`
      <li>
        <div class="grow">
          <p class="row wrap">
            <strong>${title}</strong><span class="small quiet">${visibly(version)}</span>
            <span class="chip ${TONES[standing]}">${t(`settings.standing_${standing}`)}</span>
            <span class="chip">${t(`settings.tier_${tier}`)}</span>
          </p>
          <p class="small quiet">${aboutOf(plugin)}</p>
          ${because === null ? nothing : html`<p class="small problem">${localizedText(because, said)}</p>`}
        </div>
        ${
          tier === "bundled" || !this.isAdmin
            ? nothing
            : html`<button
                class="button"
                ?disabled=${!this.isOnline || this.isBusy}
                aria-label=${`${isOn ? t("settings.disable") : t("settings.enable")}: ${title}`}
                @click=${() => (this.asked = { plugin, on: !isOn })}
              >
                ${isOn ? t("settings.disable") : t("settings.enable")}
              </button>`
        }
      </li>
    `;
  }

  #question(): TemplateResult {
    const { asked } = this;
    const plugin = asked === undefined ? "" : nameOf(asked.plugin);
    const heading =
      asked?.on === true ? t("settings.enableHeading", { plugin }) : t("settings.disableHeading", { plugin });
    return html`<hp-dialog heading=${heading} ?open=${asked !== undefined} @hp-close=${() => (this.asked = undefined)}>
      <div class="stack">
        ${asked?.on === true ? asks(asked.plugin) : html`<p>${t("settings.disableHint")}</p>`}
        <div class="row wrap">
          <button
            class="button ${asked?.on === true ? "primary" : "danger"}"
            @click=${() => asked !== undefined && this.#switch(asked)}
          >
            ${asked?.on === true ? t("settings.agree") : t("settings.disable")}
          </button>
          <button class="button" @click=${() => (this.asked = undefined)}>${t("settings.cancel")}</button>
        </div>
      </div>
    </hp-dialog>`;
  }
}

/** Bundled plugins are named in the language of the person; others name themselves. */
const nameOf = ({ id, tier, name }: Plugin): string => ownPhrase("plugin", { id, tier }) ?? visibly(name);
const aboutOf = ({ id, tier, description }: Plugin): string => ownPhrase("about", { id, tier }) ?? visibly(description);
const ownPhrase = (what: string, { id, tier }: Pick<Plugin, "id" | "tier">): string | undefined =>
  tier === "bundled" ? localizedPhrase(`${what}_${id.replaceAll("-", "_")}`) : undefined;

/** All of it, in the plugin's own terms: needs, commands, tools, policies, hooks. */
function asks({ ask }: Plugin): TemplateResult {
  const lines = [...ask.needs, ...ask.commands, ...ask.tools, ...ask.policies, ...ask.hooks];
  if (lines.length === 0) return html`<p>${t("settings.asksNothing")}</p>`;
  return html`<p>${t("settings.asksFor")}</p>
    <ul>
      ${lines.map((line) => html`<li><code>${visibly(line)}</code></li>`)}
    </ul>`;
}

customElements.define("hp-plugins-section", PluginsSection);
