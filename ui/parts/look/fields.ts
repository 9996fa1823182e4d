/** Fields are the browser's own too. `<label class="field"><span>Title</span><input></label>` */
import { css } from "lit";

export const fields = css`
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-1);
  }

  .field > span {
    font-size: var(--hp-size-small);
    font-weight: 550;
  }

  .input {
    inline-size: 100%;
    min-block-size: var(--hp-target);
    padding: var(--hp-1) var(--hp-3);
    border: 1px solid var(--hp-line-strong);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
    color: var(--hp-text);
  }

  .input::placeholder {
    color: var(--hp-quiet);
    opacity: 1;
  }

  .input:focus-visible {
    outline-offset: -1px;
    border-radius: var(--hp-round);
  }

  textarea.input {
    padding-block: var(--hp-2);
    resize: vertical;
    line-height: var(--hp-leading);
  }

  select.input {
    appearance: auto;
  }

  .field .problem {
    color: var(--hp-bad);
    font-size: var(--hp-size-small);
  }
`;
