/** Rows of the conversation as they look. What comes from an agent, a tool or a person shows all that it holds. */
import { html, nothing, type TemplateResult } from "lit";
import type { AttachmentRef } from "../../src/protocol/attachment.ts";
import type { App } from "../app/app.ts";
import { sayDate, sayTime } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { avatar } from "../parts/avatar.ts";
import { icon } from "../parts/icon.ts";
import { localizedText } from "../localized/localized-text.ts";
import type { ReadySession } from "../state/open-session.ts";
import "../text/rich-text.ts";
import { visibly } from "../text/visibly.ts";
import { type Aside, asides } from "./asides.ts";
import type { TalkEvent } from "./record/talk-event.ts";
import type { Row } from "./rows.ts";
import "./attachments/attached-images.ts";
import "./plan/plan-row.ts";
import "./tool/tool-row.ts";

export function entryRow(row: Row, { app, open }: { app: App; open: ReadySession }): TemplateResult {
  switch (row.kind) {
    case "asked":
      return asked(row, { app, open });
    case "said":
      return said(row);
    case "call":
      return html`<div class="used"><hp-tool-row .app=${app} .row=${row} .open=${open}></hp-tool-row></div>`;
    case "plan":
      return html`<div class="used"><hp-plan-row .app=${app} .row=${row} .open=${open}></hp-plan-row></div>`;
    case "notice":
      return row.isError
        ? failed(row, { app, open })
        : html`<p class="note small quiet">${localizedText(row.text, row.said)}</p>`;
    case "event":
      return happened(row.event);
    case "summary":
      return html`<p class="note small quiet">${t("chat.summarised")}</p>`;
    case "aside":
      return reply(row.aside, open);
  }
}

/** What a person did besides writing: their words stand below it. */
const happened = ({ icon: name, tone, title, text, atMs }: TalkEvent): TemplateResult =>
  html`<div class="used small event ${tone === "" ? "" : `tone-${tone}`}">
    <p class="row">${icon(name, 16)}<span class="grow">${title}</span>${when(atMs)}</p>
    ${text === "" ? nothing : html`<blockquote>${text}</blockquote>`}
  </div>`;

/** The agent stands still and somebody has to act: retry, or look at the settings of its model. */
function failed({ key, text, said }: Extract<Row, { kind: "notice" }>, { app, open }: Place): TemplateResult {
  const isLast = open.items.at(-1)?.n === Number(key) && open.session.turn.status === "idle";
  return html`<div class="used small">
    <div class="failed">
      <p class="row">${icon("bad", 16)}<strong>${t("chat.failed")}</strong></p>
      <p>${localizedText(text, said)}</p>
      ${
        isLast
          ? html`<p class="row wrap">
              <button
                class="button small"
                @click=${() => app.attempt(() => app.call("chat.send", { sessionId: open.id, text: t("chat.retryMessage") }))}
              >
                ${icon("redo", 14)}${t("chat.retry")}
              </button>
              <a class="button bare small" href=${app.router.href("settings", {})}>${t("app.settings")}</a>
            </p>`
          : nothing
      }
    </div>
  </div>`;
}

const when = (atMs: number): TemplateResult =>
  html`<time class="small quiet" datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}
    >${sayTime(atMs)}</time
  >`;

type Place = { app: App; open: ReadySession };

const asked = (
  { from, text, atMs, attachments }: Extract<Row, { kind: "asked" }>,
  place: Place,
): TemplateResult => html`
  <article class="entry asked">
    ${avatar(from)}
    <div class="grow">
      <h2 class="row"><span class="grow clip">${visibly(from)}</span>${when(atMs)}</h2>
      <p class="plain">${visibly(text)}</p>
      ${attachments === undefined ? nothing : images(attachments, place)}
    </div>
  </article>
`;

const images = (files: readonly AttachmentRef[], { app, open }: Place): TemplateResult =>
  html`<hp-attached-images .app=${app} .sessionId=${open.id} .files=${files}></hp-attached-images>`;

const said = ({ text, atMs, goesOn }: Extract<Row, { kind: "said" }>): TemplateResult => html`
  <article class="entry said ${goesOn ? "goes-on" : ""}">
    ${goesOn ? html`<span class="avatar none"></span>` : html`<span class="avatar agent">${icon("agent", 16)}</span>`}
    <div class="grow">
      <h2 class=${goesOn ? "unseen" : "row"}>
        <span class="grow">${t("chat.agent")}</span>${atMs === undefined ? nothing : when(atMs)}
      </h2>
      <hp-rich-text .text=${text.trimEnd()}></hp-rich-text>
    </div>
  </article>
`;

const reply = ({ id, command, text, said: meanings }: Aside, open: ReadySession): TemplateResult => html`
  <div class="used aside small">
    <div class="row quiet">
      <code class="grow clip">${visibly(command)}</code>
      <span>${t("chat.onlyYou")}</span>
      <button class="button bare square" aria-label=${t("parts.dismiss")} @click=${() => asides.dismiss(open.id, id)}>
        ${icon("bad", 14)}
      </button>
    </div>
    <pre class="reply" tabindex="0" aria-label=${t("chat.reply")}>${localizedText(text, meanings)}</pre>
  </div>
`;
