/** Styles of a tool call in the conversation. */
import { css } from "lit";

export const toolLook = css`
  :host {
    display: block;
    font-size: var(--hp-size-small);
  }

  .tool {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-1);
    padding-block: 0.125rem;
  }
  .tool.inside {
    margin-inline-start: 1.5rem;
  }

  .tool > details > summary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--hp-2);
    align-items: center;
    inline-size: fit-content;
    max-inline-size: 100%;
    min-block-size: 1.75rem;
    color: var(--hp-quiet);
    cursor: pointer;
    list-style: none;
  }

  summary::-webkit-details-marker {
    display: none;
  }

  summary:hover {
    color: var(--hp-text);
  }

  /* whole, whatever its length: a tool is known by it */
  .name {
    min-inline-size: 0;
    color: var(--hp-text);
    overflow-wrap: anywhere;
  }

  .about {
    flex: 0 1 auto;
    max-inline-size: 100%;
    font-family: var(--hp-mono);
    font-size: 0.92em;
  }

  .all {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--hp-1);
    justify-items: start;
    padding-block: var(--hp-1) var(--hp-2);
  }

  h3 {
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    font-weight: 550;
  }

  pre {
    justify-self: stretch;
    max-block-size: 20rem;
    margin: 0;
    padding: var(--hp-3);
    overflow: auto;
    border-radius: var(--hp-round-small);
    background: var(--hp-sunken);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  pre.live {
    display: flex;
    flex-direction: column-reverse;
    max-block-size: 10rem;
  }

  .refusal {
    display: grid;
    gap: var(--hp-1);
    justify-items: start;
    padding: var(--hp-2) var(--hp-3);
    border-inline-start: 3px solid var(--hp-waiting);
    border-radius: var(--hp-round-small);
    background: var(--hp-waiting-soft);
  }

  .refusal p {
    color: var(--hp-text);
    overflow-wrap: anywhere;
  }

  .refusal .quiet {
    font-family: var(--hp-mono);
    font-size: 0.75rem;
  }

  .refusal summary {
    color: var(--hp-waiting);
    cursor: pointer;
  }

  .small-card {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
    align-items: center;
    padding: var(--hp-2) var(--hp-3);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round-small);
  }

  .small-card strong.grow,
  .small-card a.grow {
    flex: 1 1 10rem;
  }
`;
