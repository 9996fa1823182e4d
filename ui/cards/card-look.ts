/** The shell that the cards share: a kicker, a heading, what is known, what stands in the way, what to do. */
import { css } from "lit";

export const cardLook = css`
  :host {
    display: block;
  }

  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
    padding: var(--hp-3) var(--hp-4) var(--hp-4);
    border: 1px solid var(--hp-line-strong);
    border-block-start: 3px solid var(--hp-accent);
    border-radius: var(--hp-round);
    background: var(--hp-raised);
    box-shadow: var(--hp-shadow);
  }

  .kicker {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
    align-items: center;
    justify-content: space-between;
    font-size: var(--hp-size-small);
  }

  .kicker > :first-child {
    display: inline-flex;
    gap: var(--hp-2);
    align-items: center;
    color: var(--hp-accent-strong);
    font-weight: 600;
  }

  h2:focus-visible {
    outline-offset: 4px;
  }

  /* nothing to say yet, but there to be heard when there is */
  .card > [role]:not(.note, :has(*)) {
    position: absolute;
  }

  .meta {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-3);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
  }

  h2 + .meta {
    margin-block-start: calc(-1 * var(--hp-2));
  }

  .note {
    padding: var(--hp-2) var(--hp-3);
    border-radius: var(--hp-round-small);
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
    font-size: var(--hp-size-small);
  }

  .note.bad {
    background: var(--hp-bad-soft);
    color: var(--hp-bad);
  }

  .note.calm {
    background: var(--hp-sunken);
    color: var(--hp-text);
  }

  .note a {
    color: inherit;
    font-weight: 600;
  }

  /* a plan may touch hundreds of files */
  .listed {
    max-block-size: min(8rem, 20dvh);
    position: relative;
    overflow: auto;
  }

  .note li {
    display: flex;
    gap: var(--hp-2);
    align-items: center;
    min-inline-size: 0;
  }

  summary {
    inline-size: fit-content;
    min-block-size: 1.5rem;
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    cursor: pointer;
  }

  summary:hover {
    color: var(--hp-text);
  }

  .steps ol {
    max-block-size: min(14rem, 30dvh);
    margin-block-start: var(--hp-1);
    padding-inline-start: 2rem;
    position: relative;
    overflow: auto;
    list-style: decimal;
    font-size: var(--hp-size-small);
  }

  .steps li {
    padding-block: 0.125rem;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-2);
    align-items: center;
  }

  .kicker .time .icon {
    margin-inline-end: var(--hp-1);
    vertical-align: -0.125em;
  }

  .actions .sign {
    min-block-size: calc(var(--hp-target) + 0.25rem);
    padding-inline: var(--hp-4);
  }

  .actions .button:not(.sign) {
    padding-inline: var(--hp-2);
    font-size: var(--hp-size-small);
  }

  textarea.input {
    field-sizing: content;
    min-block-size: 4.5rem;
    max-block-size: 30dvh;
  }

  /* in sight, and on a phone under the thumb, however long the card is */
  .actions.decide {
    position: sticky;
    inset-block-end: calc(-1 * var(--hp-2)); /* over the padding of what scrolls: nothing shows below it */
    display: flex;
    margin-inline: calc(-1 * var(--hp-2));
    padding: var(--hp-2);
    background: var(--hp-raised);
  }

  @media (width < 40rem) {
    /* the hint above the two buttons, which would squeeze it */
    form > .row {
      flex-wrap: wrap;
    }

    form > .row > .grow {
      flex-basis: 100%;
    }

    form > .row > .button {
      flex: 1;
    }

    .actions {
      display: grid;
      grid-template-columns: repeat(2, minmax(min-content, 1fr)); /* a long word widens its own column */
    }

    .actions .sign {
      grid-column: 1 / -1;
    }

    .actions .button {
      white-space: normal;
      line-height: 1.2;
    }

    .actions .button:not(.sign) {
      padding-inline: var(--hp-1);
    }
  }

  @media (width < 30rem) {
    .card {
      padding-inline: var(--hp-3);
    }
  }
`;
