/** Styles of the composer, where messages are written. */
import { css } from "lit";

export const composerLook = css`
  :host {
    display: block;
  }

  form {
    display: flex;
    flex-wrap: wrap; /* attached files stand above */
    gap: var(--hp-2);
    align-items: end;
    padding: var(--hp-1);
    border: 1px solid var(--hp-line-strong);
    border-radius: calc(var(--hp-round) + var(--hp-1));
    background: var(--hp-surface);
  }

  form:focus-within {
    outline: var(--hp-focus);
    outline-offset: -1px;
  }

  form.over {
    background: var(--hp-accent-soft);
  }

  textarea.input {
    flex: 1 1 6rem;
    inline-size: auto;
    min-inline-size: 0;
    field-sizing: content;
    min-block-size: var(--hp-target);
    max-block-size: 40dvh;
    padding: 0.4rem var(--hp-1);
    border: 0;
    outline: none;
    resize: none;
  }

  p {
    margin-block-start: var(--hp-1);
  }

  .problem {
    color: var(--hp-bad);
  }

  [role="listbox"] {
    max-block-size: min(16rem, 40dvh);
    margin-block-end: var(--hp-1);
    padding: var(--hp-1);
    position: relative;
    overflow: auto;
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-raised);
    box-shadow: var(--hp-shadow);
  }

  [role="listbox"][hidden] {
    display: none;
  }

  [role="option"] {
    display: flex;
    gap: var(--hp-3);
    align-items: baseline;
    min-block-size: 2rem;
    padding: var(--hp-1) var(--hp-3);
    border-radius: var(--hp-round-small);
    cursor: pointer;
  }

  [role="option"] code {
    flex: none;
  }

  [role="option"]:hover,
  [aria-selected="true"] {
    background: var(--hp-hover);
  }
`;
