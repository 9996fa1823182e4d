/** How changes look: steps, files and lines that were added or removed. */
import { css } from "lit";

export const changesLook = css`
  .column {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-5);
  }

  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-2) var(--hp-3);
  }

  .bar .grow {
    flex: 1 1 12rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  h2 {
    font-size: var(--hp-size-large);
  }

  .call {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: baseline;
    padding-block: var(--hp-1);
  }

  .call .proves {
    flex: 1 0 100%;
    overflow-wrap: anywhere;
  }

  .call code {
    flex: 1 1 12rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  details {
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
    overflow: hidden;
  }

  details + details {
    margin-block-start: var(--hp-1);
  }

  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--hp-2);
    min-block-size: var(--hp-target);
    padding: var(--hp-1) var(--hp-3);
    cursor: pointer;
  }

  summary:hover {
    background: var(--hp-hover);
  }

  summary:focus-visible {
    outline-offset: -2px;
  }

  .path {
    flex: 1 1 10rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }

  .path.restored {
    color: var(--hp-quiet);
    text-decoration: line-through;
  }

  .sign {
    inline-size: 1rem;
    font-family: var(--hp-mono);
    font-weight: 700;
    text-align: center;
  }

  .sign.added {
    color: var(--hp-good);
  }

  .sign.deleted {
    color: var(--hp-bad);
  }

  .sign.modified,
  .sign.mode {
    color: var(--hp-accent-strong);
  }

  .warning {
    padding: var(--hp-2) var(--hp-3);
    border-inline-start: 3px solid var(--hp-waiting);
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
    overflow-wrap: anywhere;
  }

  .files {
    max-block-size: min(40vh, 24rem);
    position: relative;
    overflow: auto;
    padding-inline-end: var(--hp-1);
  }

  .files li {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: baseline;
    padding-block: var(--hp-1);
  }

  .choice {
    display: flex;
    gap: var(--hp-2);
    align-items: center;
    min-block-size: var(--hp-target);
  }
`;
