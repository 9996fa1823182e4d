/** Commands as the pipeline would run them, in a workspace and beside a state folder of their own. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import { shellCommandJudge } from "../../src/plan-mode/gates/command-judge.ts";
import type { ToolContext, ToolOutput } from "../../src/plugins/tool.ts";
import { SessionId, TurnId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { ExecParts } from "../../src/tools/builtin/exec/exec-parts.ts";
import { createProcessTable } from "../../src/tools/builtin/exec/process-table.ts";
import { mintPermit } from "../../src/tools/permit.ts";
import { createRegistry } from "../../src/tools/registry.ts";
import { builtinTools } from "./builtin-tools.ts";
import { coreWorld, create } from "./core.ts";

export const SECRET = "hp_operator_secret";

type Given = { files?: Record<string, string>; parts?: Partial<ExecParts>; sessionId?: string };

type Where = Pick<ToolContext, "workspace" | "confine">;

export function execWorld({ files = {}, parts = {} }: Given = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-exec-")));
  const [workspace, state] = [join(root, "w"), join(root, "state")];
  mkdirSync(workspace);
  mkdirSync(state);
  writeFileSync(join(state, "operator.token"), SECRET);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(workspace, name, ".."), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const processes = createProcessTable(systemClock);
  onTestFinished(async () => {
    await processes.endAll();
    rmSync(root, { recursive: true, force: true });
  });
  const given = { commandJudge: shellCommandJudge, processes, ...parts };
  const registry = createRegistry(builtinTools({ protectedFolders: [state], parts: given }));
  const core = coreWorld();
  core.must(create);
  const { session } = core;
  if (session === undefined) throw new Error("no session");
  const chunks: string[] = [];
  const stop = new AbortController();
  const emit = (chunk: string): void => void chunks.push(chunk);
  let count = 0;

  function prepare(tool: string, args: JsonObject, where: Where = { workspace }) {
    const made = session && registry.find(tool, { session, settings: {} })?.prepare(args, where);
    if (made?.ok !== true) throw new Error(made?.error ?? "no such tool");
    return made.call;
  }
  async function call(
    tool: string,
    args: JsonObject,
    where: Where = { workspace },
  ): Promise<ToolOutput & { effect: string }> {
    const prepared = prepare(tool, args, where);
    count += 1;
    const ids = { sessionId: SessionId.parse("ses_1"), callId: `c${count}` };
    const permit = mintPermit({ ...ids, argsDigest: prepared.argsDigest, epoch: 1 });
    const context = { ...ids, turnId: TurnId.parse("trn_1"), ...where, signal: stop.signal, emit };
    const output = await prepared.run(context, prepared.effect === "write" ? permit : undefined);
    return { ...output, effect: prepared.effect };
  }
  const exec = (command: string, more: JsonObject = {}, where: Where = { workspace }) =>
    call("exec", { command, ...more }, where);
  return { workspace, state, exec, call, prepare, chunks, stop, processes };
}

/** Whether a process runs somewhere whose command line says this. */
export function runs(marker: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\u0000", " ");
        return line.includes(marker) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
      } catch {
        return false; // it ended in between
      }
    });
}
