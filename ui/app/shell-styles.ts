/** Styles of the frame around every view: sidebar, main part, aside. */
import { css } from "lit";

export const shellStyles = css`
  .frame {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    block-size: 100dvh;
    overflow: hidden;
  }

  hp-sidebar,
  main {
    display: none;
  }

  .here {
    display: flex;
  }

  main {
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
    background: var(--hp-surface);
  }

  main:focus-visible {
    outline-offset: -2px;
  }

  main > hp-outlet {
    flex: 1;
  }

  aside {
    min-inline-size: 0;
    min-block-size: 0;
    position: relative;
    overflow: auto;
    border-inline-start: 1px solid var(--hp-line);
    background: var(--hp-page);
  }

  .connection {
    border-radius: 0;
  }

  .connection.waiting {
    padding: var(--hp-1) var(--hp-4);
    font-size: var(--hp-size-small);
    font-weight: 550;
  }

  .skip {
    position: absolute;
    inset: var(--hp-2) auto auto var(--hp-2);
    z-index: 20;
  }

  .skip:not(:focus) {
    inline-size: 1px;
    block-size: 1px;
    min-block-size: 0;
    padding: 0;
    border: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }

  @media (width >= 45rem) {
    .frame {
      grid-template-columns: 17.5rem minmax(0, 1fr);
    }

    hp-sidebar,
    main {
      display: flex;
    }

    hp-sidebar {
      border-inline-end: 1px solid var(--hp-line);
    }
  }

  @media (width >= 72rem) {
    .frame.with-side {
      grid-template-columns: 17.5rem minmax(0, 1fr) minmax(20rem, 28%);
    }
  }
`;
