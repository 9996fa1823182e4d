/**
 * One call of a tool: its name and what it was about in a line, everything else when it is opened, and in short pieces
 * even then. A refusal is never folded away: it explains what refused the call and what a person can do.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { GateRefusal } from "../../../src/protocol/gate.ts";
import { AppElement } from "../../app/app-element.ts";
import { childrenOf } from "../../state/children-of.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { marks } from "../../parts/look/marks.ts";
import { pulse } from "../../parts/look/pulse.ts";
import type { ReadySession } from "../../state/open-session.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import type { CallRow } from "../rows.ts";
import { familyOf, refusalIn, shortCallArgs, spawnedIn, textOf } from "./call-facts.ts";
import { toolLook } from "./tool-look.ts";
import { calledTool, toolIcon, toolName } from "./tool-name.ts";

const PIECE_CHARS = 4_000;
const OUTPUT_CHARS_SHOWN_MAX = 4_000;
const OPENED_KEPT_MAX = 500;

/** How many pieces of a call are shown, kept while its row is scrolled away. */
const opened = new Map<string, number>();

type Status = "ok" | "error" | "refused" | "unknown" | "skipped" | "running" | "open";

const TONES: Readonly<Record<Status, string>> = {
  ok: "",
  error: "bad",
  refused: "waiting",
  unknown: "waiting",
  skipped: "",
  running: "accent",
  open: "",
};

class ToolRow extends AppElement {
  static override properties = { row: { attribute: false }, open: { attribute: false } };
  static override styles = [base, buttons, marks, pulse, toolLook];

  declare row: CallRow;
  declare open: ReadySession;

  get #pieces(): number {
    return opened.get(this.row.key) ?? 0;
  }

  #show(pieces: number): void {
    if (pieces === this.#pieces) return;
    opened.delete(this.row.key);
    if (pieces > 0) opened.set(this.row.key, pieces);
    for (const key of [...opened.keys()].slice(0, Math.max(0, opened.size - OPENED_KEPT_MAX))) opened.delete(key);
    this.requestUpdate();
  }

  /** At once, for this row: the browser tells of its own opening later, when the element may show another one. */
  readonly #pressed = (event: Event): void => {
    event.preventDefault();
    this.#show(this.#pieces === 0 ? 1 : 0);
  };

  get #status(): Status {
    const { call, result } = this.row;
    if (result !== undefined) return result.status;
    const { turn, callers = [] } = this.open.session;
    const open = [...(turn.status === "running" ? turn.calls : []), ...callers.flatMap(({ calls }) => calls)];
    const isRunning = open.some(({ callId }) => callId === call.callId);
    return isRunning ? "running" : "open";
  }

  protected override render(): TemplateResult {
    const { call, result } = this.row;
    const status = this.#status;
    const refusal = refusalIn(result);
    return html`
      <div class="tool ${status} ${this.row.parentCallId === undefined ? "" : "inside"}">
        <details
          ?open=${this.#pieces > 0}
          @toggle=${({ target }: Event) =>
            this.#show(target instanceof HTMLDetailsElement && target.open ? Math.max(1, this.#pieces) : 0)}
        >
          <summary @click=${this.#pressed}>
            <span class=${status === "running" ? "pulse" : ""}>${icon(toolIcon(calledTool(call)), 16)}</span>
            ${this.#name(call)}
            <span class="about clip">${visibly(shortCallArgs(call.args))}</span>
            ${status === "ok" || status === "open" ? nothing : html`<span class="chip ${TONES[status]}">${t(`chat.call_${status}`)}</span>`}
          </summary>
          ${this.#pieces === 0 ? nothing : this.#everything()}
        </details>
        ${refusal === undefined ? nothing : this.#refused(refusal)} ${this.#output(status)} ${this.#known()}
      </div>
    `;
  }

  /** The name that the model called stands one click away. */
  #name(call: CallRow["call"]): TemplateResult {
    const { tool } = call;
    const name = toolName(calledTool(call));
    return name === undefined
      ? html`<code class="name">${visibly(tool)}</code>`
      : html`<span class="name" title=${tool}>${name}</span>`;
  }

  #everything(): TemplateResult {
    const { call, result } = this.row;
    return html`<div class="all">
      <code class="quiet">${visibly(call.tool)}</code>
      ${call.args === undefined ? nothing : this.#text(t("chat.arguments"), textOf(call.args))}
      ${result === undefined ? nothing : this.#text(t("chat.result"), textOf(result.content))}
    </div>`;
  }

  #text(label: string, text: string): TemplateResult {
    const shown = text.slice(0, this.#pieces * PIECE_CHARS);
    const left = text.length - shown.length;
    return html`
      <h3>${label}</h3>
      <pre tabindex="0" aria-label=${label}>${visibly(shown)}</pre>
      ${
        left === 0
          ? nothing
          : html`<button class="button bare small" @click=${() => this.#show(this.#pieces * 2)}>
              ${t("chat.showMore", { count: left })}
            </button>`
      }
    `;
  }

  #refused(refusal: GateRefusal): TemplateResult {
    const { rule, matched, hint } = refusal;
    const { plan, id } = this.open;
    const held = plan?.question?.call;
    const isAsked =
      held !== undefined && held.tool === refusal.tool_name && held.rule === rule && held.matched === matched;
    const hasPlan = plan !== undefined && plan.now.mode === "plan" && "submission" in plan.now;
    return html`<div class="refusal">
      <p>${t(`chat.rule_${familyOf(refusal)}`)}</p>
      <p class="quiet">${t("chat.rule", { rule: visibly(rule), matched: visibly(matched) })}</p>
      <details>
        <summary>${t("chat.agentTold")}</summary>
        <p class="quiet">${visibly(hint)}</p>
      </details>
      ${
        isAsked
          ? html`<button class="button small" @click=${() => emit(this, "hp-to-card")}>${t("chat.decideHere")}</button>`
          : hasPlan
            ? html`<a class="button small" href=${this.app.router.href("plan", { sessionId: id })}
                >${t("chat.openPlan")}</a
              >`
            : nothing
      }
    </div>`;
  }

  /** While it runs: the end of what it printed. */
  #output(status: Status): TemplateResult | typeof nothing {
    const text = this.open.outputs.get(this.row.call.callId);
    if (status !== "running" || text === undefined || text === "") return nothing;
    return html`<pre class="live" tabindex="0" aria-label=${t("chat.output")}>
${visibly(text.slice(-OUTPUT_CHARS_SHOWN_MAX))}</pre>`;
  }

  /** Calls that are shown by their meaning, not by their arguments. */
  #known(): TemplateResult | typeof nothing {
    const { call, result } = this.row;
    if (result !== undefined && result.status !== "ok") return nothing;
    switch (call.tool) {
      case "sessions_spawn":
        return this.#subAgent();
      default:
        return nothing;
    }
  }

  #subAgent(): TemplateResult | typeof nothing {
    const child = spawnedIn(this.row.result);
    if (child === undefined) return nothing;
    const children = childrenOf(this.open.session);
    const known = children === "unknown" ? undefined : children.find(({ id }) => id === child.id);
    const state = known === undefined ? undefined : known.status === "running" ? "running" : known.outcome;
    return html`<div class="small-card">
      ${icon("agent", 16)}<a class="grow clip" href=${this.app.router.href("session", { sessionId: child.id })}
        >${child.title.trim() === "" ? t("app.untitled") : visibly(child.title)}</a
      >
      ${state === undefined ? nothing : html`<span class="chip ${state === "running" ? "accent" : ""}">${t(`chat.agent_${state}`)}</span>`}
    </div>`;
  }
}

customElements.define("hp-tool-row", ToolRow);
