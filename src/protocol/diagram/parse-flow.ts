/** Reads a flowchart as mermaid writes it: `flowchart LR`, `A[Text] -->|why| B{Text}`, `subgraph … end`. */
import { addGroup, addNode, type Flow, type FlowEdge, type FlowShape, newFlow } from "./flow.ts";
import { plainLabel } from "./text-box.ts";

const HEADER = /^(?:graph|flowchart)(?:-elk)?(?:\s+(TB|TD|BT|LR|RL))?\s*;?$/i;
/** Lines that say how it looks, or what a click does. */
const IGNORED = /^(?:classDef|class|style|linkStyle|click|direction|accTitle|accDescr|%%)/;
const SUBGRAPH = /^subgraph\s+(?:([\w.-]+)\s*\[(.+)\]|(.+))$/;
const ID = /^[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/u;
/** The longest brackets first: `[(` is no `[`. */
const SHAPES: readonly [open: string, close: string, shape: FlowShape][] = [
  ["(((", ")))", "circle"],
  ["([", "])", "stadium"],
  ["[[", "]]", "box"],
  ["[(", ")]", "store"],
  ["((", "))", "circle"],
  ["{{", "}}", "hexagon"],
  ["[/", "/]", "box"],
  ["[/", "\\]", "box"],
  ["[\\", "\\]", "box"],
  ["[\\", "/]", "box"],
  ["[", "]", "box"],
  ["(", ")", "round"],
  ["{", "}", "diamond"],
  [">", "]", "box"],
];
const LABELLED = /^\s*(<)?(--|==|-\.)\s+(?!-)(.+?)\s+(-{2,}|={2,}|\.+-)([>xo])?\s*/;
const LINK = /^\s*(<|[xo](?=[-=]))?(-{2,}|={2,}|-\.+-|~{3,})([>xo](?![\p{L}\p{N}]))?\s*(?:\|([^|]*)\|\s*)?/u;

type Reading = { flow: Flow; groups: string[] };

/** Undefined where a line is not understood: half a drawing would mislead. */
export function parseFlow(lines: readonly string[]): Flow | undefined {
  const [header = "", ...rest] = lines;
  const found = HEADER.exec(header);
  if (found === null) return undefined;
  const reading: Reading = { flow: newFlow(/^(?:LR|RL)$/i.test(found[1] ?? "TB")), groups: [] };
  const isRead = rest
    .flatMap((line) => line.split(/;(?=\s|$)/))
    .map((line) => line.trim())
    .every((line) => line === "" || IGNORED.test(line) || readLine(line, reading));
  return isRead ? reading.flow : undefined;
}

function readLine(line: string, reading: Reading): boolean {
  const { flow, groups } = reading;
  if (line === "end") return groups.pop() !== undefined;
  const found = SUBGRAPH.exec(line);
  if (found === null) return readChain(line, reading);
  const [, named, title, bare = ""] = found;
  const id = named ?? plainLabel(bare);
  addGroup(flow, { id, label: plainLabel(title ?? bare), parent: groups.at(-1) });
  groups.push(id);
  return true;
}

/** `A & B --> C --> D`: each of one place to each of the next. */
function readChain(line: string, { flow, groups }: Reading): boolean {
  let rest = line;
  let before: string[] = [];
  let link: Omit<FlowEdge, "from" | "to"> | undefined;
  while (rest !== "") {
    const place = readPlace(rest, { flow, groups });
    if (place === undefined) return false;
    for (const from of link === undefined ? [] : before)
      for (const to of place.ids) flow.edges.push({ ...link, from, to } as FlowEdge);
    before = place.ids;
    const next = readLink(place.rest);
    if (next === undefined) return place.rest.trim() === "";
    link = next.link;
    rest = next.rest;
  }
  return link === undefined;
}

function readPlace(text: string, reading: Reading): { ids: string[]; rest: string } | undefined {
  const ids: string[] = [];
  let rest = text.trimStart();
  for (;;) {
    const node = readNode(rest, reading);
    if (node === undefined) return undefined;
    ids.push(node.id);
    rest = node.rest;
    const more = /^\s*&\s*/.exec(rest);
    if (more === null) return { ids, rest };
    rest = rest.slice(more[0].length);
  }
}

function readNode(text: string, { flow, groups }: Reading): { id: string; rest: string } | undefined {
  const id = ID.exec(text)?.[0];
  if (id === undefined) return undefined;
  let rest = text.slice(id.length);
  const worded = readShape(rest);
  if (worded !== undefined) rest = worded.rest;
  rest = rest.replace(/^:::[\w-]+/, "");
  addNode(flow, {
    id,
    group: groups.at(-1),
    ...(worded === undefined ? {} : { label: worded.label, shape: worded.shape }),
  });
  return { id, rest };
}

function readShape(text: string): { label: string; shape: FlowShape; rest: string } | undefined {
  for (const [open, close, shape] of SHAPES) {
    if (!text.startsWith(open)) continue;
    const isQuoted = text[open.length] === '"';
    const from = isQuoted ? text.indexOf('"', open.length + 1) : open.length;
    const end = from === -1 ? -1 : text.indexOf(close, from);
    if (end === -1) continue;
    return { label: plainLabel(text.slice(open.length, end)), shape, rest: text.slice(end + close.length) };
  }
  return undefined;
}

function readLink(text: string): { link: Omit<FlowEdge, "from" | "to">; rest: string } | undefined {
  const labelled = LABELLED.exec(text);
  if (labelled !== null) {
    const [all, tail, open = "", label = "", , head] = labelled;
    return { link: linkOf({ tail, line: open, head, label }), rest: text.slice(all.length) };
  }
  const plain = LINK.exec(text);
  if (plain === null) return undefined;
  const [all, tail, line = "", head, label = ""] = plain;
  return { link: linkOf({ tail, line, head, label }), rest: text.slice(all.length) };
}

type Signs = { tail: string | undefined; line: string; head: string | undefined; label: string };

const linkOf = ({ tail, line, head, label }: Signs): Omit<FlowEdge, "from" | "to"> => ({
  label: plainLabel(label),
  line: line.startsWith("~") ? "none" : line.startsWith("=") ? "thick" : line.includes(".") ? "dotted" : "plain",
  head: head !== undefined,
  tail: tail !== undefined,
});
