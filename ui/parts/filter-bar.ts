/** A row of choices of which one holds. On a phone it stays one row that scrolls: what it filters needs the room. */
import { css, html, type TemplateResult } from "lit";

type Filter<Id extends string> = {
  label: string;
  choices: readonly { id: Id; label: string }[];
  chosen: Id;
  choose(id: Id): void;
};

export const filterBar = <Id extends string>({ label, choices, chosen, choose }: Filter<Id>): TemplateResult => html`
  <div class="filters" role="group" aria-label=${label}>
    ${choices.map(
      ({ id, label: text }) =>
        html`<button class="filter" aria-pressed=${id === chosen} @click=${() => choose(id)}>${text}</button>`,
    )}
  </div>
`;

export const filters = css`
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1);
  }

  .filter {
    min-block-size: 2rem;
    padding: 0 var(--hp-3);
    border: 1px solid var(--hp-line-strong);
    border-radius: var(--hp-round-full);
    background: var(--hp-surface);
    font-size: var(--hp-size-small);
    font-weight: 550;
    cursor: pointer;
  }

  .filter:hover {
    background: var(--hp-hover);
  }

  .filter:focus-visible {
    border-radius: var(--hp-round-full);
  }

  .filter[aria-pressed="true"] {
    border-color: var(--hp-accent);
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
  }

  @media (pointer: coarse) {
    .filter {
      min-block-size: var(--hp-target);
    }
  }

  @media (width < 45rem) {
    .filters {
      flex-wrap: nowrap;
      margin-inline: calc(-1 * var(--hp-3));
      padding: 0.25rem var(--hp-3); /* the ring of the keyboard is not cut off */
      overflow-x: auto;
      scrollbar-width: none;
      animation: more-filters;
      animation-timeline: scroll(self inline);
    }

    .filter {
      flex: none;
      scroll-margin-inline: var(--hp-3);
    }
  }

  /* fades out towards those that are left */
  @keyframes more-filters {
    from {
      mask: linear-gradient(90deg, #000 85%, transparent);
    }
  }
`;
