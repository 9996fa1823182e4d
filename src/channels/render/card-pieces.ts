/** A card in pieces that are never cut: a head, its steps, what it says besides, and what can be done about it. */
import {
  type ApprovalCard,
  type Card,
  type CardAction,
  type CardOption,
  type CardSection,
  type CardStep,
  type CardText,
  type GrantCard,
  isWaiting,
  type QuestionCard,
  shortDigest,
} from "../../protocol/card/card.ts";
import { numberMark } from "../../plan-mode/protocol/step/criterion-number.ts";
import { firstChars, never, oneLine } from "../../plugins/sdk.ts";
import type { Format } from "../port.ts";
import { ENGLISH } from "../texts/en.ts";
import { bold, command, struck } from "./bold.ts";
import { neutral } from "./neutral-text.ts";

/** `cut`: something in it was too long and is shown in part. */
export type Piece = { kind: "head" | "step" | "section" | "foot"; lines: string[]; cut: boolean };

export type Drawing = {
  format: Format;
  /** Codes that stand for buttons where there are none, by the action's name. */
  codes?: ReadonlyMap<string, string>;
  /** Where the page shows it. */
  link?: string | undefined;
  /** Whether a text is cut to what a message can hold. */
  whole?: boolean;
};

const TITLE_CHARS = 300;
const STEP_CHARS = 600;
const CRITERION_CHARS = 300;
const SECTION_CHARS = 1_200;
const WORDS_CHARS = 1_000;
const CALL_CHARS = 1_500;

type Pen = {
  format: Format;
  /** In one line, cut to so many characters. */
  line(text: string, charsMax: number): string;
  /** Line by line, set in by two spaces. */
  block(text: string, charsMax: number): string[];
  isCut(): boolean;
};

function penFor({ format, whole = false }: Drawing): Pen {
  let cut = false;
  const start = (text: string, charsMax: number): string => {
    if (whole || text.length <= charsMax) return text;
    cut = true;
    return `${firstChars(text, charsMax - 1)}…`;
  };
  return {
    format,
    line: (text, charsMax) => neutral(start(oneLine(text), charsMax), format),
    block: (text, charsMax) =>
      start(text.trim(), charsMax)
        .split("\n")
        .map((line) => `  ${neutral(line.trimEnd(), format)}`.trimEnd()),
    isCut: () => cut,
  };
}

export function cardPieces(card: Card, drawing: Drawing): Piece[] {
  const drawn = (kind: Piece["kind"], draw: (pen: Pen) => string[]): Piece => {
    const pen = penFor(drawing);
    const lines = draw(pen);
    return { kind, lines, cut: pen.isCut() };
  };
  return [
    drawn("head", (pen) => headLines(card, pen)),
    ...bodyOf(card).map(({ kind, draw }) => drawn(kind, draw)),
    drawn("foot", (pen) => footLines(card, drawing, pen)),
  ];
}

type BodyPart = { kind: Piece["kind"]; draw: (pen: Pen) => string[] };

function bodyOf(card: Card): BodyPart[] {
  switch (card.kind) {
    case "approval":
      return [
        ...card.steps.map((step, at): BodyPart => ({ kind: "step", draw: (pen) => stepLines(step, at, pen) })),
        ...(card.sections ?? []).map((section): BodyPart => ({
          kind: "section",
          draw: (pen) => sectionLines(section, pen),
        })),
      ];
    case "question":
      return [{ kind: "section", draw: (pen) => questionLines(card, pen) }];
    case "grant":
      return [{ kind: "section", draw: (pen) => callLines(card, pen) }];
    case "notice":
      return [];
    default:
      return never(card);
  }
}

const said = ({ text }: CardText, pen: Pen): string => pen.line(text, WORDS_CHARS);

function headLines(card: Card, pen: Pen): string[] {
  const from = card.plugin === undefined ? [] : [pen.line(`${ENGLISH.cardOfPlugin} ${card.plugin}`, TITLE_CHARS)];
  const title = card.kind === "question" || card.title.trim() === "" ? [] : [pen.line(card.title, TITLE_CHARS)];
  return [
    bold(said(card.heading, pen), pen.format),
    ...from,
    ...title.map((text) => bold(text, pen.format)),
    ...card.status.text.split("\n").map((text) => pen.line(text, WORDS_CHARS)),
    ...outcomeLines(card, pen),
  ];
}

/** What whoever decided wrote, and nothing where the status says it already. */
function outcomeLines({ outcome, status }: Card, pen: Pen): string[] {
  const words = outcome?.words?.trim() ?? "";
  if (words === "" || status.text.includes(oneLine(words))) return [];
  return pen.block(words, WORDS_CHARS);
}

/** By status; one that this version does not know counts as not begun. */
type Marks = Readonly<Record<string, string>> & { pending: string; completed: string };
const IN_BRACKETS: Marks = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[~]" };
const AS_SIGNS: Marks = { pending: "⬚", in_progress: "⏳", completed: "✅", cancelled: "❌" };
/** Markdown would read brackets. */
const ESCAPED: Marks = { pending: "\\[ \\]", in_progress: "\\[\\>\\]", completed: "\\[x\\]", cancelled: "\\[\\~\\]" };
const MARKS: Readonly<Record<Format, Marks>> = {
  html: AS_SIGNS,
  mrkdwn: AS_SIGNS,
  markdown: ESCAPED,
  plain: IN_BRACKETS,
};

function stepLines({ text, status, activeForm, criteria }: CardStep, at: number, pen: Pen): string[] {
  const { format } = pen;
  const marks = MARKS[format];
  const isActive = status === "in_progress";
  // a mark behind a space closes nothing
  const words =
    `${at + 1}. ${pen.line(isActive && activeForm !== undefined ? activeForm : text, STEP_CHARS)}`.trimEnd();
  const shown = isActive ? bold(words, format) : status === "cancelled" ? struck(words, format) : words;
  return [
    `${marks[status] ?? marks.pending} ${shown}`,
    ...criteria.map((one, index) => {
      const number = numberMark(criteria, { step: at + 1, criterion: index + 1 });
      // before the agent's words, which could end in such a word themselves
      const standing = one.standing === undefined ? "" : `(${one.standing}) `;
      const criterion = pen.line(`${number}${standing}${one.text}`, CRITERION_CHARS);
      return `    ${one.verified ? marks.completed : marks.pending} ${criterion}`;
    }),
  ];
}

function sectionLines({ heading, text, items = [], pairs = [] }: CardSection, pen: Pen): string[] {
  return [
    "",
    bold(said(heading, pen), pen.format),
    ...(text === undefined ? [] : pen.block(text, SECTION_CHARS)),
    ...items.map((item) => `- ${pen.line(item, CRITERION_CHARS)}`),
    ...pairs.map((pair) => `- ${pen.line(pair.text, CRITERION_CHARS)} → ${pen.line(pair.answer, CRITERION_CHARS)}`),
  ];
}

function questionLines({ question, options }: QuestionCard, pen: Pen): string[] {
  const option = ({ label, description }: CardOption, at: number): string => {
    const more = description === undefined ? "" : ` — ${pen.line(description, CRITERION_CHARS)}`;
    return `${at + 1}) ${pen.line(label, CRITERION_CHARS)}${more}`;
  };
  return ["", ...pen.block(question, SECTION_CHARS), "", ...options.map(option)];
}

function callLines({ call, why }: GrantCard, pen: Pen): string[] {
  return [
    "",
    `${pen.line(call.tool, TITLE_CHARS)} — ${pen.line(call.folder, TITLE_CHARS)}`,
    ...pen.block(call.shown, CALL_CHARS),
    ...why.text.split("\n").map((text) => pen.line(text, WORDS_CHARS)),
  ];
}

function footLines(card: Card, drawing: Drawing, pen: Pen): string[] {
  const isOpen = isWaiting(card) || card.actions.length > 0;
  return [
    ...(card.warnings ?? []).map((warning) => pen.line(`⚠ ${warning.text}`, WORDS_CHARS)),
    ...(card.kind === "approval" ? planLines(card, pen) : []),
    ...(isOpen ? deadlineLines(card, pen) : []),
    ...card.actions.flatMap((action) => typedLines(action, drawing, pen)),
    ...(isOpen && drawing.link !== undefined ? [`${ENGLISH.cardLink} ${neutralLink(drawing.link, pen.format)}`] : []),
  ];
}

/** An address of our own: only what a format could read is taken out. */
const neutralLink = (link: string, format: Format): string =>
  format === "html" || format === "mrkdwn"
    ? link.replaceAll("&", "&amp;").replace(/[<>"]/g, "")
    : link.replace(/[<>"]/g, "");

function planLines({ planId, revision, digest, signing, notesOpen, blockedBy }: ApprovalCard, pen: Pen): string[] {
  const isKnown = planId !== undefined && revision !== undefined && digest !== undefined;
  const signed =
    signing === undefined || signing.quorum < 2
      ? []
      : [`${ENGLISH.cardSigned} ${signing.signatures.length}/${signing.quorum}`];
  const running = blockedBy === undefined ? [] : [ENGLISH.cardBlocked];
  return [
    "",
    ...(isKnown ? [pen.line(`plan_id=${planId} · r${revision} · ${shortDigest(digest)}`, TITLE_CHARS)] : []),
    ...signed,
    ...(notesOpen > 0 ? [`${ENGLISH.cardNotes} ${notesOpen}`] : []),
    ...running,
  ];
}

function deadlineLines({ deadline }: Card, pen: Pen): string[] {
  if (deadline === undefined) return [];
  const at = new Date(deadline.atMs).toISOString().slice(0, 16).replace("T", " ");
  return [pen.line(`${ENGLISH.cardUntil} ${at} UTC`, TITLE_CHARS)];
}

/** `/plan accept 1a2b — Accept`: what can be typed instead, beside what it is called. */
function typedLines(action: CardAction, { codes }: Drawing, pen: Pen): string[] {
  const { label, blocked, input } = action;
  if (blocked !== undefined) return [`${said(label, pen)}: ${said(blocked.text, pen)}`];
  if (codes !== undefined) return codeLines(action, codes, pen);
  if (action.command === undefined) return [];
  const more = input.kind === "text" ? " …" : input.kind === "option" ? " N" : "";
  return [`${command(`${action.command}${more}`, pen.format)} — ${said(label, pen)}`];
}

/** Where a command would count for nothing none is named; words are typed behind their code, and each answer has its own. */
function codeLines({ id, label, input }: CardAction, codes: ReadonlyMap<string, string>, pen: Pen): string[] {
  const line = (code: string | undefined, what: string): string[] =>
    code === undefined ? [] : [`${command(code, pen.format)} — ${what}`];
  if (input.kind === "option")
    return input.options.flatMap((option) =>
      line(codes.get(`${id}:${option.id}`), pen.line(option.label, CRITERION_CHARS)),
    );
  const code = codes.get(id);
  return line(input.kind === "text" && code !== undefined ? `${code} …` : code, said(label, pen));
}
