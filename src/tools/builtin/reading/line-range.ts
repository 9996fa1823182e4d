/** A range of lines, from a text in memory or from a file that is too large to be held. */
import type { FileHandle } from "node:fs/promises";
import { BINARY_PROBE_BYTES, chunksOf, decoded } from "../text-file.ts";

export const LINES_MAX = 2_000;
const CHARS_MAX = 50_000;
/** Longer lines are minified code or data: their beginning tells what they are. */
export const LINE_CHARS_MAX = 2_000;
/** How far into a file a range is looked for. */
const SCAN_BYTES_MAX = 2 * 1_024 * 1_024 * 1_024;
/** A range takes no more bytes than this out of a large file, whatever its lines are. */
const RANGE_BYTES_MAX = 4 * CHARS_MAX;
const NEWLINE = 0x0a;

/** `tool` is the one to go on with. */
export type Wanted = { fromLine?: number | undefined; lines?: number | undefined; tool?: string };
export type LineRange = { text: string; fromLine: number; toLine: number; totalLines: number | null; more?: string };

export function rangeOfText(text: string, { fromLine = 1, lines = LINES_MAX, tool = "read" }: Wanted): LineRange {
  const all = text === "" ? [] : text.split(/(?<=\n)/);
  return shown(all.slice(fromLine - 1, fromLine - 1 + lines), { fromLine, totalLines: all.length, tool });
}

/** Undefined when the file is no text. Nothing before the range is kept, and nothing after it is read. */
export async function rangeOfFile(handle: FileHandle, wanted: Wanted): Promise<LineRange | undefined> {
  const { fromLine = 1, lines = LINES_MAX } = wanted;
  const scan = { before: fromLine - 1, lines, taken: new Array<Buffer>(), bytes: 0, first: true };
  for await (const chunk of chunksOf(handle, SCAN_BYTES_MAX)) {
    if (scan.first && chunk.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
    scan.first = false;
    if (take(scan, chunk) === "enough") break;
  }
  const text = decoded(wholeCharacters(Buffer.concat(scan.taken)));
  if (text === undefined) return undefined;
  return shown(text === "" ? [] : text.split(/(?<=\n)/), { fromLine, totalLines: null, tool: "read" });
}

type Scan = { before: number; lines: number; taken: Buffer[]; bytes: number; first: boolean };

function take(scan: Scan, chunk: Buffer): "more" | "enough" {
  let at = 0;
  for (; scan.before > 0; scan.before--) {
    const end = chunk.indexOf(NEWLINE, at);
    if (end < 0) return "more";
    at = end + 1;
  }
  let until = at;
  for (; scan.lines > 0 && until < chunk.length; scan.lines--) {
    const end = chunk.indexOf(NEWLINE, until);
    if (end < 0) {
      until = chunk.length;
      break;
    }
    until = end + 1;
  }
  const part = chunk.subarray(at, Math.min(until, at + RANGE_BYTES_MAX - scan.bytes));
  scan.taken.push(Buffer.from(part));
  scan.bytes += part.length;
  return scan.lines === 0 || scan.bytes >= RANGE_BYTES_MAX ? "enough" : "more";
}

/** Without the beginning of a character that the cut left at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  const isInside = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  if (((bytes.at(-1) ?? 0) & 0x80) === 0) return bytes;
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && isInside(start)) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return bytes.length - start < length ? bytes.subarray(0, start) : bytes;
}

type Place = { fromLine: number; totalLines: number | null; tool: string };

/** Whole lines as far as they fit; a line that is too long is cut, and the answer says so. */
function shown(wanted: readonly string[], at: Place): LineRange {
  let text = "";
  let count = 0;
  const cut: number[] = [];
  for (const line of wanted) {
    const fitted = fitting(line);
    if (count > 0 && text.length + fitted.length > CHARS_MAX) break;
    if (fitted !== line) cut.push(at.fromLine + count);
    text += fitted;
    count += 1;
  }
  const toLine = at.fromLine - 1 + count;
  const more = remarks({ ...at, toLine, cut, whole: count === wanted.length });
  return { text, fromLine: at.fromLine, toLine, totalLines: at.totalLines, ...(more === "" ? {} : { more }) };
}

function fitting(line: string): string {
  const ending = /\r?\n$/.exec(line)?.[0] ?? "";
  const said = line.slice(0, line.length - ending.length);
  if (said.length <= LINE_CHARS_MAX) return line;
  return `${said.slice(0, LINE_CHARS_MAX).toWellFormed()}[… ${said.length} characters in this line]${ending}`;
}

type Shown = Place & { toLine: number; cut: readonly number[]; whole: boolean };

function remarks({ toLine, totalLines, cut, whole, fromLine, tool }: Shown): string {
  const isMore = totalLines === null ? !whole || toLine >= fromLine : toLine < totalLines;
  const [first] = cut;
  const lines = cut.length === 1 ? `Line ${first} is` : `${cut.length} lines, the first of them line ${first}, are`;
  return [
    ...(cut.length > 0 ? [`${lines} cut after ${LINE_CHARS_MAX} characters.`] : []),
    ...(isMore ? [`Call ${tool} with fromLine ${toLine + 1} to go on.`] : []),
  ].join(" ");
}
