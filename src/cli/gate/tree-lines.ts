/** A parsed command as an indented list: what the gate sees, with everything that is nested in words made visible. */
import { emitCommand, emitWord } from "../../plan-mode/shell/emit.ts";
import { type Command, type List, never, type Word } from "../../plan-mode/shell/command-tree.ts";
import { sanitiseLine } from "../text/sanitise.ts";

const LINES_MAX = 400;

export function treeLines(list: List): string[] {
  const lines = list.flatMap((command) => commandLines(command));
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), "…"] : lines;
}

const below = (label: string, lines: readonly string[]): string[] => [label, ...lines.map((line) => `  ${line}`)];
const listLines = (list: List): string[] => list.flatMap(commandLines);

function commandLines(node: Command): string[] {
  switch (node.type) {
    case "simple":
      return below(`command  ${sanitiseLine(emitCommand(node))}`, node.words.flatMap(wordLines));
    case "array":
      return below(`array  ${sanitiseLine(emitCommand(node))}`, node.elements.flatMap(wordLines));
    case "calculation":
      return [`arithmetic  ${sanitiseLine(emitCommand(node))}`];
    case "test":
      return [`test  ${sanitiseLine(emitCommand(node))}`];
    case "pipeline":
      return below(node.negated ? "not, pipeline" : "pipeline", node.stages.flatMap(commandLines));
    case "and-or":
      return below(`list  ${node.operators.join(" ")}`, node.items.flatMap(commandLines));
    case "group":
      return below(node.subshell ? "subshell" : "group", listLines(node.body));
    case "if":
      return ifLines(node);
    case "for":
      return below(`for ${node.name}`, [...node.words.flatMap(wordLines), ...listLines(node.body)]);
    case "while":
      return below(node.until ? "until" : "while", [
        ...listLines(node.condition),
        ...below("do", listLines(node.body)),
      ]);
    case "case":
      return below(
        `case ${sanitiseLine(emitWord(node.subject))}`,
        node.items.flatMap(({ patterns, body }) => below(patterns.map(emitWord).join(" | "), listLines(body))),
      );
    default:
      return never(node);
  }
}

function ifLines({ branches, otherwise }: Extract<Command, { type: "if" }>): string[] {
  return [
    ...branches.flatMap(({ condition, body }) => [
      ...below("if", listLines(condition)),
      ...below("then", listLines(body)),
    ]),
    ...(otherwise === undefined ? [] : below("else", listLines(otherwise))),
  ];
}

/** Only what runs something of its own. */
const wordLines = ({ parts }: Word): string[] =>
  parts.flatMap((part) =>
    part.type === "substitution" || part.type === "process-input" ? below(part.type, listLines(part.body)) : [],
  );
