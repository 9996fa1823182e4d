/** `memory_search` and `memory_get`: what an agent was given to remember, for reading. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Sessions } from "../../plugins/sessions.ts";
import type { Tool, ToolContext, ToolOutput } from "../../plugins/tool.ts";
import type { Session } from "../../protocol/session.ts";
import type { MemorySettings } from "../../protocol/settings/tool-settings.ts";
import { rangeOfText } from "../builtin/reading/line-range.ts";
import { defineTool } from "../define-tool.ts";
import { type MemoryPlace, passagesOf, readMemory, readMemoryFile } from "./memory-files.ts";
import { rank } from "./rank.ts";

const HITS_MAX = 20;
const HITS_DEFAULT = 6;
const HIT_CHARS_MAX = 1_500;
const LINES_MAX = 500;

export type MemoryParts = {
  sessions: Pick<Sessions, "session">;
  /** The folder of an agent's memory. */
  folderOf(agentId: string): string;
  settings(): MemorySettings;
};

export function createMemoryTools(parts: MemoryParts): Tool[] {
  return [searchTool(parts), getTool(parts)];
}

const placeOf = (
  { folderOf, settings }: MemoryParts,
  { agentId, workspace }: Pick<Session, "agentId" | "workspace">,
): MemoryPlace => ({
  folder: folderOf(agentId),
  workspace,
  workspaceFile: settings().workspaceFile,
});

/** Nothing to remember, no tool to look for it. */
function isThere(parts: MemoryParts, session: Session): boolean {
  const { folder, workspace, workspaceFile } = placeOf(parts, session);
  if (!parts.settings().enabled) return false;
  return existsSync(folder) || (workspaceFile !== undefined && existsSync(join(workspace, workspaceFile)));
}

async function placeIn(parts: MemoryParts, { sessionId }: ToolContext): Promise<MemoryPlace | undefined> {
  const session = await parts.sessions.session(sessionId);
  return session === undefined ? undefined : placeOf(parts, session);
}

const GONE: ToolOutput = { status: "error", content: "The session is gone." };

const Search = z.strictObject({
  query: z.string().trim().min(1).max(500).describe("Words to look for."),
  limit: z.int().min(1).max(HITS_MAX).optional().describe(`At most so many passages. Default ${HITS_DEFAULT}.`),
});

const searchTool = (parts: MemoryParts): Tool =>
  defineTool<z.infer<typeof Search>>({
    name: "memory_search",
    effect: "read",
    kind: "read_only",
    description:
      "Searches the agent's memory (Markdown notes kept between conversations) and returns the passages that fit best, with their place. Read more around one with memory_get.",
    input: Search,
    offered: (session) => isThere(parts, session),
    async run({ query, limit = HITS_DEFAULT }, context): Promise<ToolOutput> {
      const place = await placeIn(parts, context);
      if (place === undefined) return GONE;
      const { files, more } = await readMemory(place);
      const hits = rank(files.flatMap(passagesOf), query, limit).map(({ path, fromLine, toLine, text, score }) => ({
        path,
        fromLine,
        toLine,
        score,
        text: text.length > HIT_CHARS_MAX ? `${text.slice(0, HIT_CHARS_MAX).toWellFormed()}[… cut]` : text,
      }));
      const hint = more ? { more: "The memory is larger than what is searched." } : {};
      return { status: "ok", content: { searched: files.length, hits, ...hint } };
    },
  });

const Get = z.strictObject({
  path: z.string().min(1).max(500).describe("File as memory_search names it."),
  fromLine: z.int().min(1).optional(),
  lines: z.int().min(1).max(LINES_MAX).optional().describe(`Default and maximum ${LINES_MAX}.`),
});

const getTool = (parts: MemoryParts): Tool =>
  defineTool<z.infer<typeof Get>>({
    name: "memory_get",
    effect: "read",
    kind: "read_only",
    description: "Reads a file of the agent's memory, whole or a range of lines.",
    input: Get,
    offered: (session) => isThere(parts, session),
    async run({ path, fromLine, lines = LINES_MAX }, context): Promise<ToolOutput> {
      const place = await placeIn(parts, context);
      if (place === undefined) return GONE;
      const read = await readMemoryFile(place, path);
      if ("error" in read) return { status: "error", content: read.error };
      return {
        status: "ok",
        content: { path: read.path, ...rangeOfText(read.text, { fromLine, lines, tool: "memory_get" }) },
      };
    },
  });
