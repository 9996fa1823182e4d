/** `<hp-file-lines .app .query>`: the lines that changed in one file, read when they are first shown. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { DiffLine, FileDiff } from "../../src/changes/protocol/changes.ts";
import type { CycleId, SessionId } from "../../src/protocol/ids.ts";
import { AppElement } from "../app/app-element.ts";
import { t } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";
import { base } from "../theme/base.ts";

export type LinesQuery = {
  sessionId: SessionId;
  cycleId: CycleId;
  /** Null: of calls outside any step. */
  step?: number | null;
  of: "plan" | "others";
  path: string;
  /** Another number means that something was recorded since. */
  version: number;
};

class FileLines extends AppElement {
  static override properties = { query: { attribute: false }, diff: { state: true }, hasFailed: { state: true } };
  static override styles = [
    base,
    css`
      :host {
        display: block;
        border-block-start: 1px solid var(--hp-line);
      }

      .lines {
        overflow-x: auto;
        padding-block: var(--hp-1);
        font-family: var(--hp-mono);
        font-size: var(--hp-size-small);
        line-height: 1.5;
      }

      .lines > div {
        inline-size: max-content;
        min-inline-size: 100%;
      }

      .line {
        display: block;
        padding-inline: var(--hp-3);
        white-space: pre;
        tab-size: 4;
      }

      .line.added {
        background: var(--hp-good-soft);
        color: var(--hp-good);
      }

      .line.removed {
        background: var(--hp-bad-soft);
        color: var(--hp-bad);
      }

      .line.place {
        color: var(--hp-quiet);
      }

      p {
        padding: var(--hp-2) var(--hp-3);
      }
    `,
  ];

  declare query: LinesQuery;
  declare diff: FileDiff | undefined;
  declare hasFailed: boolean;

  constructor() {
    super();
    this.diff = undefined;
    this.hasFailed = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("query");
    if (changed.has("query") && JSON.stringify(before) !== JSON.stringify(this.query)) void this.#read();
  }

  async #read(): Promise<void> {
    const { version, ...asked } = this.query;
    try {
      const { diff } = await this.app.call("changes.diff", asked);
      if (this.query.version !== version) return;
      this.diff = diff;
      this.hasFailed = false;
    } catch {
      this.hasFailed = this.diff === undefined;
    }
  }

  protected override render(): TemplateResult {
    const { diff } = this;
    if (diff === undefined) return html`<p class="small quiet">${t(this.hasFailed ? "run.failed" : "run.loading")}</p>`;
    if (diff.kind !== "text") return html`<p class="small quiet">${t(KINDS[diff.kind])}</p>`;
    if (diff.lines.length === 0) return html`<p class="small quiet">${t("changes.kind_mode")}</p>`;
    return html`
      <div class="lines" tabindex="0" role="region" aria-label=${visibly(diff.path)}>
        <div>${diff.lines.map(line)}</div>
      </div>
      ${diff.more > 0 ? html`<p class="small quiet">${t("changes.more", { n: diff.more })}</p>` : nothing}
    `;
  }
}

const KINDS = {
  binary: "changes.binary",
  "too-large": "changes.tooLarge",
  "not-kept": "changes.notKept",
} as const;

const LOOKS: Readonly<Record<DiffLine["sign"], string>> = { "+": "added", "-": "removed", "@": "place", " ": "" };

const line = ({ sign, text }: DiffLine): TemplateResult =>
  html`<span class="line ${LOOKS[sign]}">${sign === "@" ? `@@ ${text} @@` : `${sign} ${visibly(text)}`}</span>`;

customElements.define("hp-file-lines", FileLines);
