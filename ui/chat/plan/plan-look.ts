/** Styles of a plan in the conversation. */
import { css } from "lit";

export const planLook = css`
  :host {
    display: block;
    font-size: var(--hp-size-small);
  }

  .plan {
    padding: var(--hp-1) var(--hp-3);
    border: 1px solid var(--hp-line);
    border-inline-start: 3px solid var(--hp-accent);
    border-radius: var(--hp-round-small);
  }

  summary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: center;
    min-block-size: var(--hp-target);
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  .title {
    flex: 1 1 10rem;
    overflow-wrap: anywhere;
  }

  .turns {
    display: inline-grid;
    color: var(--hp-quiet);
  }

  [open] .turns {
    rotate: 180deg;
  }

  .count {
    white-space: nowrap;
  }

  .done-bar {
    inline-size: 4rem;
  }

  ol {
    display: grid;
    gap: var(--hp-1);
    max-block-size: min(24rem, 60dvh);
    padding: var(--hp-1) 0;
    position: relative;
    overflow: auto;
    list-style: none;
  }

  li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: var(--hp-1);
  }

  .mark {
    display: inline-grid;
    place-content: center;
    block-size: 1.5em;
    color: var(--hp-quiet);
  }

  .text {
    overflow-wrap: anywhere;
  }

  .in_progress .text {
    font-weight: 600;
  }

  .in_progress .mark {
    color: var(--hp-accent-strong);
  }

  .completed .mark {
    color: var(--hp-good);
  }

  .completed .text {
    color: var(--hp-quiet);
  }

  .cancelled .text {
    color: var(--hp-quiet);
    text-decoration: line-through;
  }

  code {
    overflow-wrap: anywhere;
  }
`;
