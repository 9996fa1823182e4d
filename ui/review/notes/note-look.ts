/** How notes look, wherever they stand. */
import { css } from "lit";

export const noteLook = css`
  :host {
    display: block;
    border: 1px solid var(--hp-line);
    border-inline-start: 3px solid var(--hp-accent);
    border-radius: var(--hp-round);
    background: var(--hp-raised);
    font-size: var(--hp-size);
  }

  :host([kind="question"]) {
    border-inline-start-color: var(--hp-waiting);
  }

  :host([kind="comment"]),
  :host([resolved]) {
    border-inline-start-color: var(--hp-line-strong);
  }

  :host(:target),
  :host([found]) {
    outline: var(--hp-focus);
    outline-offset: 1px;
  }

  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
    padding: var(--hp-2) var(--hp-3) var(--hp-3);
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-1) var(--hp-2);
    font-size: var(--hp-size-small);
  }

  .name {
    font-weight: 620;
  }

  button.chip {
    border: 0;
    cursor: pointer;
  }

  .words {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  blockquote {
    display: -webkit-box;
    margin: 0;
    padding-inline-start: var(--hp-2);
    overflow: hidden;
    border-inline-start: 2px solid var(--hp-line-strong);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }

  .reply {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-1);
    padding-block-start: var(--hp-2);
    border-block-start: 1px solid var(--hp-line);
  }

  textarea.input {
    field-sizing: content;
    min-block-size: 2lh;
    max-block-size: 40dvh;
  }

  .kinds {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
    margin: 0;
    padding: 0;
    border: 0;
    font-size: var(--hp-size-small);
  }

  .kinds label {
    display: inline-flex;
    align-items: center;
    gap: var(--hp-1);
    min-block-size: 1.75rem;
    cursor: pointer;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: var(--hp-2);
  }

  .actions .button {
    min-block-size: max(1.875rem, calc(var(--hp-target) - 0.375rem));
    font-size: var(--hp-size-small);
  }

  @media (pointer: coarse) {
    .actions .button,
    .kinds label {
      min-block-size: var(--hp-target);
    }
  }
`;
