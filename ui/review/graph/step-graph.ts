/**
 * A drawing of which step comes after which, where the plan says so. A list of the same stands beside it, unseen. One of
 * many steps is drawn when somebody wants to see it: the plan itself should be there at once.
 */
import { css, html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import { sayList } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { headLine } from "../../../src/protocol/text/inline-markdown.ts";
import { icon } from "../../parts/icon.ts";
import { moreAside } from "../../parts/look/more-aside.ts";
import { visibly } from "../../text/visibly.ts";
import { declaredOrder, type Order } from "./declared-order.ts";
import { drawnEdges, type Edge, type Layout, layoutOf, type Node } from "./graph-layout.ts";

const [WIDTH, HEIGHT, GAP_X, GAP_Y, PAD] = [150, 34, 44, 10, 8];
/** Linked steps; above this the drawing is folded. */
const SHOWN_MAX = 60;
/** More than ever fits: the drawing ends a long one by itself. */
const LABEL_CHARS_MAX = 80;

export const graphLook = css`
  ${moreAside}

  .graph {
    overflow-x: auto;
    margin: 0;
    padding: var(--hp-2);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
  }

  .graph-fold > summary {
    display: flex;
    align-items: center;
    gap: var(--hp-2);
    min-block-size: var(--hp-target);
    color: var(--hp-quiet);
    cursor: pointer;
  }

  .graph-fold .graph {
    max-block-size: 70dvh;
    position: relative;
    overflow: auto;
  }

  .graph svg {
    display: block;
    margin-inline: auto;
  }

  .graph rect {
    fill: var(--hp-sunken);
    stroke: var(--hp-line-strong);
  }

  .graph text {
    fill: var(--hp-text);
    font: 600 12px var(--hp-font);
  }

  .graph .label {
    overflow: hidden;
    color: var(--hp-text);
    font: 400 12px / 34px var(--hp-font);
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .graph path {
    fill: none;
    stroke: var(--hp-line-strong);
    stroke-width: 1.5;
  }

  .graph path.circular {
    stroke: var(--hp-bad);
    stroke-dasharray: 4 3;
  }

  .graph .arrow {
    fill: var(--hp-line-strong);
    stroke: none;
  }

  .graph .node {
    cursor: pointer;
  }

  .graph .node:hover rect {
    stroke: var(--hp-accent);
  }
`;

type Known = { orders: readonly Order[]; layout?: Layout | undefined };

/** A plan does not change, but is drawn often. */
const known = new WeakMap<readonly PlanStep[], Known>();

function orderIn(steps: readonly PlanStep[]): Known {
  const found = known.get(steps) ?? { orders: declaredOrder(steps) };
  known.set(steps, found);
  return found;
}

/** `onStep` is called with the step that somebody chose. */
export type GraphActions = { isOpen: boolean; onToggle(isOpen: boolean): void; onStep(step: number): void };

export function stepGraph(steps: readonly PlanStep[], actions: GraphActions): TemplateResult | typeof nothing {
  const found = orderIn(steps);
  if (found.orders.length === 0) return nothing;
  const linked = new Set(found.orders.flatMap(({ from, to }) => [from, to])).size;
  const draw = (): TemplateResult | typeof nothing => {
    found.layout ??= layoutOf(found.orders);
    return found.layout === undefined ? nothing : drawing(steps, found.layout, actions.onStep);
  };
  if (linked <= SHOWN_MAX) return draw();
  const toggled = ({ target }: Event): void => actions.onToggle(target instanceof HTMLDetailsElement && target.open);
  return html`<details class="graph-fold" ?open=${actions.isOpen} @toggle=${toggled}>
    <summary>${icon("down", 16)}${t("review.graph")} <span class="badge">${linked}</span></summary>
    ${actions.isOpen ? draw() : nothing}
  </details>`;
}

function drawing(steps: readonly PlanStep[], layout: Layout, onStep: (step: number) => void): TemplateResult {
  const width = PAD * 2 + layout.columns * WIDTH + (layout.columns - 1) * GAP_X;
  const height = PAD * 2 + layout.rows * HEIGHT + (layout.rows - 1) * GAP_Y;
  return html`<figure class="graph more-aside" tabindex="0" aria-label=${t("review.graph")}>
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">
      ${drawnEdges(layout.edges).map((edge) => drawnEdge(edge, layout))}
      ${layout.nodes.map((node) => drawnNode(node, steps[node.step - 1]?.step ?? "", onStep))}
    </svg>
    <ul class="unseen">
      ${layout.nodes.map(({ step }) => saidOrder(step, layout))}
    </ul>
  </figure>`;
}

const leftOf = ({ column }: Node): number => PAD + column * (WIDTH + GAP_X);
const topOf = ({ row }: Node): number => PAD + row * (HEIGHT + GAP_Y);

function drawnNode(node: Node, text: string, onStep: (step: number) => void): SVGTemplateResult {
  const [x, y] = [leftOf(node), topOf(node)];
  const shown = visibly(headLine(text)).replaceAll(/[\s`]+/g, " ");
  const label = shown.slice(0, LABEL_CHARS_MAX).toWellFormed();
  return svg`<g class="node" @click=${() => onStep(node.step)}>
    <title>${visibly(text)}</title>
    <rect x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="6"></rect>
    <text x=${x + 10} y=${y + 21.5}>${node.step}</text>
    <foreignObject x=${x + 34} y=${y} width=${WIDTH - 42} height=${HEIGHT}>${html`<div class="label">${label}</div>`}</foreignObject>
  </g>`;
}

function drawnEdge({ from, to, isCircular }: Edge, { nodes }: Layout): SVGTemplateResult | typeof nothing {
  const [start, end] = [from, to].map((step) => nodes.find((node) => node.step === step));
  if (start === undefined || end === undefined) return nothing;
  const [x1, y1] = [leftOf(start) + WIDTH, topOf(start) + HEIGHT / 2];
  const [x2, y2] = [leftOf(end) - 6, topOf(end) + HEIGHT / 2];
  const bend = Math.max(18, Math.abs(x2 - x1) / 2);
  return svg`<path class=${isCircular ? "circular" : ""} d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"></path>
    <path class="arrow" d="M${x2 + 6} ${y2}l-7 -4v8z"></path>`;
}

function saidOrder(step: number, { edges }: Layout): TemplateResult | typeof nothing {
  const before = edges.filter(({ to }) => to === step);
  const real = before.filter(({ isCircular }) => !isCircular).map(({ from }) => String(from));
  const circles = before.filter(({ isCircular }) => isCircular);
  return html`${real.length === 0 ? nothing : html`<li>${t("review.graphAfter", { step, others: sayList(real) })}</li>`}
  ${circles.map(({ from }) => html`<li>${t("review.graphCircle", { step, other: from })}</li>`)}`;
}
