/** Styles of the plan as a document. */
import { css } from "lit";

export const documentLook = css`
  :host {
    display: block;
    min-inline-size: 0;
  }

  .page {
    display: grid;
    grid-template-columns: minmax(0, var(--hp-reading));
    justify-content: center;
    gap: var(--hp-5);
  }

  section {
    position: relative;
    scroll-margin-block-start: 6rem; /* below the bar that stays */
  }

  /* of a part, and of the drawing; what proves a step keeps the browser's own mark */
  summary:has(> .icon) {
    display: flex;
    align-items: center;
    gap: var(--hp-2);
    min-block-size: var(--hp-target);
    padding-inline-end: 5.5rem;
    cursor: pointer;
    list-style: none;
  }

  summary:has(> .icon)::-webkit-details-marker {
    display: none;
  }

  summary .icon {
    color: var(--hp-quiet);
    transition: transform var(--hp-quick);
  }

  details:not([open]) > summary .icon {
    transform: rotate(-90deg);
  }

  .inside {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
  }

  .tools {
    position: absolute;
    inset-block-start: 0;
    inset-inline-end: 0;
    display: flex;
    align-items: center;
    gap: var(--hp-1);
    min-block-size: var(--hp-target);
  }

  .tools .button {
    min-block-size: 1.75rem;
    padding-inline: var(--hp-2);
    font-size: var(--hp-size-small);
  }

  @media (pointer: coarse) {
    .tools .button {
      min-block-size: var(--hp-target);
      min-inline-size: var(--hp-target);
    }
  }

  /* quiet until wanted: by the pointer, by the keyboard, or always where there is no pointer to hover with */
  @media (hover: hover) {
    .tools .button {
      opacity: 0;
    }

    section:hover > .tools .button,
    section:focus-within > .tools .button,
    .step:hover > .tools .button,
    .step:focus > .tools .button,
    .step:focus-within > .tools .button {
      opacity: 1;
    }
  }

  ol.steps {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-1);
  }

  .step {
    position: relative;
    padding: var(--hp-2) 5.5rem var(--hp-2) 2.75rem;
    border: 1px solid transparent;
    border-radius: var(--hp-round);
    scroll-margin-block: 6rem var(--hp-6);
    content-visibility: auto;
    contain-intrinsic-block-size: auto 4.5rem;
  }

  .step:hover,
  .step.found {
    border-color: var(--hp-line);
    background: var(--hp-surface);
  }

  .step.found {
    border-color: var(--hp-accent);
  }

  .step > .tools {
    inset-block-start: var(--hp-1);
    inset-inline-end: var(--hp-2);
  }

  .number {
    position: absolute;
    inset-block-start: 0.55rem;
    inset-inline-start: var(--hp-2);
    display: inline-grid;
    place-items: center;
    min-inline-size: 1.625rem;
    block-size: 1.625rem;
    padding-inline: 0.2rem;
    margin-inline-start: -0.1rem;
    border-radius: var(--hp-round-full);
    background: var(--hp-sunken);
    font-size: var(--hp-size-small);
    font-weight: 620;
    font-variant-numeric: tabular-nums;
  }

  .number.completed {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .number.in_progress {
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
    outline: 1.5px solid var(--hp-accent);
  }

  .number.cancelled {
    color: var(--hp-quiet);
    text-decoration: line-through;
  }

  .text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .step .text {
    font-weight: 500;
  }

  .criteria {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.125rem;
    margin-block-start: var(--hp-1);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
  }

  .criteria li,
  .items li {
    position: relative;
    padding-inline-start: 1.25rem;
    overflow-wrap: anywhere;
  }

  .items li {
    white-space: pre-wrap;
  }

  .criteria li::before {
    content: "";
    position: absolute;
    inset-block-start: 0.35em;
    inset-inline-start: 0.125rem;
    inline-size: 0.6rem;
    block-size: 0.6rem;
    border: 1.5px solid currentcolor;
    border-radius: 0.15rem;
  }

  .touched {
    margin: var(--hp-1) 0 0;
    padding: 0;
    list-style: none;
    overflow-wrap: anywhere;
  }

  .criteria li.claimed::before {
    background: currentcolor;
    box-shadow: inset 0 0 0 1.5px var(--hp-surface);
  }

  .criteria li:is(.proven, .earlier, .failed)::before {
    content: "✓";
    inset-block-start: 0;
    border: 0;
    background: none;
    box-shadow: none;
    color: var(--hp-good);
    font-weight: 700;
  }

  .criteria li.failed::before {
    content: "✕";
    color: var(--hp-bad);
  }

  .items {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  .items li::before {
    content: "";
    position: absolute;
    inset-block-start: 0.6em;
    inset-inline-start: 0.3rem;
    inline-size: 0.3rem;
    block-size: 0.3rem;
    border-radius: 50%;
    background: var(--hp-quiet);
  }

  .risks,
  .risks li {
    display: grid;
    grid-template-columns: minmax(0, 1fr); /* or a wide command in one of them would cut off the words of all */
    gap: var(--hp-2);
  }

  .risks li {
    gap: var(--hp-1);
    padding: var(--hp-2) var(--hp-3);
    border-inline-start: 3px solid var(--hp-waiting);
    border-radius: var(--hp-round-small);
    background: var(--hp-surface);
  }

  .risks .mitigation {
    color: var(--hp-quiet);
  }

  .risks b {
    font-weight: 620;
  }

  .threads {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
    margin-block-start: var(--hp-2);
  }

  .threads:empty {
    display: none;
  }

  .step .threads {
    margin-inline: -2.25rem -5rem;
  }

  .select {
    position: fixed;
    inset-block-start: var(--top);
    inset-inline-start: var(--left);
    z-index: 5;
    box-shadow: var(--hp-shadow);
  }

  .fresh {
    font-size: 0.75rem;
  }

  .step > .fresh {
    margin-block-end: var(--hp-1);
  }

  ::highlight(hp-found) {
    background-color: var(--hp-waiting-soft);
    color: var(--hp-waiting);
  }

  ::highlight(hp-found-now) {
    background-color: var(--hp-accent);
    color: var(--hp-on-accent);
  }

  ::highlight(hp-note) {
    background-color: var(--hp-waiting-soft);
    text-decoration: underline 2px var(--hp-waiting);
  }

  @container review (width >= 60rem) {
    .page.with-outline {
      grid-template-columns: 11rem minmax(0, var(--hp-reading));
      gap: var(--hp-6);
      justify-content: center;
    }
  }

  /* number and buttons in a line of their own: the words, a table, a piece of code need all of a phone's width */
  @container review (width < 34rem) {
    .step {
      padding: calc(var(--hp-target) + var(--hp-1)) var(--hp-1) var(--hp-2);
      border-block-start-color: var(--hp-line);
      border-radius: 0;
    }

    .step > .tools {
      inset-block-start: 0;
      inset-inline-end: 0;
    }

    .step .threads {
      margin-inline: 0;
    }

    .number {
      inset-block-start: calc((var(--hp-target) - 1.625rem) / 2);
      inset-inline-start: 0;
    }
  }
`;
