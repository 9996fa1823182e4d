/** A card as one message of a channel, cut at whole steps, and the whole of it where one message cannot hold it. */
import type { Card } from "../../protocol/card/card.ts";
import type { Body, Capabilities } from "../port.ts";
import { ENGLISH } from "../texts/en.ts";
import { cardPieces, type Drawing, type Piece } from "./card-pieces.ts";
import { fits, inParts, lengthOf, type Limit, type Unit, withoutBlankEnds } from "./length-of.ts";
import { JOINER, neutral } from "./neutral-text.ts";

/** A message longer than this is not read on a phone, wherever the vendor's own limit lies (CH-05). */
const SHOWN_MAX = 3_500;

export type Shown = { body: Body; /** Something is missing in it. */ cut: boolean };

export const limitOf = ({ textMax, unit }: Pick<Capabilities, "textMax" | "unit">): Limit => ({
  max: Math.min(textMax, SHOWN_MAX),
  unit,
});

export function renderCard(card: Card, drawing: Drawing, limit: Limit): Shown {
  const pieces = cardPieces(card, drawing);
  const { format } = drawing;
  const whole = joined(pieces);
  const isCut = pieces.some(({ cut }) => cut);
  if (fits(whole, limit)) return { body: { format, text: whole }, cut: isCut };
  return { body: { format, text: cutAtSteps(pieces, limit) }, cut: true };
}

const joined = (pieces: readonly Piece[]): string =>
  pieces
    .flatMap(({ lines }) => lines)
    .join("\n")
    .trim();

/**
 * Head and foot always stay, as far as they fit themselves. A section that does not fit is left out; after a step that does
 * not fit no step follows.
 */
function cutAtSteps(pieces: readonly Piece[], limit: Limit): string {
  const head = pieces.filter(({ kind }) => kind === "head").flatMap(({ lines }) => lines);
  const foot = pieces.filter(({ kind }) => kind === "foot").flatMap(({ lines }) => lines);
  const body = pieces.filter(({ kind }) => kind === "step" || kind === "section");
  const { unit } = limit;
  const reserved =
    sizeOf([...keep(head, limit, 0.3), ...keep(foot, limit, 0.3)], unit) +
    lengthOf(cutNote({ steps: 999, sections: 99 }), unit) +
    2;
  const kept: string[] = [];
  let left = limit.max - reserved;
  const hidden = { steps: 0, sections: 0 };
  for (const { kind, lines } of body) {
    const size = sizeOf(lines, unit);
    const isFitting = size <= left && !(kind === "step" && hidden.steps > 0);
    if (isFitting) {
      kept.push(...lines);
      left -= size;
    } else if (kind === "step") hidden.steps += 1;
    else hidden.sections += 1;
  }
  return [...keep(head, limit, 0.3), ...kept, cutNote(hidden), ...keep(foot, limit, 0.3)].join("\n").trim();
}

const sizeOf = (lines: readonly string[], unit: Unit): number =>
  lines.reduce((sum, line) => sum + lengthOf(line, unit) + 1, 0);

/** The first whole lines that take no more than this share of the message. */
function keep(lines: readonly string[], { max, unit }: Limit, share: number): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    if (sizeOf([...kept, line], unit) > max * share) break;
    kept.push(line);
  }
  return kept;
}

function cutNote({ steps, sections }: { steps: number; sections: number }): string {
  const parts = [
    ...(steps > 0 ? [`${steps} ${steps === 1 ? ENGLISH.cutStep : ENGLISH.cutSteps}`] : []),
    ...(sections > 0 ? [`${sections} ${sections === 1 ? ENGLISH.cutSection : ENGLISH.cutSections}`] : []),
  ];
  return `… ${parts.length === 0 ? ENGLISH.cutPart : parts.join(", ")}. ${ENGLISH.cutWhere}`;
}

/** Whole and uncut, in as many messages as it takes: for channels that cannot send a file. */
export function cardPages(card: Card, drawing: Drawing, limit: Limit): Body[] {
  const { format } = drawing;
  const lines = cardPieces(card, { ...drawing, whole: true }).flatMap((piece) =>
    piece.kind === "foot" ? [] : piece.lines,
  );
  return pagesOf(lines, limit).map((text) => ({ format, text }));
}

/** Foreign text in as many messages as it takes; never empty. */
export function textPages(text: string, { format }: Pick<Drawing, "format">, limit: Limit): Body[] {
  const parts = inParts(withoutBlankEnds(text), limit, (part) => neutral(part, format));
  return (parts.length === 0 ? [ENGLISH.emptyText] : parts).map((part) => ({ format, text: neutral(part, format) }));
}

/** Lines are whole in themselves, so no page ends inside of a mark. One that is longer than a page is cut as plain text. */
function pagesOf(lines: readonly string[], limit: Limit): string[] {
  const pages: string[] = [];
  let page = "";
  for (const line of lines) {
    const more = page === "" ? line : `${page}\n${line}`;
    if (fits(more, limit)) {
      page = more;
      continue;
    }
    if (page.trim() !== "") pages.push(withoutBlankEnds(page));
    const parts = fits(line, limit) ? [line] : cutLine(line, limit);
    page = parts.pop() ?? "";
    pages.push(...parts);
  }
  return page.trim() === "" ? pages : [...pages, withoutBlankEnds(page)];
}

/** What meant nothing inside of its line could begin a list or a quotation at the beginning of a page. */
function cutLine(line: string, { max, unit }: Limit): string[] {
  const parts = inParts(withoutMarks(line), { max: max - lengthOf(JOINER, unit), unit }, (part) => part);
  return parts.map((part, at) => (at === 0 ? part : `${JOINER}${part}`));
}

/** A line that must be cut loses its bold and its strike, so that neither stays open. */
const withoutMarks = (line: string): string =>
  line.replace(/<\/?[bs]>/g, "").replace(/(?<!\\)(\*\*|~~|\*|~)(.*)\1$/, "$2");
