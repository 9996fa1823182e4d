/** Styles of the panel that shows a plan being carried out. */
import { css } from "lit";

export const runPanelStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-5);
    align-content: start;
  }

  .wrap {
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
  }

  progress {
    appearance: none;
    inline-size: 100%;
    block-size: 0.5rem;
    border: 0;
    border-radius: var(--hp-round-full);
    overflow: hidden;
    background: var(--hp-sunken);
  }

  progress::-webkit-progress-bar {
    background: var(--hp-sunken);
  }

  progress::-webkit-progress-value {
    background: var(--hp-accent);
    transition: inline-size var(--hp-slow);
  }

  progress::-moz-progress-bar {
    background: var(--hp-accent);
  }

  .now {
    display: flex;
    gap: var(--hp-2);
    align-items: start;
    padding: var(--hp-2) var(--hp-3);
    border-radius: var(--hp-round);
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
    font-weight: 550;
  }

  .now .icon {
    margin-block-start: 0.2rem;
  }

  .time {
    display: inline-flex;
    gap: var(--hp-1);
    align-items: center;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }

  .step {
    display: flex;
    gap: var(--hp-3);
    padding-block: var(--hp-2);
    content-visibility: auto;
    contain-intrinsic-size: auto 2.5rem;
  }

  .step + .step {
    border-block-start: 1px solid var(--hp-line);
  }

  .step .time {
    line-height: 1.5rem;
  }

  .step > div {
    min-inline-size: 0;
  }

  .step .grow > .row {
    flex-wrap: wrap;
    row-gap: var(--hp-3);
    align-items: start;
  }

  /* as high as the line beside it */
  hp-step-decision {
    margin-block: calc((1.5rem - var(--hp-target)) / 2);
  }

  .step .row > .text {
    flex-basis: 8rem;
  }

  .mark {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 1.5rem;
    block-size: 1.5rem;
    border-radius: var(--hp-round-full);
    background: var(--hp-sunken);
    color: var(--hp-quiet);
  }

  .completed .mark {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .in_progress .mark {
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
  }

  .in_progress .text {
    font-weight: 600;
  }

  .cancelled .text {
    color: var(--hp-quiet);
    text-decoration: line-through;
  }

  .doing {
    color: var(--hp-accent-strong);
  }

  details {
    margin-block-start: var(--hp-1);
  }

  summary {
    inline-size: fit-content;
    min-block-size: 1.5rem;
    cursor: pointer;
  }

  .criterion {
    display: flex;
    gap: var(--hp-2);
    align-items: baseline;
    padding-block: var(--hp-1) 0;
    color: var(--hp-quiet);
  }

  .criterion .icon {
    position: relative;
    inset-block-start: 0.15em;
    flex: none;
  }

  .criterion > div {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .criterion .why::before {
    content: "· ";
  }

  .criterion.proven {
    color: var(--hp-text);
  }

  .criterion.proven .icon {
    color: var(--hp-good);
  }

  .failing,
  .criterion.failed,
  .calls .failed .icon {
    color: var(--hp-bad);
  }

  .calls li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: baseline;
  }

  .calls .back {
    flex: 1 0 100%;
    padding-inline-start: calc(14px + var(--hp-2));
    overflow-wrap: anywhere;
  }

  .calls .grow + * {
    margin-inline-start: auto; /* at the right, below a long command too */
  }

  .calls .grow {
    flex: 1 1 10rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .refusal {
    padding-inline-start: var(--hp-3);
    border-inline-start: 3px solid var(--hp-waiting);
  }
`;
