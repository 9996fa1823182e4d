/** Draws a sequence: one line down for each party, and what goes between them from top to bottom. */
import type { Sequence, SequenceRow } from "./parse-sequence.ts";
import { d, shape, type SvgShape } from "./svg-tree.ts";
import { LINE_PX, textAt, type TextBox, textBox } from "./text-box.ts";

const MARGIN = 12;
const PARTY_WIDTH_MAX = 150;
const PARTY_PAD = 14;
/** Names are bold, and so a little wider than they are counted. */
const BOLD = 1.1;
const PARTY_GAP = 28;
const TEXT_WIDTH_MAX = 230;
const NOTE_WIDTH_MAX = 180;
const NOTE_PAD = 8;
const SELF_PX = 34;
const HEAD_PX = 8;
const FRAME_STEP = 6;

type Message = Extract<SequenceRow, { kind: "message" }>;
type Note = Extract<SequenceRow, { kind: "note" }>;
type Frame = { name: string; top: number; depth: number; elses: { y: number; text: string }[]; text: string };
type Drawing = {
  sequence: Sequence;
  middles: ReadonlyMap<string, number>;
  right: number;
  y: number;
  number: number;
  shapes: SvgShape[];
  frames: Frame[];
  behind: SvgShape[];
};

export function drawSequence(sequence: Sequence): SvgShape {
  const middles = columns(sequence);
  const heads = new Map([...sequence.parties.values()].map(({ id, label }) => [id, textBox(label, PARTY_WIDTH_MAX)]));
  const headHeight = Math.max(...[...heads.values()].map(({ height }) => height)) + 2 * PARTY_PAD - 6;
  const right = rightEdge(sequence, { middles, heads });
  const drawing: Drawing = {
    sequence,
    middles,
    right,
    y: headHeight + 14,
    number: 0,
    shapes: [],
    frames: [],
    behind: [],
  };
  for (const row of sequence.rows) drawRow(row, drawing);
  const [width, height] = [Math.ceil(right + 2 * MARGIN), Math.ceil(drawing.y + 14 + 2 * MARGIN)];
  const lines = [...middles.values()].map((x) =>
    shape("path", { class: "life", d: d("M", x, headHeight, "V", drawing.y + 14) }),
  );
  const boxes = [...heads].flatMap(([id, words]) => {
    const x = middles.get(id) ?? 0;
    const boxWidth = words.width * BOLD + 2 * PARTY_PAD;
    const isActor = sequence.parties.get(id)?.isActor === true;
    const rx = isActor ? headHeight / 2 : 4;
    return [
      shape("rect", { class: "party", x: x - boxWidth / 2, y: 0, width: boxWidth, height: headHeight, rx }),
      ...textAt(words, { x, y: headHeight / 2, name: "title" }),
    ];
  });
  const view = `${-MARGIN} ${-MARGIN} ${width} ${height}`;
  return shape(
    "svg",
    { width, height, viewBox: view, class: "sequence" },
    ...drawing.behind,
    ...lines,
    ...boxes,
    ...drawing.shapes,
  );
}

/** Far enough apart for their names, and for the words between neighbours. */
function columns({ parties, rows }: Sequence): Map<string, number> {
  const ids = [...parties.keys()];
  const halves = ids.map((id) => (textBox(parties.get(id)?.label ?? "", PARTY_WIDTH_MAX).width * BOLD) / 2 + PARTY_PAD);
  const gaps = ids.slice(1).map((_, index) => (halves[index] ?? 0) + (halves[index + 1] ?? 0) + PARTY_GAP);
  for (const row of rows) widen(row, ids, gaps);
  let at = Math.max(halves[0] ?? 0, leftRoom(rows, ids[0]));
  return new Map(
    ids.map((id, index) => {
      if (index > 0) at += gaps[index - 1] ?? 0;
      return [id, at];
    }),
  );
}

function widen(row: SequenceRow, ids: readonly string[], gaps: number[]): void {
  if (row.kind !== "message" && row.kind !== "note") return;
  const ends = row.kind === "message" ? [row.from, row.to] : row.over;
  const [a = 0, b = 0] = ends.map((id) => ids.indexOf(id)).toSorted((x, y) => x - y);
  const needed = roomOf(row) + (a === b ? SELF_PX : 0);
  const last = a === b ? a : b - 1;
  const known = gaps.slice(a, last + 1).reduce((sum, gap) => sum + gap, 0);
  if (known < needed && last < gaps.length) gaps[last] = (gaps[last] ?? 0) + needed - known;
}

const roomOf = (row: Message | Note): number =>
  row.kind === "message"
    ? textBox(row.text, TEXT_WIDTH_MAX).width + 34
    : textBox(row.text, NOTE_WIDTH_MAX).width + 2 * NOTE_PAD;

/** What stands left of the first line, or over it, must not leave the drawing. */
function leftRoom(rows: readonly SequenceRow[], first: string | undefined): number {
  const notes = rows.filter((row): row is Note => row.kind === "note" && row.over[0] === first);
  return Math.max(
    0,
    ...notes.map(({ side, over, text }) => {
      const width = textBox(text, NOTE_WIDTH_MAX).width + 2 * NOTE_PAD;
      return side === "left" ? width + 10 : side === "over" && over[0] === over[1] ? width / 2 : 0;
    }),
  );
}

function rightEdge(
  { rows, parties }: Sequence,
  { middles, heads }: { middles: ReadonlyMap<string, number>; heads: ReadonlyMap<string, TextBox> },
): number {
  const ends = [...parties.keys()].map(
    (id) => (middles.get(id) ?? 0) + ((heads.get(id)?.width ?? 0) * BOLD) / 2 + PARTY_PAD,
  );
  const beside = rows.map((row) => {
    if (row.kind === "message" && row.from === row.to)
      return (middles.get(row.from) ?? 0) + SELF_PX + textBox(row.text, TEXT_WIDTH_MAX).width + 16;
    if (row.kind !== "note") return 0;
    const width = textBox(row.text, NOTE_WIDTH_MAX).width + 2 * NOTE_PAD;
    const at = middles.get(row.over[1]) ?? 0;
    return row.side === "right" ? at + width + 10 : row.over[0] === row.over[1] ? at + width / 2 : 0;
  });
  return Math.max(...ends, ...beside);
}

function drawRow(row: SequenceRow, drawing: Drawing): void {
  switch (row.kind) {
    case "message":
      return drawMessage(row, drawing);
    case "note":
      return drawNote(row, drawing);
    case "begin":
      drawing.frames.push({ name: row.name, text: row.text, top: drawing.y, depth: drawing.frames.length, elses: [] });
      drawing.y += row.name === "rect" || row.name === "box" ? 8 : LINE_PX + 16;
      return;
    case "else":
      drawing.frames.at(-1)?.elses.push({ y: drawing.y, text: row.text });
      drawing.y += LINE_PX + 10;
      return;
    case "end":
      return drawFrame(drawing);
  }
}

function drawMessage({ from, to, text, isDotted, head }: Message, drawing: Drawing): void {
  const [start, end] = [drawing.middles.get(from) ?? 0, drawing.middles.get(to) ?? 0];
  if (drawing.sequence.isNumbered) drawing.number += 1;
  const told = drawing.sequence.isNumbered ? `${drawing.number}. ${text}` : text;
  const words = textBox(told, Math.max(TEXT_WIDTH_MAX, Math.abs(end - start) - 24));
  const name = `line ${isDotted ? "dotted" : "plain"}`;
  if (start === end) {
    const [top, low] = [drawing.y + 6, drawing.y + Math.max(26, words.height + 4)];
    drawing.shapes.push(
      shape("path", { class: name, d: d("M", start, top, "H", start + SELF_PX, "V", low, "H", start + 2) }),
      ...arrow({ x: start + 2, y: low, sign: -1 }, head),
      ...textAt(words, { x: start + SELF_PX + 8, y: (top + low) / 2, anchor: "start", name: "said" }),
    );
    drawing.y = low + 14;
    return;
  }
  const sign = end > start ? 1 : -1;
  const y = drawing.y + words.height + 8;
  drawing.shapes.push(
    ...textAt(words, { x: (start + end) / 2, y: drawing.y + words.height / 2 + 1, name: "said" }),
    shape("path", { class: name, d: d("M", start, y, "H", end - sign * 2) }),
    ...arrow({ x: end - sign, y, sign }, head),
  );
  drawing.y = y + 14;
}

function arrow({ x, y, sign }: { x: number; y: number; sign: number }, head: Message["head"]): SvgShape[] {
  const back = x - sign * HEAD_PX;
  switch (head) {
    case "arrow":
      return [shape("path", { class: "head", d: d("M", x, y, "L", back, y - 4.5, back, y + 4.5, "Z") })];
    case "open":
      return [shape("path", { class: "line plain", d: d("M", back, y - 5, "L", x, y, back, y + 5) })];
    case "cross":
      return [
        shape("path", { class: "line plain", d: d("M", back, y - 4, "L", x, y + 4, "M", back, y + 4, "L", x, y - 4) }),
      ];
    case "none":
      return [];
  }
}

function drawNote({ over: [first, second], side, text }: Note, drawing: Drawing): void {
  const [a, b] = [drawing.middles.get(first) ?? 0, drawing.middles.get(second) ?? 0];
  const span = Math.abs(b - a);
  const words = textBox(text, Math.max(NOTE_WIDTH_MAX, span));
  const width = Math.max(words.width + 2 * NOTE_PAD, span === 0 ? 0 : span + 24);
  const middle = side === "left" ? a - 8 - width / 2 : side === "right" ? b + 8 + width / 2 : (a + b) / 2;
  const height = words.height + 2 * NOTE_PAD - 4;
  drawing.shapes.push(
    shape("rect", { class: "note", x: middle - width / 2, y: drawing.y, width, height, rx: 2 }),
    ...textAt(words, { x: middle, y: drawing.y + height / 2 }),
  );
  drawing.y += height + 14;
}

function drawFrame(drawing: Drawing): void {
  const frame = drawing.frames.pop();
  if (frame === undefined) return;
  const [x, y] = [frame.depth * FRAME_STEP - 6, frame.top];
  const width = drawing.right - 2 * x;
  const height = drawing.y - y;
  drawing.y += 12;
  if (frame.name === "box") return;
  const box = shape("rect", { class: `frame ${frame.name === "rect" ? "ground" : ""}`, x, y, width, height, rx: 4 });
  if (frame.name === "rect") return void drawing.behind.push(box);
  const name = textBox(frame.name, PARTY_WIDTH_MAX);
  const told = (text: string, at: number, left: number): SvgShape[] =>
    text === ""
      ? []
      : textAt(textBox(`[${text}]`, width), { x: left, y: at + LINE_PX / 2 + 2, anchor: "start", name: "said" });
  drawing.behind.push(
    box,
    shape("rect", { class: "tab", x, y, width: name.width * BOLD + 14, height: LINE_PX + 4, rx: 3 }),
    ...textAt(name, { x: x + 7, y: y + LINE_PX / 2 + 2, anchor: "start", name: "title" }),
    ...told(frame.text, y, x + name.width + 22),
    ...frame.elses.flatMap(({ y: at, text }) => [
      shape("path", { class: "line dotted", d: d("M", x, at, "H", x + width) }),
      ...told(text, at, x + 8),
    ]),
  );
}
