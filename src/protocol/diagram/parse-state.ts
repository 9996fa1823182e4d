/** Reads states and their transitions as mermaid writes them: `[*] --> Idle : begin`, `state "Text" as x`, `state X { … }`. */
import { addGroup, addNode, type Flow, newFlow } from "./flow.ts";
import { plainLabel } from "./text-box.ts";

const HEADER = /^stateDiagram(?:-v2)?$/;
const IGNORED = /^(?:classDef|class|style|hide empty|accTitle|accDescr|%%|--$)/;
const NAME = String.raw`\[\*\]|[\p{L}\p{N}_.-]+`;
const TRANSITION = new RegExp(String.raw`^(${NAME})\s*-->\s*(${NAME})(?:\s*:\s*(.*))?$`, "u");
const GROUP = /^state\s+(?:"([^"]+)"\s+as\s+)?([\p{L}\p{N}_.-]+)\s*\{$/u;
const NAMED = /^state\s+"([^"]+)"\s+as\s+([\p{L}\p{N}_.-]+)$/u;
const CHOICE = /^state\s+([\p{L}\p{N}_.-]+)\s+<<(choice|fork|join)>>$/u;
const DESCRIBED = /^([\p{L}\p{N}_.-]+)\s*:\s*(.+)$/u;
const BARE = /^[\p{L}\p{N}_.-]+$/u;
const DIRECTION = /^direction\s+(TB|TD|BT|LR|RL)$/i;

type Reading = { flow: Flow; groups: string[]; isNote: boolean };

export function parseState(lines: readonly string[]): Flow | undefined {
  const [header = "", ...rest] = lines;
  if (!HEADER.test(header)) return undefined;
  const reading: Reading = { flow: newFlow(false), groups: [], isNote: false };
  const isRead = rest.every((line) => line === "" || IGNORED.test(line) || readLine(line, reading));
  return isRead ? reading.flow : undefined;
}

function readLine(line: string, reading: Reading): boolean {
  if (reading.isNote || /^note\s/i.test(line)) return readNote(line, reading);
  if (line === "}") return reading.groups.pop() !== undefined;
  const direction = DIRECTION.exec(line)?.[1];
  if (direction !== undefined) {
    if (reading.groups.length === 0) reading.flow.isAcross = /^(?:LR|RL)$/i.test(direction);
    return true;
  }
  return readTransition(line, reading) || readNamed(line, reading);
}

/** What is only remarked is left out; the source beside the drawing has it. */
function readNote(line: string, reading: Reading): boolean {
  const isWhole = /^note\s.*:/i.test(line);
  reading.isNote = !isWhole && !/^end note$/i.test(line);
  return true;
}

function readTransition(line: string, { flow, groups }: Reading): boolean {
  const found = TRANSITION.exec(line);
  if (found === null) return false;
  const group = groups.at(-1);
  const end = (name: string, shape: "start" | "end"): string => {
    const id = name === "[*]" ? `${group ?? ""}[${shape}]` : name;
    addNode(
      flow,
      name === "[*]"
        ? { id, group, label: "", shape }
        : { id, group, ...(flow.nodes.has(id) ? {} : { shape: "round" }) },
    );
    return id;
  };
  const [, from = "", to = "", label = ""] = found;
  flow.edges.push({
    from: end(from, "start"),
    to: end(to, "end"),
    label: plainLabel(label),
    line: "plain",
    head: true,
    tail: false,
  });
  return true;
}

function readNamed(line: string, reading: Reading): boolean {
  return readGroup(line, reading) || readName(line, reading);
}

function readGroup(line: string, { flow, groups }: Reading): boolean {
  const group = groups.at(-1);
  const opened = GROUP.exec(line);
  if (opened !== null) {
    const [, label, id = ""] = opened;
    addGroup(flow, { id, label: plainLabel(label ?? id), parent: group });
    groups.push(id);
    return true;
  }
  const choice = CHOICE.exec(line);
  if (choice !== null) addNode(flow, { id: choice[1] ?? "", group, label: "", shape: "diamond" });
  return choice !== null;
}

function readName(line: string, { flow, groups }: Reading): boolean {
  const group = groups.at(-1);
  const [, named, alias] = NAMED.exec(line) ?? [];
  const [, described, words] = DESCRIBED.exec(line) ?? [];
  const id = alias ?? described ?? (BARE.test(line) ? line : undefined);
  if (id === undefined) return false;
  const label = named ?? words;
  addNode(flow, { id, group, shape: "round", ...(label === undefined ? {} : { label: plainLabel(label) }) });
  return true;
}
