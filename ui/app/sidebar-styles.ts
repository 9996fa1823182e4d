/** Styles of the sidebar. */
import { css } from "lit";

export const sidebarStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: var(--hp-2);
    min-block-size: 0;
    padding: var(--hp-3);
    padding-block-end: var(--hp-1);
  }

  .brand {
    display: inline-flex;
    align-items: center;
    gap: var(--hp-2);
    padding: var(--hp-1) var(--hp-2);
    color: var(--hp-text);
    font-size: var(--hp-size-large);
    font-weight: 680;
    letter-spacing: -0.015em;
    text-decoration: none;
  }

  .place,
  .session {
    display: flex;
    align-items: center;
    gap: var(--hp-3);
    min-block-size: var(--hp-target);
    padding: 0 var(--hp-2);
    border-radius: var(--hp-round-small);
    color: var(--hp-text);
    text-decoration: none;
  }

  .session {
    gap: var(--hp-2);
  }

  .place:hover,
  .session:hover {
    background: var(--hp-hover);
  }

  [aria-current] {
    background: var(--hp-accent-soft);
    font-weight: 600;
  }

  [aria-current]:hover {
    background: var(--hp-accent-soft);
  }

  .brand .icon {
    color: var(--hp-accent);
  }

  .search {
    position: relative;
  }

  .search .icon {
    position: absolute;
    inset: 50% auto auto var(--hp-3);
    translate: 0 -50%;
    color: var(--hp-quiet);
    pointer-events: none;
  }

  .search .input {
    padding-inline-start: 2.25rem;
  }

  .sessions {
    flex: 1;
    min-block-size: 0;
    margin-inline: calc(-1 * var(--hp-1));
    padding-inline: var(--hp-1);
    position: relative;
    overflow-y: auto;
  }

  .dashboard:has([filled]) {
    margin-block-start: var(--hp-2);
  }

  /* with what plugins show below it, the list takes what it needs and the whole scrolls */
  :host([ismain]) {
    position: relative;
    overflow-y: auto;
  }

  :host([ismain]) .sessions {
    flex: 1 0 auto;
    overflow: visible;
  }

  time {
    font-weight: 400;
    white-space: nowrap;
  }

  .session .badge {
    font-weight: 600;
  }

  .sessions .button,
  .foot .button {
    inline-size: 100%;
    justify-content: start;
    font-weight: 500;
  }
`;
