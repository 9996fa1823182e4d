/** Styles of what plugins contribute to the page. */
import { css } from "lit";

export const slotStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-3);
    min-inline-size: 0;
  }

  .contribution {
    display: grid;
    gap: var(--hp-2);
    min-inline-size: 0;
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-3);
    align-items: baseline;
  }

  .body {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-2) var(--hp-3);
    align-items: center;
    min-inline-size: 0;
  }

  .body > :is(.facts, .wide, .card, hp-plugin-form, p.text) {
    flex: 1 1 100%;
    min-inline-size: 0;
  }

  .text {
    white-space: pre-wrap;
  }

  .tone:is(.good, .bad, .waiting, .accent) {
    padding: var(--hp-2) var(--hp-3);
    border-radius: var(--hp-round);
  }

  .card {
    display: grid;
    gap: var(--hp-3);
    justify-items: start;
    padding: var(--hp-3) var(--hp-4);
  }

  .card > :is(.facts, .wide, hp-plugin-form, p) {
    justify-self: stretch;
    min-inline-size: 0;
  }

  .facts {
    display: grid;
    gap: var(--hp-1);
  }

  .facts > div {
    display: grid;
    grid-template-columns: minmax(6rem, 12rem) minmax(0, 1fr);
    gap: var(--hp-3);
  }

  .wide {
    overflow-x: auto;
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  th,
  td {
    padding: var(--hp-1) var(--hp-2);
    border-block-end: 1px solid var(--hp-line);
    text-align: start;
  }

  .chooser {
    max-inline-size: 24rem;
  }

  /* between a title and a menu there is one line */
  :host([name="session-header"]) {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
    max-block-size: min(10rem, 25dvh);
    padding: var(--hp-1) var(--hp-4);
    border-block-end: 1px solid var(--hp-line);
    overflow: auto; /* however much a plugin says, what the page is about stays in sight */
  }

  :host(:focus-visible) {
    outline-offset: -2px;
  }

  :host([name="session-header"]) .contribution {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: center;
  }

  /* goes on its own line before its words are broken */
  :host([name="session-header"]) .head {
    flex: none;
    max-inline-size: 100%;
  }

  :host([name="composer"]) {
    margin-block-end: var(--hp-2);
  }

  :host([name="session-header"]) .head > span,
  :host([name="composer"]) .head > span {
    display: none;
  }

  :host(:is([name="session-header"], [name="composer"])) .name {
    font-size: var(--hp-size-small);
    font-weight: 550;
    color: var(--hp-quiet);
  }
`;
