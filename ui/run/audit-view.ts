/** The audit chain over all sessions, live, newest first, and whether it is intact. */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { AuditRow, AuditVerdict } from "../../src/protocol/audit.ts";
import { ViewElement } from "../app/app-element.ts";
import { sessionIdIn } from "../app/session/session-id.ts";
import { titleOf } from "../app/session/session-title.ts";
import { sayDate, sayTime } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { buttons } from "../parts/look/buttons.ts";
import { marks } from "../parts/look/marks.ts";
import { isOnline, operatorOf } from "../state/connection.ts";
import { type AuditTrailState, createAuditTrail } from "../state/record/audit-trail.ts";
import { localizedText } from "../localized/localized-text.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";
import { actorText, factsOf, wholeOf } from "./audit/fact-line.ts";
import { recordLinks, recordLinkStyles } from "./record-links.ts";

type Checked = { verdict: AuditVerdict; atMs: number } | "checking" | "unknown";

class AuditView extends ViewElement {
  static override properties = { checked: { state: true } };
  static override styles = [
    base,
    buttons,
    marks,
    recordLinkStyles,
    css`
      .chain {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-2) var(--hp-3);
        align-items: center;
        padding: var(--hp-3) var(--hp-4);
        border: 1px solid currentColor;
        border-radius: var(--hp-round);
      }

      .chain:not(.good, .bad) {
        border-color: var(--hp-line);
      }

      .chain strong {
        flex: 1 1 12rem;
      }

      li.item {
        padding-block: var(--hp-3);
        border-block-start: 1px solid var(--hp-line);
        content-visibility: auto;
        contain-intrinsic-size: auto 4rem;
      }

      .head {
        flex-wrap: wrap;
        gap: 0 var(--hp-3);
      }

      .seq {
        min-inline-size: 3rem;
        font-variant-numeric: tabular-nums;
      }

      .facts {
        display: grid;
        gap: var(--hp-1);
        padding-block: var(--hp-1);
      }

      .dot {
        display: inline-block;
        inline-size: 0.6rem;
        block-size: 0.6rem;
        margin-inline-end: var(--hp-2);
        border: 1px solid currentColor;
        border-radius: var(--hp-round-full);
        background: currentColor;
      }

      .dot:not(.good, .bad, .waiting, .accent) {
        color: var(--hp-line-strong);
        background: transparent;
      }

      .dot.good,
      .dot.bad,
      .dot.waiting,
      .dot.accent {
        background: currentColor;
      }

      .what {
        font-weight: 550;
      }

      summary {
        inline-size: fit-content;
        min-block-size: 1.5rem;
        cursor: pointer;
      }

      pre {
        max-block-size: 20rem;
        margin: var(--hp-1) 0 0;
        padding: var(--hp-3);
        position: relative;
        overflow: auto;
        border-radius: var(--hp-round-small);
        background: var(--hp-sunken);
        white-space: pre-wrap;
      }
    `,
  ];

  declare checked: Checked;
  #trail: AuditTrailState | undefined;
  #stop = (): void => undefined;

  constructor() {
    super();
    this.checked = "checking";
  }

  protected override reads() {
    return [this.app.state.sessions, this.app.state.connection];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { call, on } = this.app.state;
    this.#trail = createAuditTrail({ call, on });
    this.#stop = this.#trail.subscribe(() => this.requestUpdate());
    void this.#check();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#trail?.close();
    this.#trail = undefined;
  }

  async #check(): Promise<void> {
    this.checked = "checking";
    try {
      const { verdict } = await this.app.call("audit.verify", {});
      this.checked = { verdict, atMs: Date.now() };
    } catch {
      this.checked = "unknown";
    }
  }

  protected override render(): TemplateResult {
    const trail = this.#trail?.get();
    return html`<div class="column">
      ${recordLinks(this.app, "audit")}
      <p class="quiet">${t("run.auditHint")}</p>
      ${this.#chain()}
      ${
        trail === undefined || trail.status === "loading"
          ? html`<p class="empty">${t("run.loading")}</p>`
          : trail.status === "failed"
            ? html`<p class="empty">
                ${t("run.failed")}
                <button class="button" @click=${() => this.#trail?.look()}>${t("run.tryAgain")}</button>
              </p>`
            : html`<ol>
                  ${repeat(
                    trail.rows,
                    ({ seq }) => seq,
                    (row) => this.#row(row),
                  )}
                </ol>
                ${trail.rows.length === 0 ? html`<p class="empty">${t("run.empty")}</p>` : nothing}
                ${
                  trail.hasOlder
                    ? html`<button class="button" @click=${() => this.app.attempt(async () => this.#trail?.older())}>
                        ${t("run.older")}
                      </button>`
                    : nothing
                }`
      }
    </div>`;
  }

  #chain(): TemplateResult {
    const { checked } = this;
    const isGood = typeof checked === "object" && checked.verdict.intact;
    const isBad = typeof checked === "object" && !checked.verdict.intact;
    return html`
      <div class="chain ${isGood ? "good" : isBad ? "bad" : ""}" role="status" aria-label=${t("run.chain")}>
        ${icon(isGood ? "check" : isBad ? "bad" : "clock")}
        <strong>${sayChecked(checked)}</strong>
        ${
          typeof checked === "object"
            ? html`<span class="small">${t("run.checkedAt", { time: sayTime(checked.atMs) })}</span>`
            : nothing
        }
        <button
          class="button"
          ?disabled=${checked === "checking" || !isOnline(this.app.state.connection.get())}
          @click=${() => this.#check()}
        >
          ${t("run.checkAgain")}
        </button>
      </div>
    `;
  }

  #row(row: AuditRow): TemplateResult {
    const facts = factsOf(row);
    return html`
      <li class="item">
        <p class="row small quiet head">
          <span class="seq" aria-label=${t("run.row", { seq: row.seq })}>#${row.seq}</span>
          <span class="clip">${this.#who(row.actor)}</span>
          ${this.#session(row.sessionId)}
          <span class="grow"></span>
          <time datetime=${new Date(row.atMs).toISOString()}>${sayDate(row.atMs)}</time>
        </p>
        <ul class="facts">
          ${facts.map(
            ({ title, tone, text }) =>
              html`<li>
                <span class="dot ${tone}"></span><span class="what">${title}</span>
                ${text === "" ? nothing : html`<span class="small quiet">${text}</span>`}
              </li>`,
          )}
        </ul>
        <details>
          <summary class="small quiet">${t("run.whole")}</summary>
          <pre class="small" tabindex="0">
${wholeOf(row)}

${row.prevHash}
${row.hash}</pre>
        </details>
      </li>
    `;
  }

  #who(actor: string): string {
    const me = operatorOf(this.app.state.connection.get());
    return me !== undefined && me.id === actor ? visibly(me.name) : actorText(actor);
  }

  #session(id: string | null): TemplateResult | typeof nothing {
    const sessionId = sessionIdIn(id ?? undefined);
    if (sessionId === undefined) return nothing;
    const known = this.app.state.sessions.get().sessions.find((session) => session.id === sessionId);
    return html`<a class="clip" href=${this.app.router.href("timeline", { sessionId })}>
      ${known === undefined ? t("run.inSession") : titleOf(known)}
    </a>`;
  }
}

function sayChecked(checked: Checked): string {
  if (checked === "checking") return t("run.chainChecking");
  if (checked === "unknown") return t("run.chainUnknown");
  const { verdict } = checked;
  return verdict.intact
    ? t("run.chainGood", { count: verdict.rows })
    : `${t("run.chainBad", { seq: verdict.brokenAtSeq })}: ${localizedText(verdict.reason, verdict.said)}`;
}

customElements.define("hp-audit-view", AuditView);
