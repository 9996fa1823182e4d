/** The tags and links of a plan in the library: addresses are followed, and what people added can be taken away again. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { LibraryEntry } from "../../src/library/protocol/library-entry.ts";
import { t } from "../i18n/t.ts";
import { icon } from "../parts/icon.ts";
import { visibly } from "../text/visibly.ts";

const LINKS_SHOWN_MAX = 6;
const MARK_CHARS_MAX = 60;

export type Mark = { tag: string } | { link: string };

export const planMarksLook = css`
  ul.marks {
    display: flex;
    flex-wrap: wrap;
    gap: var(--hp-1) var(--hp-3);
  }

  ul.marks li {
    display: inline-flex;
    align-items: center;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
`;

/** Those that people added come first among the links, so all of them are shown. */
export function planMarks(
  { tags, links, added }: Pick<LibraryEntry, "tags" | "links" | "added">,
  remove: (mark: Mark) => void,
): TemplateResult | typeof nothing {
  if (tags.length + links.length === 0) return nothing;
  const shown = links.slice(0, Math.max(LINKS_SHOWN_MAX, added.links.length));
  return html`<ul class="marks small quiet" aria-label=${t("library.marks")}>
    ${tags.map((tag) => {
      const name = `#${tag}`;
      return html`<li>${visibly(name)}${removal(name, added.tags.includes(tag), () => remove({ tag }))}</li>`;
    })}
    ${shown.map(
      (link) => html`<li>${linked(link)}${removal(link, added.links.includes(link), () => remove({ link }))}</li>`,
    )}
  </ul>`;
}

function removal(name: string, isAdded: boolean, remove: () => void): TemplateResult | typeof nothing {
  if (!isAdded) return nothing;
  const label = t("library.markRemove", { mark: visibly(shortened(name)) });
  return html`<button class="button bare square" aria-label=${label} title=${label} @click=${remove}>
    ${icon("bad", 14)}
  </button>`;
}

/** `#12` and `KEY-7` lead nowhere by themselves; of addresses only those of the web. */
function linked(link: string): TemplateResult | string {
  const words = visibly(shortened(link));
  const href = webAddress(link);
  if (href === undefined) return words;
  return html`<a href=${href} target="_blank" rel="noreferrer noopener">${words}</a>`;
}

function webAddress(link: string): string | undefined {
  const url = URL.parse(link);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

/** Addresses in plans can be longer than everything else about them. */
export const shortened = (text: string): string =>
  text.length > MARK_CHARS_MAX ? `${text.slice(0, MARK_CHARS_MAX)}…` : text;
