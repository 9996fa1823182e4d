/** The transcripts that agents keep of their own runs, and how many tool calls stand in one. Nothing else of them is read. */
import { createReadStream, type Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HOOK_AGENTS, type HookAgent } from "../hooks/hook-line.ts";

const ENTRIES_MAX = 5_000;
const READ_BYTES_MAX = 16 * 1_048_576;
const HEAD_BYTES = 65_536;

type Kept = {
  /** Below the home folder, and how deep the files lie there. */
  folder: string;
  depth: number;
  /** The variable that names another place for the folder above. */
  moved?: string;
  /** The name of the folder that holds them, where others lie beside it. */
  within?: string;
  /** What it writes for a call of a tool. */
  call: RegExp;
};

/**
 * Gemini CLI is not here: it writes a message anew whenever something of it changes, and not in which folder it works; nor are
 * opencode and Copilot CLI, which keep no file of lines that is named after the run.
 */
const KEPT: Partial<Record<HookAgent, Kept>> = {
  "claude-code": { folder: ".claude/projects", moved: "CLAUDE_CONFIG_DIR", depth: 1, call: /"type":\s?"tool_use"/g },
  codex: {
    folder: ".codex/sessions",
    moved: "CODEX_HOME",
    depth: 3,
    call: /"type":\s?"(?:function_call|custom_tool_call|local_shell_call)"/g,
  },
  "qwen-code": { folder: ".qwen/projects", depth: 2, within: "chats", call: /"functionCall":\s?\{/g },
};

export type Transcript = { agent: HookAgent; session: string; file: string; bytes: number; bornMs: number };

type Person = { home: string; env: Readonly<Record<string, string | undefined>> };

/** Those that were written to since a time. */
export async function recentTranscripts(person: Person, sinceMs: number): Promise<Transcript[]> {
  const found: Transcript[] = [];
  for (const agent of HOOK_AGENTS) {
    const kept = KEPT[agent];
    if (kept === undefined) continue;
    const { folder, moved, depth, within } = kept;
    const other = moved === undefined ? undefined : person.env[moved];
    const root = other ? join(other, basename(folder)) : join(person.home, folder);
    for (const file of await filesBelow(root, depth)) {
      const session = within === undefined || basename(dirname(file)) === within ? sessionOf(file) : undefined;
      const at = await stat(file).catch(() => undefined);
      if (session === undefined || at === undefined || at.mtimeMs < sinceMs) continue;
      found.push({ agent, session, file, bytes: at.size, bornMs: at.birthtimeMs });
    }
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

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\.jsonl$)/;
const sessionOf = (file: string): string | undefined => UUID.exec(basename(file))?.[0];

type Read = Pick<Transcript, "agent" | "file">;

/** The calls in whole lines from a place on, and where the next look begins. */
export async function callsIn({ agent, file }: Read, from: number): Promise<{ calls: number; next: number }> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { start: from, end: from + READ_BYTES_MAX - 1 })) {
    if (Buffer.isBuffer(piece)) pieces.push(piece);
  }
  const all = Buffer.concat(pieces);
  const end = all.lastIndexOf(0x0a) + 1;
  if (end === 0 && all.length === READ_BYTES_MAX) return { calls: 0, next: from + all.length }; // one line, longer than any call
  const lines = all.subarray(0, end).toString("utf8");
  return { calls: lines.match(KEPT[agent]?.call ?? NONE)?.length ?? 0, next: from + end };
}

const NONE = /$^/;

/** The folder that a run works in, as its transcript says near its beginning. */
export async function folderIn(file: string): Promise<string | undefined> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const named = /"cwd":\s?("(?:[^"\\]|\\.)*")/.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
    const folder: unknown = named === undefined ? undefined : JSON.parse(named);
    return typeof folder === "string" && folder.startsWith("/") ? folder : undefined;
  } finally {
    await handle.close();
  }
}
