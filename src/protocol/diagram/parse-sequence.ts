/** Reads a sequence as mermaid writes it: `A->>B: text`, `Note over A,B: text`, `alt … else … end`. */
import { plainLabel } from "./text-box.ts";

export type Party = { id: string; label: string; isActor: boolean };
export type Head = "arrow" | "cross" | "open" | "none";
export type SequenceRow =
  | { kind: "message"; from: string; to: string; text: string; isDotted: boolean; head: Head }
  | { kind: "note"; over: [string, string]; side: "over" | "left" | "right"; text: string }
  | { kind: "begin"; name: string; text: string }
  | { kind: "else"; text: string }
  | { kind: "end" };
export type Sequence = { parties: Map<string, Party>; rows: SequenceRow[]; isNumbered: boolean; title: string };

const ROWS_MAX = 250;
const PARTIES_MAX = 20;

const IGNORED = /^(?:%%|activate\s|deactivate\s|links?\s|properties\s|details\s|accTitle|accDescr|destroy\s)/;
const PARTY = /^(?:create\s+)?(participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/;
const MESSAGE = /^(.+?)\s*(<<)?(--?)(>>|>|x|\)|\\|\/)\s*[+-]?\s*([^:]+?)\s*(?::\s*(.*))?$/;
const NOTE = /^note\s+(over|left of|right of)\s+([^:,]+?)(?:\s*,\s*([^:]+?))?\s*:\s*(.*)$/i;
const BEGIN = /^(alt|opt|loop|par|critical|break|rect|box)(?:\s+(.*))?$/;
const ELSE = /^(?:else|and|option)(?:\s+(.*))?$/;
const HEADS: Readonly<Record<string, Head>> = { ">>": "arrow", ">": "none", x: "cross", ")": "open" };

/** Undefined where a line is not understood: half a drawing would mislead. */
export function parseSequence(lines: readonly string[]): Sequence | undefined {
  const [header, ...rest] = lines;
  if (header !== "sequenceDiagram") return undefined;
  const sequence: Sequence = { parties: new Map(), rows: [], isNumbered: false, title: "" };
  const isRead = rest.every((line) => line === "" || IGNORED.test(line) || readLine(line, sequence));
  const isWhole = depthOf(sequence.rows) === 0 && sequence.parties.size > 0;
  const fits = sequence.rows.length <= ROWS_MAX && sequence.parties.size <= PARTIES_MAX;
  return isRead && isWhole && fits ? sequence : undefined;
}

const depthOf = (rows: readonly SequenceRow[]): number =>
  rows.reduce((depth, { kind }) => depth + (kind === "begin" ? 1 : kind === "end" ? -1 : 0), 0);

function readLine(line: string, sequence: Sequence): boolean {
  if (/^autonumber\b/.test(line)) {
    sequence.isNumbered = true;
    return true;
  }
  const title = /^title\s*:?\s*(.+)$/.exec(line)?.[1];
  if (title !== undefined) {
    sequence.title = plainLabel(title);
    return true;
  }
  return (
    readParty(line, sequence) || readNote(line, sequence) || readBlock(line, sequence) || readMessage(line, sequence)
  );
}

function party({ parties }: Sequence, id: string): string {
  if (!parties.has(id)) parties.set(id, { id, label: plainLabel(id), isActor: false });
  return id;
}

function readParty(line: string, { parties }: Sequence): boolean {
  const found = PARTY.exec(line);
  if (found === null) return false;
  const [, kind, id = "", label = id] = found;
  parties.set(id, { id, label: plainLabel(label), isActor: kind === "actor" });
  return true;
}

function readNote(line: string, sequence: Sequence): boolean {
  const found = NOTE.exec(line);
  if (found === null) return false;
  const [, place = "", first = "", second = first, text = ""] = found;
  const over: [string, string] = [party(sequence, first.trim()), party(sequence, second.trim())];
  const side = /^left/i.test(place) ? "left" : /^right/i.test(place) ? "right" : "over";
  sequence.rows.push({ kind: "note", over, side, text: plainLabel(text) });
  return true;
}

function readBlock(line: string, { rows }: Sequence): boolean {
  if (line === "end") return rows.push({ kind: "end" }) > 0;
  const other = ELSE.exec(line);
  if (other !== null) return rows.push({ kind: "else", text: plainLabel(other[1] ?? "") }) > 0;
  const begun = BEGIN.exec(line);
  if (begun === null) return false;
  const [, name = "", text = ""] = begun;
  // a colour or a box around people changes nothing of what happens
  return rows.push({ kind: "begin", name, text: name === "rect" || name === "box" ? "" : plainLabel(text) }) > 0;
}

function readMessage(line: string, sequence: Sequence): boolean {
  const found = MESSAGE.exec(line);
  if (found === null) return false;
  const [, from = "", , dashes = "", sign = "", to = "", text = ""] = found;
  sequence.rows.push({
    kind: "message",
    from: party(sequence, from.trim()),
    to: party(sequence, to.trim()),
    text: plainLabel(text),
    isDotted: dashes.length > 1,
    head: HEADS[sign] ?? "arrow",
  });
  return true;
}
