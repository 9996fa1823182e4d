/** The text that an element shows, with the nodes that it lies in; into open shadow roots, past what is no text of the plan. */
import type { Span } from "./quote-spans.ts";

export type ShownText = { text: string; pieces: readonly { node: Text; start: number }[] };

const BLOCK = "p, li, div, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, dt, dd";

export function shownText(root: Element): ShownText {
  const pieces: { node: Text; start: number }[] = [];
  let text = "";
  let block: Element | null = null;
  for (const node of textNodes(root)) {
    const own: Element | null = node.parentElement?.closest(BLOCK) ?? null;
    if (own !== block && text !== "") text += "\n"; // words of two paragraphs are two words
    block = own;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return { text, pieces };
}

function* textNodes(node: Node): Generator<Text> {
  if (node instanceof Text) {
    yield node;
    return;
  }
  if (node instanceof HTMLElement && node.dataset["skip"] !== undefined) return;
  const inside = node instanceof Element && node.shadowRoot !== null ? node.shadowRoot : node;
  for (const child of inside.childNodes) if (!(child instanceof HTMLStyleElement)) yield* textNodes(child);
}

/** Where a point of the document lies in the text; a point between elements is the text behind it. */
export function offsetIn({ pieces, text }: ShownText, container: Node, offset: number): number {
  for (const { node, start } of pieces) {
    if (node === container) return start + Math.min(offset, node.length);
    const behind = container instanceof Text ? container : (container.childNodes[offset] ?? container);
    const follows = behind.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (follows !== 0 || behind.contains(node)) return start;
  }
  return text.length;
}

export function rangeOf({ pieces }: ShownText, { start, end }: Span): Range | undefined {
  const first = pieces.findLast((piece) => piece.start <= start);
  const last = pieces.findLast((piece) => piece.start < end);
  if (first === undefined || last === undefined || first.node.getRootNode() !== last.node.getRootNode())
    return undefined;
  const range = new Range();
  range.setStart(first.node, Math.min(start - first.start, first.node.length));
  range.setEnd(last.node, Math.min(end - last.start, last.node.length));
  return range;
}
