/** Registers and runs the tools of an isolated plugin inside its own process. */
import type { Json } from "../../../protocol/json.ts";
import type { Tool, ToolContext } from "../../tool.ts";
import { unclassifiedTool } from "../../unclassified-tool.ts";
import type { Desk } from "./desk.ts";
import { checkedValue, schemaOf } from "./guest-values.ts";

const CHUNK_CHARS_MAX = 64 * 1024;

type Asked = { input: Json; context: Omit<ToolContext, "signal" | "emit"> };

/** The permit of a call stays in the gateway: the pipeline there has spent it for this very call. */
export function registerTool<Args>(desk: Desk, tool: Tool<Args>): void {
  const { name, description, effect, kind } = tool;
  const unclassified = unclassifiedTool(tool);
  if (unclassified !== undefined) throw new Error(`${unclassified}.`);
  if (effect === "state" || tool.offered !== undefined)
    throw new Error(`The tool ${name}: a slice or an offer of its own is for bundled and trusted plugins.`);
  const schema = tool.inputSchema ?? schemaOf(tool.input, `the input of ${name}`);
  const registration = {
    kind: "tool" as const,
    key: `tool:${name}`,
    name,
    description,
    effect,
    toolKind: kind,
    schema,
  };
  desk.register(registration, async (args, { n, signal }) => {
    const { input, context } = checkedValue<Asked>(args);
    const parsed = tool.input.safeParse(input);
    if (!parsed.success) return { status: "error", content: `Bad arguments: ${parsed.error.issues[0]?.message ?? ""}` };
    const emit = (text: string): void => desk.tell({ t: "chunk", within: n, text: text.slice(0, CHUNK_CHARS_MAX) });
    return tool.run(parsed.data, { ...context, signal, emit }, checkedValue(null));
  });
}
