/** Diagrams drawn in the place of their source, which stays below them; loaded when a text that is shown holds one. */
import { css } from "lit";
import { drawDiagram } from "../../src/protocol/diagram/diagram.ts";
import type { SvgShape } from "../../src/protocol/diagram/svg-tree.ts";
import { t } from "../i18n/t.ts";

const SVG = "http://www.w3.org/2000/svg";
const DIAGRAMS_MAX = 20;

export const diagramLook = css`
  .diagram {
    margin: var(--hp-2) 0 0;
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
  }

  .diagram .wide {
    overflow-x: auto;
    padding: var(--hp-2);
  }

  /* a little smaller than it is rather than scrolled, as far as its words can still be read */
  .diagram svg {
    display: block;
    inline-size: var(--own);
    min-inline-size: min(36rem, var(--own));
    max-inline-size: 100%;
    block-size: auto;
    margin-inline: auto;
    font: 13px var(--hp-font);
  }

  .diagram :is(rect, path, circle) {
    fill: none;
    stroke: var(--hp-line-strong);
    stroke-width: 1.25;
  }

  .diagram .node > :is(rect, path, circle),
  .diagram :is(.party, .tab) {
    fill: var(--hp-sunken);
  }

  .diagram .node > .rim {
    fill: none;
  }

  .diagram :is(.group, .frame) {
    stroke: var(--hp-line-strong);
    stroke-dasharray: 4 3;
  }

  .diagram .note {
    fill: var(--hp-waiting-soft);
    stroke: var(--hp-waiting);
  }

  .diagram :is(.ground, .frame.ground) {
    fill: var(--hp-surface);
    stroke: none;
  }

  .diagram .life {
    stroke: var(--hp-line);
  }

  .diagram .line.dotted {
    stroke-dasharray: 5 4;
  }

  .diagram .line.thick {
    stroke-width: 2.5;
  }

  .diagram :is(.head, .dot) {
    fill: var(--hp-line-strong);
    stroke: none;
  }

  .diagram text {
    fill: var(--hp-text);
    stroke: none;
  }

  .diagram .title {
    font-weight: 600;
  }

  .diagram details {
    padding: 0 var(--hp-3);
    border-block-start: 1px solid var(--hp-line);
  }

  .diagram summary {
    min-block-size: 1.75rem;
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    line-height: 1.75rem;
    cursor: pointer;
  }

  @media (pointer: coarse) {
    .diagram summary {
      min-block-size: var(--hp-target);
      line-height: var(--hp-target);
    }
  }
`;

export function drawDiagrams(place: Element): void {
  for (const code of [...place.querySelectorAll("pre > code.language-mermaid")].slice(0, DIAGRAMS_MAX)) {
    const pre = code.parentElement;
    const drawing = pre === null ? undefined : drawDiagram(code.textContent);
    if (pre === null || drawing === undefined) continue;
    const figure = document.createElement("figure");
    figure.className = "diagram";
    const box = document.createElement("div");
    box.className = "wide more-aside";
    box.tabIndex = 0;
    box.dataset["skip"] = ""; // a note points at the source, which is what was written
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", t("parts.diagram"));
    const svg = elementOf(drawing);
    svg.style.setProperty("--own", `${Number(drawing.attrs["width"])}px`);
    box.append(svg);
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.dataset["skip"] = "";
    summary.textContent = t("parts.source");
    pre.replaceWith(figure);
    details.append(summary, pre);
    figure.append(box, details);
  }
}

function elementOf({ tag, attrs, inside }: SvgShape): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, String(value));
  element.append(...inside.map((part) => (typeof part === "string" ? part : elementOf(part))));
  return element;
}
