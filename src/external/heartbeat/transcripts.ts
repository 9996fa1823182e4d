/** The transcripts that agents keep of their own runs, and which tool calls stand in one. Nothing else of them is read. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { HookAgent } from "../hooks/hook-line.ts";
import { copilotCalls, geminiCalls, type LineCalls, matchedCalls } from "./line-calls.ts";
import { opencodeTranscripts } from "./opencode-store.ts";
import type { Person, Transcript } from "./transcript.ts";
import { folderIn, headOf, linesFrom } from "./lines-from.ts";

const ENTRIES_MAX = 5_000;

type KeptInLines = {
  agent: HookAgent;
  /** The folder of the transcripts, and how deep the files lie there. */
  root(person: Person): string;
  depth: number;
  isTranscript?(file: string): boolean;
  session?(file: string): string | undefined | Promise<string | undefined>;
  folder?(file: string): Promise<string | undefined>;
  calls: LineCalls;
};

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const inFileName = (file: string): string | undefined => new RegExp(`${UUID}(?=\\.jsonl$)`).exec(basename(file))?.[0];
const inFolderName = (file: string): string | undefined => new RegExp(`^${UUID}$`).exec(basename(dirname(file)))?.[0];
const inFirstLine = async (file: string): Promise<string | undefined> =>
  new RegExp(`^\\{"sessionId":\\s?"(${UUID})"`).exec(await headOf(file))?.[1];

/** Gemini CLI keeps the path of the folder in a file beside its chats. */
const besideChats = async (file: string): Promise<string | undefined> => {
  const named = (await headOf(join(dirname(file), "..", ".project_root"))).trim();
  return named.startsWith("/") ? named : undefined;
};

const KEPT_IN_LINES: readonly KeptInLines[] = [
  {
    agent: "claude-code",
    root: ({ home, env }) => join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "projects"),
    depth: 1,
    calls: matchedCalls(/"type":\s?"tool_use"/g),
  },
  {
    agent: "codex",
    root: ({ home, env }) => join(env["CODEX_HOME"] || join(home, ".codex"), "sessions"),
    depth: 3,
    calls: matchedCalls(/"type":\s?"(?:function_call|custom_tool_call|local_shell_call)"/g),
  },
  {
    agent: "gemini-cli",
    root: ({ home, env }) => join(env["GEMINI_CLI_HOME"] || home, ".gemini", "tmp"),
    depth: 2,
    isTranscript: (file) => basename(dirname(file)) === "chats",
    session: inFirstLine,
    folder: besideChats,
    calls: geminiCalls,
  },
  {
    agent: "copilot-cli",
    root: ({ home, env }) => join(env["COPILOT_HOME"] || join(home, ".copilot"), "session-state"),
    depth: 1,
    isTranscript: (file) => basename(file) === "events.jsonl",
    session: inFolderName,
    calls: copilotCalls,
  },
  {
    agent: "qwen-code",
    root: ({ home }) => join(home, ".qwen", "projects"),
    depth: 2,
    isTranscript: (file) => basename(dirname(file)) === "chats",
    calls: matchedCalls(/"functionCall":\s?\{/g),
  },
];

/** Those that were written to since a time. */
export async function recentTranscripts(person: Person, sinceMs: number): Promise<Transcript[]> {
  const found: Transcript[] = [];
  for (const kept of KEPT_IN_LINES) found.push(...(await transcriptsIn(kept, person, sinceMs)));
  return [...found, ...(await opencodeTranscripts(person, sinceMs))];
}

async function transcriptsIn(kept: KeptInLines, person: Person, sinceMs: number): Promise<Transcript[]> {
  const { agent, calls, depth, isTranscript = () => true, session: sessionOf = inFileName, folder = folderIn } = kept;
  const found: Transcript[] = [];
  for (const file of (await filesBelow(kept.root(person), depth)).filter(isTranscript)) {
    const at = await stat(file).catch(() => undefined);
    if (at === undefined || at.mtimeMs < sinceMs) continue;
    const session = await sessionOf(file);
    if (session === undefined) continue;
    found.push({
      agent,
      session,
      end: at.size,
      bornMs: at.birthtimeMs,
      async callsFrom(place) {
        const { lines, next } = await linesFrom(file, place);
        return { calls: calls(lines, { place, sinceMs }), next };
      },
      folder: () => folder(file),
    });
  }
  return found;
}

/** Files of sub-agents lie deeper, and their calls are told under the name of the run. */
async function filesBelow(root: string, depth: number): Promise<string[]> {
  let folders = [root];
  for (let level = 0; level < depth; level++) {
    const entries = await entriesOf(folders);
    folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  }
  const files = (await entriesOf(folders)).filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"));
  return files.map(({ parentPath, name }) => join(parentPath, name));
}

async function entriesOf(folders: readonly string[]): Promise<Dirent[]> {
  const found: Dirent[] = [];
  for (const folder of folders) found.push(...(await readdir(folder, { withFileTypes: true }).catch(() => [])));
  return found.slice(0, ENTRIES_MAX);
}
