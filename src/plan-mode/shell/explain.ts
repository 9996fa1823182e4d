/** What a person sees of a judgement: each simple command, and the rule that decided it. */
import { emitCommand, emitWord } from "./emit.ts";
import { staticText } from "./command-tree.ts";
import type { Command, List } from "./command-tree.ts";
import { effectOf, ruleFor } from "./rules/index.ts";
import { eachCommand } from "./each-command.ts";
import { commandName } from "./judge-read-only.ts";

export type ExplainedCommand = {
  readonly command: string;
  readonly name: string;
  readonly rule: "read-only rule" | "known effect" | "no rule" | "assignment";
};

const ruleOf = (name: string): ExplainedCommand["rule"] => {
  if (ruleFor(name) !== undefined) return "read-only rule";
  return effectOf(name) === undefined ? "no rule" : "known effect";
};

const explainSimple = (node: Command): readonly ExplainedCommand[] => {
  if (node.type !== "simple") return [];
  const first = node.words[0];
  if (first === undefined) return [{ command: emitCommand(node), name: "", rule: "assignment" }];
  const name = staticText(first) ?? emitWord(first);
  return [{ command: emitCommand(node), name, rule: ruleOf(commandName(name)) }];
};

export const explainList = (list: List): readonly ExplainedCommand[] => {
  const commands: ExplainedCommand[] = [];
  eachCommand(list, (node) => commands.push(...explainSimple(node)));
  return commands;
};
