/** Styles of the conversation. */
import { css } from "lit";
import { avatars } from "../parts/avatar.ts";

export const chatStyles = css`
  ${avatars}

  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
  }

  .log {
    flex: 1;
    min-block-size: 0;
    padding-block: var(--hp-3);
  }

  .log:focus-visible {
    outline-offset: -2px;
  }

  .virtual-row > * {
    max-inline-size: calc(var(--hp-reading) + 2 * var(--hp-4));
    margin-inline: auto;
    padding-inline: var(--hp-4);
  }

  .entry {
    display: flex;
    gap: var(--hp-3);
    padding-block: var(--hp-3);
  }

  .entry h2 {
    font-size: var(--hp-size);
  }

  .entry time {
    font-weight: 400;
  }

  .entry > div {
    min-inline-size: 0;
  }

  .avatar.agent {
    background: var(--hp-text);
    color: var(--hp-surface);
  }

  .plain {
    white-space: pre-wrap;
  }

  .note,
  .used {
    padding-block: var(--hp-1);
  }

  .virtual-row > .note,
  .virtual-row > .used {
    padding-inline-start: calc(var(--hp-4) + 2.5rem);
  }

  .goes-on {
    padding-block-start: 0;
  }

  .avatar.none {
    block-size: 0;
    background: none;
  }

  .event .row {
    color: var(--hp-quiet);
  }

  .event.tone-good .icon {
    color: var(--hp-good);
  }

  .event.tone-bad .icon {
    color: var(--hp-bad);
  }

  .event blockquote {
    max-block-size: 12rem;
    margin: var(--hp-1) 0 0 0.5rem;
    padding-inline-start: var(--hp-3);
    overflow: auto;
    border-inline-start: 2px solid var(--hp-line-strong);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .failed {
    display: grid;
    gap: var(--hp-1);
    padding: var(--hp-2) var(--hp-3);
    border-inline-start: 3px solid var(--hp-bad);
    border-radius: var(--hp-round-small);
    background: var(--hp-bad-soft);
    overflow-wrap: anywhere;
  }

  .failed .icon,
  .failed strong {
    color: var(--hp-bad);
  }

  .aside .row {
    min-block-size: 1.75rem;
  }

  .reply {
    max-block-size: 20rem;
    margin: 0;
    padding: var(--hp-3);
    overflow: auto;
    border: 1px dashed var(--hp-line-strong);
    border-radius: var(--hp-round-small);
    white-space: pre-wrap;
  }

  .dock {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-2);
    inline-size: 100%;
    max-inline-size: calc(var(--hp-reading) + 2 * var(--hp-4));
    max-block-size: 85%;
    margin-inline: auto;
    padding: var(--hp-1) var(--hp-4) var(--hp-2);
    position: relative;
    overflow: auto;
  }

  .dock hp-composer[hidden] {
    display: none;
  }

  .under {
    display: flex;
    align-items: center;
    min-block-size: var(--hp-target);
  }

  .queue:not(:has(*)) {
    position: absolute;
  }

  .queue li {
    padding-inline-start: var(--hp-3);
    border-inline-start: 2px solid var(--hp-line-strong);
  }

  .doing.row {
    min-block-size: var(--hp-target);
  }
`;
