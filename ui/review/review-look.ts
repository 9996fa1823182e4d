/** Styles of the review of one plan. */
import { css } from "lit";

export const reviewLook = css`
  hp-unsent-words {
    inline-size: min(100% - 2 * var(--hp-3), var(--hp-reading));
    margin-inline: auto;
  }

  :host {
    container: review / inline-size;
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 0;
    background: var(--hp-page);
  }

  .scroll {
    flex: 1;
    min-block-size: 0;
    position: relative;
    overflow: auto;
    overscroll-behavior: contain;
    padding: var(--hp-4) var(--hp-5) var(--hp-6);
  }

  .top {
    display: grid;
    gap: var(--hp-2);
    max-inline-size: var(--hp-reading);
    margin: 0 auto var(--hp-4);
  }

  .plugins {
    max-inline-size: var(--hp-reading);
    margin-inline: auto;
  }

  .plugins:has([filled]) {
    margin-block-end: var(--hp-5);
  }

  .title {
    font-size: var(--hp-size-title);
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }

  .status,
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-1) var(--hp-3);
  }

  .status {
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
  }

  /* beside the tabs, or together below them; the list of revisions gives way first */
  .beside {
    display: flex;
    flex: 0 1 auto;
    align-items: center;
    justify-content: end;
    gap: var(--hp-1);
    min-inline-size: 0;
  }

  .beside:has(select) {
    flex: 1 1 24rem;
  }

  .beside > label {
    flex: 0 1 auto;
    min-inline-size: 0;
  }

  .toolbar select {
    inline-size: auto;
    max-inline-size: 100%;
    min-inline-size: 0;
  }

  .told {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--hp-2);
    padding: var(--hp-2) var(--hp-3);
    border-radius: var(--hp-round);
    font-size: var(--hp-size-small);
  }

  hp-tabs {
    flex: 1 0 auto;
    min-inline-size: 0;
    max-inline-size: 100%;
  }

  /* beside a conversation the history leads to other revisions */
  :host([compact]) .toolbar {
    flex-wrap: nowrap;
    gap: 0;
  }

  :host([compact]) hp-tabs {
    --hp-tab-inset: var(--hp-2);
    flex-shrink: 1;
  }

  /* everything stands in one column, right of where the contents are listed */
  @container review (width >= 60rem) {
    .outlined > :not(hp-plan-document),
    .outlined ~ hp-unsent-words {
      max-inline-size: min(var(--hp-reading), 100% - 13rem);
      margin-inline: max(13rem, calc((100% - 13rem - var(--hp-reading)) / 2 + 13rem)) auto;
    }
  }

  @container review (width < 46rem) {
    :host(:not([compact])) hp-tabs {
      flex-basis: 100%;
    }
  }

  @container review (width < 34rem) {
    .scroll {
      padding: var(--hp-3) var(--hp-3) var(--hp-5);
    }

    .title {
      font-size: var(--hp-size-large);
    }

    .toolbar {
      gap: var(--hp-1) 0;
    }

    /* beside the tabs where they fit; with a list of revisions in one line of their own */
    :host(:not([compact])) hp-tabs {
      flex-basis: auto;
    }

    .beside .icon {
      margin-inline: 0.125rem; /* as wide as a finger */
    }

    .beside .word {
      position: absolute;
      inline-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }

    .beside > label {
      flex: 1 1 auto;
    }

    .toolbar select {
      inline-size: 100%;
    }
  }
`;
