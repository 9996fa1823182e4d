/** One element of a descriptor as a template. A kind that this page does not know is left out. */
import { html, nothing, type TemplateResult } from "lit";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { App } from "../app/app.ts";
import { t } from "../i18n/t.ts";
import { isRecord } from "../run/record-fields.ts";
import type { LeafOf, UiElement } from "./ui-element.ts";
import { isShown, sayValue, textOf, toneClass, valueAt } from "./values.ts";

const ROWS_SHOWN_MAX = 100;

export type SlotContext = {
  app: App;
  pluginId: string;
  sessionId: SessionId | undefined;
  /** What the plugin shows of the session. */
  data: JsonObject;
  isOnline: boolean;
};

type Drawn = TemplateResult | typeof nothing;

export function drawElement(element: UiElement, context: SlotContext): Drawn {
  const { data } = context;
  switch (element.kind) {
    case "text":
      return html`<p class="text tone ${toneClass(element.tone)}">${textOf(element.text, data)}</p>`;
    case "badge":
      return html`<span class="chip ${toneClass(element.tone)}">${textOf(element.text, data)}</span>`;
    case "facts":
      return drawFacts(element, data);
    case "table":
      return drawTable(element, data);
    case "form":
      return html`<hp-plugin-form .context=${context} .form=${element}></hp-plugin-form>`;
    case "action":
      return html`<hp-plugin-action .context=${context} .action=${element}></hp-plugin-action>`;
    case "card":
      return drawCard(element, context);
    default:
      return nothing; // of a newer gateway
  }
}

function drawCard({ title, children }: Extract<UiElement, { kind: "card" }>, context: SlotContext): Drawn {
  const shown = children.filter((child) => isShown(child, context.data));
  return html`<div class="card panel">
    ${title === undefined ? nothing : html`<strong>${textOf(title, context.data)}</strong>`}
    ${shown.map((child) => drawElement(child, context))}
  </div>`;
}

const drawFacts = ({ facts }: LeafOf<"facts">, data: JsonObject): Drawn => html`
  <dl class="facts">
    ${facts.map(
      ({ label, value }) =>
        html`<div>
          <dt class="quiet">${textOf(label, data)}</dt>
          <dd>${textOf(value, data)}</dd>
        </div>`,
    )}
  </dl>
`;

function drawTable({ columns, rows: { path }, empty }: LeafOf<"table">, data: JsonObject): Drawn {
  const found = valueAt(data, path);
  const rows = Array.isArray(found) ? found.filter(isRecord) : [];
  if (rows.length === 0) {
    return html`<p class="quiet small">${empty === undefined ? t("slots.emptyTable") : textOf(empty, data)}</p>`;
  }
  const more = rows.length - ROWS_SHOWN_MAX;
  return html`
    <div class="wide" tabindex="0" role="group">
      <table class="small">
        <thead>
          <tr>
            ${columns.map(({ label }) => html`<th scope="col">${textOf(label, data)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, ROWS_SHOWN_MAX).map(
            (row) =>
              html`<tr>
                ${columns.map(
                  ({ field }) => html`<td>${sayValue(Object.hasOwn(row, field) ? row[field] : undefined)}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more > 0 ? html`<p class="small quiet">${t("slots.moreRows", { count: more })}</p>` : nothing}
  `;
}
