/** Paths, commands and hosts in a row: `<code class="entry">`, each in a box of its own, so that none runs into the next. */
import { css } from "lit";

export const entries = css`
  .entry {
    display: inline-block;
    max-inline-size: 100%;
    margin-block: 0.0625rem;
    padding-inline: 0.35em;
    border-radius: var(--hp-round-small);
    background: var(--hp-sunken);
    color: var(--hp-text);
    overflow-wrap: anywhere;
  }
`;
