/** How much of a model's window a request takes. An estimate: four characters to a token is near enough to decide by. */
import type { Entry } from "../../protocol/transcript-entry.ts";
import type { ToolSpec } from "../model.ts";

const CHARS_PER_TOKEN = 4;
/** Where neither the model nor the settings say how much it can read. */
export const CONTEXT_TOKENS_DEFAULT = 128_000;

const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);
export const charsFor = (tokens: number): number => tokens * CHARS_PER_TOKEN;

export function requestTokens(request: {
  system: string;
  tools: readonly ToolSpec[];
  entries: readonly Entry[];
}): number {
  const { system, tools, entries } = request;
  const toolTokens = tools.reduce((sum, tool) => sum + specTokens(tool), 0);
  return tokensOf(system) + toolTokens + entries.reduce((sum, entry) => sum + entryTokens(entry), 0);
}

/** Definitions are the same objects in every request, and writing them out costs more than all the rest. */
const knownSpecs = new WeakMap<ToolSpec, number>();

function specTokens(tool: ToolSpec): number {
  const known = knownSpecs.get(tool) ?? tokensOf(JSON.stringify(tool));
  knownSpecs.set(tool, known);
  return known;
}

/** So are the entries of a turn, from one request to the next. */
const knownEntries = new WeakMap<Entry, number>();

export function entryTokens(entry: Entry): number {
  const known = knownEntries.get(entry) ?? tokensOf(entryText(entry));
  knownEntries.set(entry, known);
  return known;
}

/** What of an entry is sent; ids and authors are not. */
function entryText(entry: Entry): string {
  switch (entry.kind) {
    case "input":
      return entry.text;
    case "assistant":
      return entry.text + JSON.stringify(entry.calls);
    case "result":
      return typeof entry.content === "string" ? entry.content : JSON.stringify(entry.content);
    case "summary":
      return entry.text + entry.asked;
    case "call":
    case "call-result":
    case "notice":
      return "";
  }
}
