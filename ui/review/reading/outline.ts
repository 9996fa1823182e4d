/** The contents of a plan beside it: its sections and steps, which of them is read now, and which were not yet. */
import { css, html, nothing, type TemplateResult } from "lit";
import { headLine } from "../../../src/protocol/text/inline-markdown.ts";
import type { PlanBody } from "../../../src/plan-mode/protocol/plan.ts";
import type { PlanSection } from "../../../src/plan-mode/protocol/review.ts";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { type Place, SECTIONS_AFTER, SECTIONS_BEFORE, stepPlace, writtenIn } from "../notes/places.ts";

/** More are reached by their numbers and by finding. */
const STEPS_LISTED_MAX = 120;
const TITLE_CHARS_MAX = 60;

export const outlineLook = css`
  .outline {
    display: none;
  }

  .outline a {
    display: flex;
    gap: var(--hp-2);
    align-items: center;
    padding: var(--hp-1) var(--hp-2);
    border-inline-start: 2px solid transparent;
    border-radius: var(--hp-round-small);
    color: var(--hp-quiet);
    font-size: var(--hp-size-small);
    text-decoration: none;
  }

  .outline a.sub {
    padding-block: 0.1875rem;
    padding-inline-start: var(--hp-4);
    font-size: 0.75rem;
  }

  .outline a:hover {
    background: var(--hp-hover);
    color: var(--hp-text);
  }

  .outline a[aria-current] {
    border-inline-start-color: var(--hp-accent);
    color: var(--hp-text);
    font-weight: 600;
  }

  .outline .short {
    display: -webkit-box;
    overflow: hidden;
    line-height: 1.3;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }

  .outline .unread {
    flex: none;
    inline-size: 0.4rem;
    block-size: 0.4rem;
    border-radius: 50%;
    background: var(--hp-accent);
  }

  @container review (width >= 60rem) {
    .with-outline .outline {
      position: sticky;
      inset-block-start: var(--hp-4);
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.125rem;
      align-content: start;
      align-self: start;
      max-block-size: 70dvh;
      overflow-y: auto;
      scrollbar-width: thin;
    }
  }
`;

export type OutlineState = {
  current: Place | undefined;
  isFresh(place: Place): boolean;
  openIn(name: PlanSection | "steps"): number;
  onGo(event: Event, id: string): void;
};

export function outline(body: PlanBody, state: OutlineState): TemplateResult {
  const named = (name: PlanSection): TemplateResult | typeof nothing =>
    writtenIn(body, name) === undefined ? nothing : section(name, state);
  return html`<nav class="outline" aria-label=${t("review.outline")}>
    ${SECTIONS_BEFORE.map(named)} ${section("steps", state)}
    ${body.plan.slice(0, STEPS_LISTED_MAX).map(({ step }, index) => stepLink(step, index + 1, state))}
    ${SECTIONS_AFTER.map(named)}
  </nav>`;
}

/** Only what is new to a returning reader is marked: to a newcomer all of it is. */
const unread = (place: Place, { isFresh }: OutlineState): TemplateResult | typeof nothing =>
  isFresh(place)
    ? html`<span class="unread" title=${t("review.newToYou")}></span
        ><span class="unseen">${t("review.newToYou")}</span>`
    : nothing;

function section(name: PlanSection | "steps", state: OutlineState): TemplateResult {
  const count = state.openIn(name);
  return html`<a
    href="#${name}"
    aria-current=${state.current === name ? "true" : nothing}
    @click=${(event: Event) => state.onGo(event, name)}
  >
    <span class="grow">${t(`review.section_${name}`)}</span>
    ${name === "steps" ? nothing : unread(name, state)}
    ${count === 0 ? nothing : html`<span class="badge waiting" title=${t("review.openNotes", { count })}>${count}</span>`}
  </a>`;
}

function stepLink(text: string, number: number, state: OutlineState): TemplateResult {
  const place = stepPlace(number);
  const line = visibly(headLine(text));
  return html`<a
    class="sub"
    href="#${place}"
    tabindex="-1"
    aria-current=${state.current === place ? "true" : nothing}
    @click=${(event: Event) => state.onGo(event, place)}
  >
    <span class="grow short">${number} ${line.slice(0, TITLE_CHARS_MAX)}</span>${unread(place, state)}
  </a>`;
}
