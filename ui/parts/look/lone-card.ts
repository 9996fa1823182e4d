/** A page that is one card in the middle: before somebody is logged in, or with a link of its own. */
import { css } from "lit";

export const loneCard = css`
  :host {
    display: grid;
    place-content: center;
    min-block-size: 100dvh;
    padding: var(--hp-4);
  }

  main {
    inline-size: min(28rem, calc(100vw - 2rem));
    padding: var(--hp-5);
    border: 1px solid var(--hp-line);
    border-radius: calc(var(--hp-round) * 1.5);
    background: var(--hp-surface);
  }
`;
