/** Why a tool of a plugin is not classified (GA-03): said to its author wherever the plugin runs. */
import { ToolKind } from "../protocol/gate.ts";

const EFFECTS = ["read", "write", "dynamic", "state"];

/** Undefined: it is classified. */
export function unclassifiedTool(tool: { name: string; effect?: unknown; kind?: unknown }): string | undefined {
  const { name, effect, kind } = tool;
  const wrong = (what: string, choices: readonly string[], hint = ""): string =>
    `the tool "${name}" is not classified: its ${what} is none of ${choices.join(", ")}${hint}`;
  if (!EFFECTS.some((one) => one === effect)) return wrong("effect", EFFECTS);
  if (ToolKind.safeParse(kind).success) return undefined;
  return wrong("kind", ToolKind.options, '; a tool that only reads is "read_only"');
}
