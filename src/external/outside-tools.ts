/**
 * The tools of agents outside, as the gate knows them: by the names and arguments of our own, so that one set of rules
 * judges both. Running one here means to let the agent run it: it acts with its own hands.
 */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import { z } from "zod";
import type { CommandJudge } from "../plugins/command-judge.ts";
import type { Tool, ToolContext, ToolOutput } from "../plugins/tool.ts";
import { JsonObject } from "../protocol/json.ts";
import { bareWords } from "../tools/builtin/exec/bare-words.ts";
import { isInside } from "../tools/builtin/workspace-path.ts";
import { defineTool } from "../tools/define-tool.ts";
import { createRegistry, type RegisteredTool, type Registry } from "../tools/registry.ts";

const COMMAND_CHARS_MAX = 100_000;
const PATH_CHARS_MAX = 4_096;
const TEXT_CHARS_MAX = 150_000;
/** Tools of others that were seen; each name is a row. */
const OTHERS_MAX = 500;

/** What the plan tools of the gateway itself are called: an agent outside uses those as they are. */
const PLAN_TOOLS: ReadonlySet<string> = new Set([
  "enter_plan_mode",
  "exit_plan_mode",
  "update_plan",
  "ask_user_question",
]);

/** Says which call it was, so that no two answers are alike: the loop check counts equal ones. */
const letRun = async (_args: unknown, { callId }: ToolContext): Promise<ToolOutput> => ({
  status: "ok",
  content: { allowed: callId },
});

const beside = { about: JsonObject.optional().describe("Other arguments, shortened.") };
const filePath = z.string().min(1).max(PATH_CHARS_MAX);

/** Looked up at each call: the plugin that judges may be switched off. */
type Judge = { readonly commandJudge: CommandJudge | undefined; protectedFolders: readonly string[] };

const PROCESSES = "/proc";

/**
 * An agent outside runs a command in its own shell, where nothing is hidden from it. So a proof that it only reads is not
 * enough: every name in it is looked up, and none may lead to the gateway's folder or to one that holds it (GA-15).
 */
function onlyReads(command: string, cwd: string, { commandJudge, protectedFolders }: Judge): boolean {
  const verdict = commandJudge?.(command, { cwd, home: homedir() });
  if (verdict?.reads !== true) return false;
  const { canonical } = verdict;
  const names = [PROCESSES, ...protectedFolders.flatMap((folder) => [folder, basename(folder)])];
  if (names.some((name) => canonical.includes(name))) return false;
  const hidden = protectedFolders.map((folder) => realPath(folder));
  return !("refused" in verdict.toProcess([], bareWords({ cwd, root: "/", hidden })));
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

export const OWN_FOLDER_RULE = "external/own-folder";

/** Whether a text is a path that leads into one of the folders; links are followed as far as they exist. */
export function leadsInto(folders: readonly string[], text: string, cwd: string): boolean {
  if (text === "" || text.includes("\u0000") || text.length > PATH_CHARS_MAX) return false;
  const asked = resolve(cwd, text.replace(/^~(?=\/|$)/, homedir()));
  const real = realPath(asked);
  return folders.some((folder) =>
    [asked, real].some((path) => isInside(folder, path) || isInside(realPath(folder), path)),
  );
}

function ownTools(judge: Judge): Tool[] {
  const command = z.string().min(1).max(COMMAND_CHARS_MAX);
  return [
    defineTool<{ command: string; cwd?: string | undefined }>({
      name: "exec",
      description: "A shell command of an agent outside.",
      effect: "dynamic",
      kind: "bash",
      input: z.strictObject({ command, cwd: filePath.optional(), ...beside }),
      classify({ command: text, cwd = "." }, { workspace }) {
        return onlyReads(text, resolve(workspace, cwd), judge) ? "read" : "write";
      },
      run: letRun,
    }),
    ...["write", "edit"].map((name) =>
      defineTool({
        name,
        description: "A change of a file by an agent outside.",
        effect: "write",
        kind: "file_edit",
        input: z.strictObject({ path: filePath, ...beside }),
        run: letRun,
      }),
    ),
    defineTool({
      name: "apply_patch",
      description: "A patch of an agent outside.",
      effect: "write",
      kind: "file_edit",
      input: z.strictObject({ patch: z.string().min(1).max(TEXT_CHARS_MAX), ...beside }),
      run: letRun,
    }),
    defineTool({
      name: "read",
      description: "Something that an agent outside reads.",
      effect: "read",
      kind: "read_only",
      input: z.strictObject({ with: z.string().max(PATH_CHARS_MAX).optional(), ...beside }),
      run: letRun,
    }),
  ];
}

/** Nobody here knows what it does, so it counts as changing something. */
const foreignTool = (name: string): Tool =>
  defineTool({
    name,
    description: "A tool of an agent outside.",
    effect: "write",
    kind: "outbound",
    input: z.record(z.string(), z.json()),
    inputSchema: { type: "object", additionalProperties: true },
    run: letRun,
  });

const FOREIGN = /^mcp__[a-z0-9_]+__[a-z0-9_]+$/;

/** `own`: the gateway's registry, of which agents outside may use the plan tools. */
export function createOutsideRegistry(own: Registry, judge: Judge): Registry {
  let made: Registry | undefined;
  const outside = (): Registry => (made ??= createRegistry(ownTools(judge))); // most gateways serve no agent outside
  let others = 0;
  function admit(name: string): void {
    if (outside().has(name) || !FOREIGN.test(name) || others >= OTHERS_MAX) return;
    outside().add(foreignTool(name));
    others++;
  }
  return {
    catalog: (place) => outside().catalog(place),
    offered: (place, ownerOf) => outside().offered(place, ownerOf),
    control: (tool) => outside().control(tool),
    has: (name) => outside().has(name),
    makeOffers: () => outside().makeOffers(),
    add: (tool) => outside().add(tool),
    remove: (name) => outside().remove(name),
    find(name, place): RegisteredTool | undefined {
      if (PLAN_TOOLS.has(name)) return own.find(name, place);
      admit(name);
      return outside().find(name, place);
    },
    kindOf: (name) => (PLAN_TOOLS.has(name) ? own.kindOf(name) : outside().kindOf(name)),
  };
}

/** A name under which a tool of somebody else's is judged: as an MCP tool is, by its words and its arguments. */
export function foreignName(agent: string, tool: string): string {
  const [, server = agent, name = tool] = /^mcp__?(.+?)__?(.+)$/i.exec(tool) ?? [];
  return `mcp__${clean(server).slice(0, 20) || "x"}__${clean(name).slice(0, 36) || "x"}`;
}

const clean = (text: string): string =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
