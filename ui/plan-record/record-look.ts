/** How the record of a plan looks: four answers below each other. */
import { css } from "lit";

export const recordLook = css`
  :host {
    position: relative;
    overflow: auto;
    padding: var(--hp-5) var(--hp-4);
  }

  .column {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-5);
    max-inline-size: var(--hp-reading);
    margin-inline: auto;
  }

  .title {
    font-size: var(--hp-size-title);
    overflow-wrap: anywhere;
  }

  .wrap {
    flex-wrap: wrap;
  }

  section.part {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
    padding-block-start: var(--hp-4);
    border-block-start: 1px solid var(--hp-line);
  }

  .decisions {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
  }

  .decisions > li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--hp-2) var(--hp-3);
  }

  .decisions p,
  .digest {
    overflow-wrap: anywhere;
  }

  .decisions .said {
    white-space: pre-wrap;
  }

  .decided-on {
    display: flex;
    gap: var(--hp-1);
    align-items: start;
    color: var(--hp-quiet);
  }

  .decided-on.same {
    color: var(--hp-good);
  }

  .decided-on.other {
    color: var(--hp-bad);
    font-weight: 600;
  }

  .decided-on .icon {
    flex: none;
    margin-block-start: 0.2em;
  }

  .warning {
    padding: var(--hp-2) var(--hp-3);
    border-inline-start: 3px solid var(--hp-waiting);
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
  }

  .whole > summary {
    inline-size: fit-content;
    min-block-size: var(--hp-target);
    align-content: center;
    cursor: pointer;
  }

  .signed {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
    padding: var(--hp-3) var(--hp-4);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
  }

  .step {
    padding-inline-end: 0; /* no tools beside it, as where a plan is reviewed */
  }

  .step:hover {
    border-color: transparent;
    background: none;
  }
`;
