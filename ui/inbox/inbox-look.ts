/** Styles of the inbox. */
import { css } from "lit";

export const inboxLook = css`
  :host {
    display: block;
    position: relative;
    overflow: auto;
    padding: var(--hp-4);
  }

  .inbox {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-4);
    max-inline-size: var(--hp-reading);
    margin-inline: auto;
  }

  .list {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  .head {
    display: flex;
    gap: var(--hp-2);
    align-items: center;
    padding-inline-end: var(--hp-3);
  }

  .head > input {
    flex: none;
    inline-size: 1.125rem;
    block-size: 1.125rem;
    margin-inline-start: var(--hp-3);
  }

  .tools {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
  }

  .unread .words strong::before {
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline-end: var(--hp-2);
    border-radius: var(--hp-round-full);
    background: var(--hp-accent);
    content: "";
  }

  .risk {
    color: var(--hp-waiting);
    font-weight: 600;
  }

  .item {
    display: flex;
    flex: 1;
    gap: var(--hp-3);
    min-inline-size: 0;
    padding: var(--hp-3);
    border-radius: var(--hp-round);
    color: inherit;
    text-decoration: none;
  }

  .item:hover {
    background: var(--hp-hover);
  }

  .mark {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: var(--hp-round-full);
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
  }

  .words {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    flex: 1;
    min-inline-size: 0;
  }

  .words strong {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    font-weight: 600;
  }

  .times {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-3);
  }

  .card {
    padding: 0 var(--hp-3) var(--hp-3);
  }

  .empty {
    padding-block: var(--hp-6);
  }

  .empty .icon {
    color: var(--hp-good);
  }

  .tell {
    display: grid;
    gap: var(--hp-3);
    padding-block-start: var(--hp-4);
    border-block-start: 1px solid var(--hp-line);
  }

  .tell h2 {
    font-size: var(--hp-size);
  }

  @media (width < 30rem) {
    :host {
      padding: var(--hp-3);
    }

    .head {
      flex-wrap: wrap;
      padding-block-end: var(--hp-3);
    }

    .item {
      flex-basis: calc(100% - 4rem);
      padding-inline-start: 0;
    }

    .mark {
      display: none;
    }

    .head > .button {
      flex: 1;
      margin-inline-start: var(--hp-3);
    }

    .card {
      padding-inline: var(--hp-2);
    }
  }
`;
