/**
 * The two that a plan usually gets, side by side, and a sheet with the rest: `.decide > .together` and `<hp-sheet>`. What
 * does not fit goes below with its like, never alone. Where room is scarce the two are as wide as they can be; no word is
 * broken, least of all the one that signs.
 */
import { css } from "lit";

export const thumbLook = css`
  .decide,
  .together {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-2);
    align-items: center;
  }

  .decide:has(hp-sheet[narrow]) {
    flex-wrap: nowrap;
    align-items: stretch;
  }

  .decide:has(hp-sheet[narrow]) > .together {
    flex: 1;
    align-items: stretch;
    min-inline-size: 0;
  }

  /* in one line where their longest words fit */
  .decide:has(hp-sheet[narrow]) > .together > .button {
    flex: 1 1 min-content;
    min-inline-size: min-content;
    min-block-size: 3rem;
    padding-inline: var(--hp-1);
    line-height: 1.2;
    white-space: normal;
    overflow-wrap: normal;
  }

  .decide:has(hp-sheet[narrow]) .button:not(.sign) {
    font-size: var(--hp-size-small);
  }

  @media (width < 30rem) {
    .decide .sign .icon {
      display: none;
    }
  }
`;
