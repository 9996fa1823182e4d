/** Styles of the step editor. */
import { css } from "lit";

export const editorLook = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
    max-inline-size: var(--hp-reading);
    margin-inline: auto;
  }

  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-2);
  }

  .bar .title {
    flex: 1 1 12rem;
  }

  .told {
    padding: var(--hp-2) var(--hp-3);
    border-radius: var(--hp-round);
  }

  ol {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  .edited-step {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: var(--hp-1) var(--hp-2);
    padding: var(--hp-2);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
    content-visibility: auto;
    contain-intrinsic-block-size: auto 6rem;
  }

  .edited-step.held {
    border-color: var(--hp-accent);
    box-shadow: var(--hp-shadow);
  }

  .edited-step:has([aria-invalid="true"]) {
    border-color: var(--hp-bad);
  }

  .handle {
    display: grid;
    place-items: center;
    gap: 0.125rem;
    align-content: start;
    padding-block-start: var(--hp-1);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    font-variant-numeric: tabular-nums;
  }

  .grip {
    display: grid;
    place-items: center;
    inline-size: 1.75rem;
    block-size: 1.75rem;
    border-radius: var(--hp-round-small);
    cursor: grab;
    touch-action: none;
  }

  .grip:hover {
    background: var(--hp-hover);
  }

  .held .grip {
    cursor: grabbing;
  }

  .words {
    display: grid;
    grid-template-columns: minmax(0, 1fr); /* or a long word would push its field over the buttons */
    gap: var(--hp-2);
    min-inline-size: 0;
  }

  textarea.input {
    field-sizing: content;
    min-block-size: var(--hp-target);
    resize: none;
  }

  .criterion {
    display: flex;
    gap: var(--hp-1);
    align-items: start;
    padding-inline-start: var(--hp-3);
  }

  .criterion .input {
    font-size: var(--hp-size-small);
  }

  .small-button {
    min-block-size: 1.75rem;
    padding-inline: var(--hp-2);
    font-size: var(--hp-size-small);
    justify-self: start;
  }

  /* keys are of no use to a finger */
  @media (pointer: coarse) {
    .keys {
      display: none;
    }

    .grip,
    .small-button {
      min-inline-size: var(--hp-target);
      min-block-size: var(--hp-target);
    }
  }

  .side {
    display: flex;
    flex-wrap: wrap;
    align-content: start;
    justify-content: end;
    max-inline-size: calc(var(--hp-target) * 3);
  }

  .problem {
    color: var(--hp-bad);
    font-size: var(--hp-size-small);
  }

  .foot {
    position: sticky;
    inset-block-end: calc(-1 * var(--hp-6)); /* over the padding of what scrolls */
    z-index: 2;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-2) var(--hp-3);
    margin-inline: calc(-1 * var(--hp-2));
    padding: var(--hp-3) var(--hp-2);
    border-block-start: 1px solid var(--hp-line);
    background: var(--hp-page);
  }

  .whole {
    flex: 0 0 100%;
  }

  .whole:empty {
    display: contents;
  }

  /* number and buttons in a line of their own: the fields need all of a phone's width */
  @container review (width < 34rem) {
    .bar .title {
      flex-basis: 100%;
    }

    .bar .button {
      padding-inline: var(--hp-2);
      font-size: var(--hp-size-small);
    }

    .edited-step {
      grid-template-columns: minmax(0, 1fr) auto;
    }

    .handle {
      display: flex;
      align-items: center;
      padding-block-start: 0;
    }

    .words {
      grid-area: 2 / 1 / auto / -1;
    }

    .criterion {
      padding-inline-start: 0;
    }

    .side {
      grid-area: 1 / 2;
      max-inline-size: none;
    }

    .foot {
      inset-block-end: calc(-1 * var(--hp-5));
      gap: var(--hp-1);
      padding-block: var(--hp-2);
    }

    .foot .button {
      flex: 1 1 auto;
      padding-inline: var(--hp-2);
      font-size: var(--hp-size-small);
    }

    .foot .sign {
      flex-basis: 100%;
    }
  }
`;
