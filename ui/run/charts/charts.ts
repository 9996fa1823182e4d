/**
 * Small charts drawn by hand. Each is a picture with a sentence for screen readers, and the same numbers as
 * a table below. Colours are classes (`part-0` …), words stand outside the picture, so that they never shrink with it.
 */
import { css, html, svg, type TemplateResult } from "lit";
import { t } from "../../i18n/t.ts";
import { cssVars } from "../../parts/css-vars.ts";
import { type Bar, shares } from "./daily-bars.ts";

const HEIGHT = 100;
const STEP = 10;
const WIDTH = 7;
/** So that one in a hundred is still seen. */
const LEAST = 2;

export type Table = { columns: readonly string[]; rows: readonly (readonly string[])[] };

/** Vertical bars, side by side. */
export const columns = (said: string, bars: readonly Bar[]): TemplateResult => html`
  <svg
    class="columns"
    role="img"
    aria-label=${said}
    viewBox="0 0 ${bars.length * STEP} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    ${bars.map((bar, index) =>
      bar.length === 0
        ? svg`<rect class="none" x=${index * STEP} y=${HEIGHT - 1} width=${WIDTH} height="1"></rect>`
        : bar.map(({ from, share, part }) => {
            const height = Math.max(LEAST, share * HEIGHT);
            const y = Math.max(0, HEIGHT - from * HEIGHT - height);
            return svg`<rect class="part-${part}" x=${index * STEP} y=${y} width=${WIDTH} height=${height}></rect>`;
          }),
    )}
  </svg>
`;

export type Lying = { label: string; value: number; said: string };

/** Horizontal bars, one below the other, each with its label: they read as a table already, so none is added. */
export function lying(name: string, bars: readonly Lying[]): TemplateResult {
  const parts = shares(bars.map(({ value }) => value));
  return html`<dl class="lying" aria-label=${name}>
    ${bars.map(
      ({ label, said }, index) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${said}</dd>
          <div class="bar" style=${cssVars({ "--share": parts[index] ?? 0 })} aria-hidden="true"></div>
        </div>`,
    )}
  </dl>`;
}

export const table = ({ columns: names, rows }: Table): TemplateResult => html`
  <details>
    <summary class="small quiet">${t("run.asTable")}</summary>
    <div class="wide" tabindex="0" role="group" aria-label=${t("run.asTable")}>
      <table class="small">
        <thead>
          <tr>
            ${names.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([first, ...rest]) =>
              html`<tr>
                <th scope="row">${first}</th>
                ${rest.map((value) => html`<td>${value}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>
`;

export const legend = (names: readonly string[]): TemplateResult => html`
  <p class="legend small" aria-hidden="true">
    ${names.map((name, part) => html`<span><i class="part-${part}"></i>${name}</span>`)}
  </p>
`;

export const charts = css`
  .columns {
    display: block;
    inline-size: 100%;
    block-size: 7rem;
    border-block-end: 1px solid var(--hp-line-strong);
  }

  .part-0 {
    fill: var(--hp-good);
    background: var(--hp-good);
  }

  .part-1 {
    fill: var(--hp-bad);
    background: var(--hp-bad);
  }

  .part-2 {
    fill: var(--hp-line-strong);
    background: var(--hp-line-strong);
  }

  .refusals .part-0 {
    fill: var(--hp-waiting);
  }

  .none {
    fill: var(--hp-line);
  }

  .ends {
    display: flex;
    justify-content: space-between;
  }

  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-4);
  }

  .legend i {
    display: inline-block;
    inline-size: 0.7rem;
    block-size: 0.7rem;
    margin-inline-end: var(--hp-2);
    border-radius: 0.15rem;
  }

  .lying {
    display: grid;
    gap: var(--hp-2);
  }

  .lying > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 var(--hp-3);
  }

  .lying dd {
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }

  .bar {
    grid-column: 1 / -1;
    inline-size: calc(var(--share) * 100%);
    min-inline-size: 2px;
    block-size: 0.4rem;
    border-radius: var(--hp-round-full);
    background: var(--hp-accent);
  }

  .wide {
    max-block-size: 20rem;
    overflow: auto;
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  th,
  td {
    padding: var(--hp-1) var(--hp-2);
    border-block-end: 1px solid var(--hp-line);
    text-align: start;
  }

  summary {
    inline-size: fit-content;
    min-block-size: 1.5rem;
    cursor: pointer;
  }
`;
