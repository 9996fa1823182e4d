/**
 * Small marks in a line of text.
 *
 *   <span class="badge">3</span>             a count; add "waiting", "good" or "bad"
 *   <span class="chip waiting">Waiting</span> a state in a word
 *   <kbd class="key">?</kbd>                  a key
 *   <p class="empty">…</p>                    what a list says when there is nothing in it
 */
import { css } from "lit";

export const marks = css`
  .badge,
  .chip {
    display: inline-flex;
    align-items: center;
    gap: var(--hp-1);
    border-radius: var(--hp-round-full);
    background: var(--hp-sunken);
    color: var(--hp-text);
    font-size: var(--hp-size-small);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    line-height: 1.4;
    white-space: nowrap;
  }

  .badge {
    min-inline-size: 1.375rem;
    padding: 0.0625rem 0.4rem;
    justify-content: center;
  }

  .chip {
    padding: 0.125rem 0.6rem;
  }

  .waiting {
    background: var(--hp-waiting-soft);
    color: var(--hp-waiting);
  }

  .good {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .bad {
    background: var(--hp-bad-soft);
    color: var(--hp-bad);
  }

  .accent {
    background: var(--hp-accent-soft);
    color: var(--hp-accent-strong);
  }

  .key {
    display: inline-block;
    min-inline-size: 1.5rem;
    padding: 0.0625rem 0.375rem;
    border: 1px solid var(--hp-line-strong);
    border-radius: var(--hp-round-small);
    background: var(--hp-surface);
    text-align: center;
  }

  .empty {
    padding: var(--hp-5);
    color: var(--hp-quiet);
    text-align: center;
  }

  .panel {
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round);
    background: var(--hp-surface);
  }

  /* How much is done, from 0 to 1 in --done. */
  .done-bar {
    block-size: 0.375rem;
    overflow: hidden;
    border-radius: var(--hp-round-full);
    background: var(--hp-sunken);
  }

  .done-bar::before {
    display: block;
    inline-size: calc(var(--done) * 100%);
    block-size: 100%;
    background: var(--hp-good);
    content: "";
    transition: inline-size var(--hp-slow);
  }
`;
