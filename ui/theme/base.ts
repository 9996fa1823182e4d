/** What every element of the page starts from; first in its `static styles`. */
import { css } from "lit";

export const base = css`
  :host {
    box-sizing: border-box;
  }

  :host([hidden]) {
    display: none !important;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
  }

  :focus-visible {
    outline: var(--hp-focus);
    outline-offset: 2px;
    border-radius: var(--hp-round-small);
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }

  h1 {
    font-size: var(--hp-size-title);
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }

  h2 {
    font-size: var(--hp-size-large);
    font-weight: 620;
    line-height: 1.3;
  }

  h3 {
    font-size: var(--hp-size);
    font-weight: 620;
  }

  ul,
  ol {
    list-style: none;
  }

  a {
    color: var(--hp-accent);
  }

  code,
  pre,
  kbd {
    font-family: var(--hp-mono);
    font-size: 0.92em;
  }

  /* words have the direction of their first letter; code has its own, and turns nothing around it */
  p,
  h1,
  h2,
  h3,
  li,
  dd,
  td,
  th,
  strong,
  blockquote,
  textarea,
  .text {
    unicode-bidi: plaintext;
  }

  code,
  pre,
  kbd {
    direction: ltr;
    unicode-bidi: isolate;
  }

  .quiet {
    color: var(--hp-quiet);
  }

  .small {
    font-size: var(--hp-size-small);
  }

  .row {
    display: flex;
    align-items: center;
    gap: var(--hp-2);
  }

  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr); /* or the widest code, table or word would set the width of everything */
    gap: var(--hp-3);
  }

  .grow {
    flex: 1;
    min-inline-size: 0;
  }

  .clip {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  /* for screen readers only; whatever scrolls is positioned, or these would make the whole document as high as its content */
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
