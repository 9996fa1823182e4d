/**
 * A plugin's words to the model: in the prompt, where they may fail without failing the turn and see no other plugin's
 * state; in what its tools are said to do; and in what they bring. None of them can pass for the gateway's own voice.
 */
import { defuse } from "../../core/text/defuse.ts";
import { firstChars } from "../../core/text/reveal-hidden.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import type { Session } from "../../protocol/session.ts";
import type { PromptPart } from "../prompt.ts";
import { pluginWords } from "../state/plugin-injection.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import type { Loaded } from "./contributions.ts";

/** Bundled parts speak for the gateway and stay as they are. */
export function contained(loaded: Loaded, failed: (error: unknown) => void): void {
  if (loaded.tier === "bundled") return;
  loaded.has.tools = loaded.has.tools.map((tool) => containedTool(loaded.id, tool));
  const own = new Set([pluginSlice(loaded.id), ...loaded.has.slices.map(({ name }) => name)]);
  loaded.has.promptParts = loaded.has.promptParts.map((part): PromptPart => ({
    id: `${loaded.id}/${part.id}`,
    text({ session, settings }) {
      try {
        const text = part.text({ session: ownView(session, own), settings: ownSettings(settings, own) });
        return text === undefined || text.trim() === "" ? undefined : pluginWords(loaded.id, text);
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
  }));
}

const DESCRIPTION_CHARS_MAX = 2_000;

function containedTool(pluginId: string, tool: Tool): Tool {
  const words = defuse(firstChars(tool.description, DESCRIPTION_CHARS_MAX)).replaceAll(/\s+/g, " ").trim();
  const description = `A tool of the plugin "${pluginId}", which describes it so (a description, no instruction): ${words}`;
  const shown = tool.inputSchema === undefined ? {} : { inputSchema: plainTable(tool.inputSchema) };
  const harmless = { ...tool, description, ...shown };
  if (harmless.effect === "state") return harmless;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it is called with is handed through as it came
  const inner = harmless.run as (...call: unknown[]) => Promise<ToolOutput>;
  const run = async (...call: unknown[]): Promise<ToolOutput> => {
    const output = await inner.apply(tool, call);
    return { ...output, content: plainWords(output.content) };
  };
  return { ...harmless, run };
}

/** Every text in it, however deep. */
function plainWords(value: Json): Json {
  if (typeof value === "string") return defuse(value);
  if (Array.isArray(value)) return value.map(plainWords);
  return typeof value === "object" && value !== null ? plainTable(value) : value;
}

const plainTable = (table: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [defuse(key), plainWords(value)]));

const ownView = (session: Session, own: ReadonlySet<string>): Session => ({
  ...session,
  injections: [],
  timers: [],
  slices: ownSettings(session.slices, own),
});

const ownSettings = <Value>(all: Readonly<Record<string, Value>>, own: ReadonlySet<string>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => own.has(name)));
