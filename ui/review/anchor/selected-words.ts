/** What a person has selected in a plan, as a note can point at it. */
import type { PlanBody } from "../../../src/plan-mode/protocol/plan.ts";
import type { NoteTarget } from "../../../src/plan-mode/protocol/review.ts";
import { type Place, targetAt, writtenAt } from "../notes/places.ts";
import { quoteAt, writtenSpan } from "./quote-spans.ts";
import { offsetIn, shownText } from "./shown-text.ts";

export type SelectedWords = { target: NoteTarget; place: Place; rect: DOMRect };

/** Undefined where nothing is selected, or not within one section or step. */
export function selectedWords(root: ShadowRoot, body: PlanBody): SelectedWords | undefined {
  const range = composedRange(root);
  if (range === undefined || range.collapsed) return undefined;
  const words = wordsAround(range.startContainer);
  if (words === undefined || words !== wordsAround(range.endContainer)) return undefined;
  const place = placeIn(words);
  const written = place === undefined ? undefined : writtenAt(place, body);
  const target = place === undefined ? undefined : targetAt(place);
  if (place === undefined || written === undefined || target === undefined || target.on === "plan") return undefined;
  const shown = shownText(words);
  const start = offsetIn(shown, range.startContainer, range.startOffset);
  const end = offsetIn(shown, range.endContainer, range.endOffset);
  const span = writtenSpan(shown.text, written, { start, end });
  if (span === undefined) return undefined;
  return { target: { ...target, quote: quoteAt(written, span) }, place, rect: rectOf(range) };
}

/** The selection inside of shadow roots, which the document itself does not report. */
function composedRange(root: ShadowRoot): StaticRange | Range | undefined {
  const selection = document.getSelection();
  if (selection === null || !hasComposedRanges(selection)) return undefined;
  const rich = [...root.querySelectorAll("hp-rich-text")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return selection.getComposedRanges({ shadowRoots: [root, ...rich] })[0];
}

/** Older browsers have none; there, notes go on sections and steps. */
const hasComposedRanges = (selection: object): boolean => "getComposedRanges" in selection;

function wordsAround(node: Node): Element | undefined {
  for (let at: Node | null = node; at !== null; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) {
    if (at instanceof HTMLElement && at.dataset["words"] !== undefined) return at;
  }
  return undefined;
}

function placeIn(words: Element): Place | undefined {
  const place = words instanceof HTMLElement ? (words.dataset["words"] ?? "") : "";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own templates wrote it
  return place === "" ? undefined : (place as Place);
}

function rectOf({ startContainer, startOffset, endContainer, endOffset }: StaticRange | Range): DOMRect {
  const live = new Range();
  live.setStart(startContainer, startOffset);
  if (startContainer.getRootNode() === endContainer.getRootNode()) live.setEnd(endContainer, endOffset);
  return live.getBoundingClientRect();
}
