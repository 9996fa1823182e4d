/** Colours for pieces of code, and a button that copies one; loaded when a text that is shown holds code. */
import hljs from "highlight.js/lib/common";
import { css } from "lit";
import { colouredCode } from "../../src/protocol/text/coloured-code.ts";
import { t } from "../i18n/t.ts";

const BLOCKS_MAX = 100;
const TOLD_MS = 2_000;

export const codeLook = css`
  .block {
    position: relative;
  }

  .block > .copy {
    position: absolute;
    inset-block-start: var(--hp-1);
    inset-inline-end: var(--hp-1);
    min-block-size: 1.75rem;
    padding: 0 var(--hp-2);
    border: 1px solid var(--hp-line);
    border-radius: var(--hp-round-small);
    background: var(--hp-surface);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    cursor: pointer;
  }

  @media (hover: hover) {
    .block > .copy {
      opacity: 0;
    }

    .block:hover > .copy,
    .block:focus-within > .copy {
      opacity: 1;
    }
  }

  @media (pointer: coarse) {
    .block > .copy {
      min-block-size: var(--hp-target);
    }

    .block > pre {
      padding-block-start: calc(var(--hp-target) + var(--hp-2));
    }
  }

  .keyword {
    color: var(--hp-accent);
  }

  .string {
    color: var(--hp-good);
  }

  .number {
    color: var(--hp-waiting);
  }

  .comment,
  .meta {
    color: var(--hp-quiet);
  }

  .comment {
    font-style: italic;
  }

  .name {
    color: var(--hp-accent-strong);
  }

  .added {
    background: var(--hp-good-soft);
    color: var(--hp-good);
  }

  .removed {
    background: var(--hp-bad-soft);
    color: var(--hp-bad);
  }
`;

/** In place: the words stay where they are, so that a note on them still finds them. */
export function dressCode(place: Element): void {
  for (const code of [...place.querySelectorAll<HTMLElement>("pre > code")].slice(0, BLOCKS_MAX)) {
    const language = /language-(\S+)/.exec(code.className)?.[1] ?? "";
    const parts = language === "" ? undefined : colouredCode(code.textContent, language.toLowerCase(), hljs);
    if (parts !== undefined)
      code.replaceChildren(...parts.map(({ text, kind }) => (kind === undefined ? text : coloured(text, kind))));
    const pre = code.parentElement;
    if (pre !== null && pre.parentElement?.classList.contains("block") !== true) addCopy(pre, code);
  }
}

function coloured(text: string, kind: string): HTMLElement {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  return span;
}

function addCopy(pre: HTMLElement, code: HTMLElement): void {
  const block = document.createElement("div");
  block.className = "block";
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.dataset["skip"] = "";
  button.textContent = t("parts.copy");
  button.addEventListener("click", () => void copied(button, code.textContent));
  pre.replaceWith(block);
  block.append(pre, button);
}

/** Says on the button itself that it worked. */
async function copied(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ""));
    button.textContent = t("parts.copied");
  } catch {
    button.textContent = t("parts.copyFailed");
  }
  setTimeout(() => (button.textContent = t("parts.copy")), TOLD_MS);
}
