/** Hooks in the agents that people already run: what each of them really sends, and how the one program answers it. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { runProgram } from "../../src/cli/program.ts";
import { runIdOf } from "../../src/external/run-id.ts";
import type { HookAgent } from "../../src/external/hooks/hook-line.ts";
import { opencodePlugin } from "../../src/external/hooks/hook-program.ts";
import { JsonObject } from "../../src/protocol/json.ts";
import type { TestGateway } from "../../src/testing/index.ts";
import { answerQuestion, outsideGateway, pendingPlan, planOf, recorded, say, startHook } from "../kit/outside-agent.ts";

let gateway: TestGateway;
let person: string;
beforeAll(async () => {
  gateway = await outsideGateway();
  person = join(dirname(gateway.home), "person");
  mkdirSync(person);
});
afterAll(() => gateway.stop());

const launcher = () => join(gateway.home, "hooks", "holdpoint-hook");
const idOf = (agent: HookAgent, session: string) => runIdOf({ agent, session });

const cli = (...argv: string[]) => cliWith({}, ...argv);

type Said = { code: number; out: string; err: string };

async function cliWith(variables: Record<string, string>, ...argv: string[]): Promise<Said> {
  let [out, err] = ["", ""];
  const code = await runProgram(argv, {
    stdin: process.stdin,
    terminal: process.stdout,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    env: { HOLDPOINT_HOME: gateway.home, HOME: person, NO_COLOR: "1", ...variables },
    cwd: person,
  });
  return { code, out, err: err.replaceAll(/\s+/g, " ").trim() };
}

/** The gateway's answer to a recorded event, as the hook would print it. */
async function hook(agent: HookAgent, name: string, session: string) {
  const payload = recorded(`${agent}/${name}`, gateway, session);
  const event = agent === "copilot-cli" ? "preToolUse" : agent === "opencode" ? "tool.execute.before" : "";
  return say(gateway.home, { do: "hook", agent, event, payload }).answer;
}

const claudeDeny = (reason: unknown) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
});
const Called = z.custom<(...given: unknown[]) => Promise<unknown>>((one) => typeof one === "function");
const printed = ({ stdout }: { stdout?: unknown }): unknown => JSON.parse(String(stdout));
const settings = (): JsonObject =>
  JsonObject.parse(JSON.parse(readFileSync(join(person, ".claude/settings.json"), "utf8")));

describe("what the real programs send", () => {
  it.each<[HookAgent, string, (reason: unknown) => unknown]>([
    ["claude-code", "pre-tool-use-bash", claudeDeny],
    ["claude-code", "pre-tool-use-bash-bypass", claudeDeny],
    ["claude-code", "pre-tool-use-bash-subagent", claudeDeny],
    ["claude-code", "pre-tool-use-edit", claudeDeny],
    ["claude-code", "pre-tool-use-mcp", claudeDeny],
    ["codex", "pre-tool-use-bash", claudeDeny],
    ["codex", "pre-tool-use-apply-patch", claudeDeny],
    ["codex", "pre-tool-use-mcp", claudeDeny],
    ["codex", "pre-tool-use-subagent", claudeDeny],
    ["qwen-code", "pre-tool-use", claudeDeny],
    ["gemini-cli", "before-tool-shell", (reason) => ({ decision: "deny", reason })],
    ["gemini-cli", "before-tool-mcp", (reason) => ({ decision: "deny", reason })],
    ["copilot-cli", "pre-tool-use", (reason) => ({ permissionDecision: "deny", permissionDecisionReason: reason })],
    ["opencode", "tool-execute-before-bash", (deny) => ({ deny })],
  ])("[IG-03] %s: %s is denied in the agent's own form while nothing is approved", async (agent, name, form) => {
    const reply = await hook(agent, name, "denied");
    expect([reply["exit"], reply["stderr"]]).toEqual([0, ""]);
    expect(printed(reply)).toEqual(form(expect.stringMatching(/was not run: /)));
  });

  it("[IG-03] a plan of Claude Code is approved with a person's changes, and its calls are let pass in silence", async () => {
    await say(gateway.home, { do: "wait", agent: "claude-code", session: "plan", workspace: gateway.workspace }).answer;
    const asked = hook("claude-code", "pre-tool-use-exit-plan-mode", "plan");
    const { sessionId, submission } = await pendingPlan(gateway, idOf("claude-code", "plan"));
    const { approvalId, digest } = submission;
    const steps = [{ step: "do another thing", status: "pending" as const }];
    await gateway.client.call("sessions.patch", {
      sessionId,
      planApproval: { action: "approve_edited", approvalId, digest, steps },
    });
    expect(printed(await asked)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "allow",
        updatedInput: { plan: "# Plan\n\n1. do another thing\n", planFilePath: expect.stringContaining(".md") },
      },
    });
    expect(await hook("claude-code", "pre-tool-use-bash", "plan")).toEqual({ stdout: "", stderr: "", exit: 0 });
    expect(await hook("claude-code", "user-prompt-expansion", "plan")).toMatchObject({ exit: 0 });
  });

  it("[IG-03] calls of a sub-agent of Copilot CLI belong to the session that it was started from", async () => {
    const sent = recorded("copilot-cli/pre-tool-use-subagent", gateway, "sub-agent");
    const payload = { ...sent, parentAgentId: "above" };
    await say(gateway.home, { do: "hook", agent: "copilot-cli", event: "preToolUse", payload }).answer;
    expect((await planOf(gateway, idOf("copilot-cli", "above"))).now.phase).toBe("exploring");
    await expect(planOf(gateway, idOf("copilot-cli", "sub-agent"))).rejects.toThrow(/no such session/);
  });

  it("[IG-03] calls of a sub-agent of opencode belong to the session that it was started from, where that can be asked", async () => {
    const sent = join(person, "sent.jsonl");
    const recorder = join(person, "recorder");
    writeFileSync(recorder, `#!/bin/sh\ncat >> '${sent}'; echo >> '${sent}'\n`, { mode: 0o755 });
    const plugin: unknown = await import(`data:text/javascript,${encodeURIComponent(opencodePlugin(recorder))}`);
    const { Holdpoint } = z.object({ Holdpoint: Called }).parse(plugin);
    const above: Record<string, string> = { sub: "main", below: "sub" };
    const get = ({ path: { id } }: { path: { id: string } }) =>
      id === "lost" ? Promise.reject(new Error("gone")) : Promise.resolve({ data: { id, parentID: above[id] } });
    const hooks: unknown = await Holdpoint({ directory: "/w", client: { session: { get } } });
    const { "tool.execute.before": before } = z.object({ "tool.execute.before": Called }).parse(hooks);
    for (const sessionID of ["main", "below", "lost"]) await before({ sessionID, tool: "bash" }, { args: {} });
    const told = readFileSync(sent, "utf8").trim().split("\n");
    expect(
      told.map((line) => JsonObject.parse(JSON.parse(line))).map((one) => [one["sessionId"], one["ownSessionId"]]),
    ).toEqual([
      ["main", "main"],
      ["main", "below"],
      ["lost", "lost"],
    ]);
  });

  it("[IG-03] an empty plan of Claude Code is sent back", async () => {
    const payload = { ...recorded("claude-code/pre-tool-use-exit-plan-mode", gateway, "empty"), tool_input: {} };
    const reply = await say(gateway.home, { do: "hook", agent: "claude-code", event: "PreToolUse", payload }).answer;
    expect(printed(reply)).toEqual(claudeDeny(expect.stringContaining("No plan was found")));
  });

  it("[IG-03] questions are answered: where an agent takes the answer as input, and where only as words", async () => {
    for (const agent of ["claude-code", "codex"] as const) {
      await say(gateway.home, { do: "wait", agent, session: "asks", workspace: gateway.workspace }).answer;
    }
    const claude = hook("claude-code", "pre-tool-use-ask-user-question", "asks");
    await answerQuestion(gateway, idOf("claude-code", "asks"), "SQLite");
    expect(printed(await claude)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "allow", updatedInput: { answers: { "Which DB?": "SQLite" } } },
    });
    const codex = hook("codex", "pre-tool-use-request-user-input", "asks");
    await answerQuestion(gateway, idOf("codex", "asks"), "PG");
    expect(printed(await codex)).toEqual(claudeDeny(expect.stringContaining("Which DB? → PG")));
  });

  it("[IG-03] changed settings, a project's own commands and live shells are held; other events pass", async () => {
    expect(await hook("claude-code", "config-change", "s")).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/settings/),
    });
    expect(await hook("claude-code", "user-prompt-expansion", "s")).toMatchObject({ exit: 2 });
    expect(await hook("claude-code", "session-start", "s")).toEqual({ stdout: "", stderr: "", exit: 0 });
    const payload = { ...recorded("codex/pre-tool-use-bash", gateway, "s"), tool_input: { command: "bash -i" } };
    const reply = await say(gateway.home, { do: "hook", agent: "codex", event: "", payload }).answer;
    expect(printed(reply)).toEqual(claudeDeny(expect.stringContaining("typed into")));
    const strange = { hook_event_name: "PreToolUse", tool: "Bash" };
    expect(await say(gateway.home, { do: "hook", agent: "codex", event: "", payload: strange }).answer).toMatchObject({
      exit: 2,
    });
  });
});

describe("the hook program", () => {
  it("[IG-03] is installed beside the entries of others, asked through the guard line, and removed again", async () => {
    const others = { hooks: [{ type: "command", command: "theirs" }] };
    const before = { model: "x", hooks: { PreToolUse: [others], Stop: [others] } };
    mkdirSync(join(person, ".claude"));
    writeFileSync(join(person, ".claude/settings.json"), JSON.stringify(before));
    const [first, second] = await Promise.all([
      cli("hooks", "install", "claude"),
      cli("hooks", "install", "claude-code"),
    ]);
    expect([first.code, second.code, first.err, second.err]).toEqual([0, 0, "", ""]);
    const { hooks, ...rest } = settings() as {
      hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]>;
    };
    expect(rest).toEqual({ model: "x", disableSkillShellExecution: true });
    expect(Object.keys(hooks)).toEqual(["PreToolUse", "Stop", "UserPromptExpansion", "ConfigChange"]);
    expect(hooks["PreToolUse"]).toHaveLength(2);
    expect(hooks["PreToolUse"]?.[0]).toEqual(others);
    const ours = hooks["PreToolUse"]?.[1]?.hooks[0];
    if (ours === undefined) throw new Error("not installed");
    const argv: [string, ...string[]] = [ours.command, ...ours.args];
    const denied = await startHook(argv, recorded("claude-code/pre-tool-use-bash", gateway, "guard")).ended;
    expect([denied.code, denied.stderr]).toEqual([0, ""]);
    expect(printed(denied)).toEqual(claudeDeny(expect.stringMatching(/was not run/)));
    const read = {
      ...recorded("claude-code/pre-tool-use-bash", gateway, "guard"),
      tool_input: { command: "git status" },
    };
    expect(await startHook(argv, read, { NODE_OPTIONS: "--require /nowhere.js" }).ended).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(printed(await startHook(argv, "{ half").ended)).toEqual(
      claudeDeny(expect.stringContaining("could not be read")),
    );
    rmSync(launcher());
    expect(await startHook(argv, "{}").ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the hook failed"),
    });
    expect((await cli("hooks", "status", "claude")).out).toMatch(/does not hold[\s\S]*holdpoint-hook is missing/);
    expect((await cli("hooks", "install", "claude")).code).toBe(0);
    expect((await cli("hooks", "status", "claude")).code).toBe(0);
    writeFileSync(join(person, ".claude/settings.json"), JSON.stringify({ ...settings(), disableAllHooks: true }));
    expect(await cli("hooks", "status", "claude")).toMatchObject({
      code: 1,
      out: expect.stringContaining("disableAllHooks"),
    });
    const { disableAllHooks: _off, ...kept } = settings();
    writeFileSync(join(person, ".claude/settings.json"), JSON.stringify(kept));
    await cli("hooks", "remove", "claude");
    expect(settings()).toEqual({
      model: "x",
      disableSkillShellExecution: true,
      hooks: { PreToolUse: [others], Stop: [others] },
    });
  });

  it("[IG-03] withdraws its card when the agent stops it", async () => {
    await cli("hooks", "install", "qwen");
    const payload = recorded("claude-code/pre-tool-use-exit-plan-mode", gateway, "stopped");
    await say(gateway.home, { do: "wait", agent: "claude-code", session: "stopped", workspace: gateway.workspace })
      .answer;
    const started = startHook([launcher(), "claude-code", "PreToolUse"], payload);
    const { sessionId } = await pendingPlan(gateway, idOf("claude-code", "stopped"));
    started.stop("SIGTERM");
    expect(printed(await started.ended)).toEqual(claudeDeny(expect.stringContaining("stopped")));
    await expect.poll(async () => (await planOf(gateway, sessionId)).now.phase).toBe("timed_out");
  });

  it("[IG-03] refuses what changes something when no gateway answers, and lets reading pass", async () => {
    const away = { HOLDPOINT_SOCKET: join(person, "nobody.sock") };
    const bash = recorded("gemini-cli/before-tool-shell", gateway, "down");
    const down = await startHook([launcher(), "gemini-cli", "BeforeTool"], bash, away).ended;
    expect(printed(down)).toEqual({
      decision: "deny",
      reason: expect.stringContaining("Start it with: holdpoint start"),
    });
    const read = { ...recorded("claude-code/pre-tool-use-edit", gateway, "down"), tool_name: "Read" };
    expect(await startHook([launcher(), "claude-code", "PreToolUse"], read, away).ended).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  it("[IG-03] finds Gemini's plan in its file, and writes the changed one back", async () => {
    const plans = join(person, "plans");
    mkdirSync(plans);
    writeFileSync(join(plans, "plan.md"), "- look\n- act\n");
    await say(gateway.home, { do: "wait", agent: "gemini-cli", session: "g", workspace: gateway.workspace }).answer;
    const payload = recorded("gemini-cli/before-tool-exit-plan-mode", gateway, "g");
    const { ended } = startHook([launcher(), "gemini-cli", "BeforeTool"], payload, { GEMINI_PLANS_DIR: plans });
    const { sessionId, submission } = await pendingPlan(gateway, idOf("gemini-cli", "g"));
    expect(submission.steps.map(({ step }) => step)).toEqual(["look", "act"]);
    const { approvalId, digest } = submission;
    const steps = [{ step: "look", status: "pending" as const }];
    await gateway.client.call("sessions.patch", {
      sessionId,
      planApproval: { action: "approve_edited", approvalId, digest, steps },
    });
    expect(await ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(plans, "plan.md"), "utf8")).toBe("# Plan of gemini-cli\n\n1. look\n");
  });

  it.each(["codex", "gemini-cli", "opencode", "copilot-cli", "qwen-code"])(
    "[IG-03] is installed for %s, seen, and removed",
    async (agent) => {
      expect((await cli("hooks", "install", agent)).err).toBe("");
      const { agents } = JSON.parse((await cli("hooks", "status", agent, "--json")).out) as {
        agents: { file: string; status: string; problems: string[] }[];
      };
      const [found] = agents;
      expect(found?.problems.filter((problem) => !problem.includes("/hooks in Codex"))).toEqual([]);
      const file = found?.file ?? "";
      expect(readFileSync(file, "utf8")).toContain(launcher());
      writeFileSync(file, readFileSync(file, "utf8").replace("exit 2", "exit 0").replace("throw new", "void new"));
      expect((await cli("hooks", "status", agent)).code).toBe(1);
      await cli("hooks", "install", agent);
      await cli("hooks", "remove", agent);
      expect(existsSync(file)).toBe(false);
      expect((await cli("hooks", "status", agent)).out).toContain("not installed");
    },
  );

  it("[IG-03] is installed where a variable says that the agent looks", async () => {
    const [copilot, gemini] = [join(person, "moved-copilot"), join(person, "moved-gemini")];
    const variables = { COPILOT_HOME: copilot, GEMINI_CLI_HOME: gemini };
    for (const name of ["copilot", "gemini"]) expect((await cliWith(variables, "hooks", "install", name)).code).toBe(0);
    expect(existsSync(join(copilot, "hooks", "holdpoint.json"))).toBe(true);
    expect(existsSync(join(gemini, ".gemini", "settings.json"))).toBe(true);
    expect((await cliWith(variables, "hooks", "status", "copilot")).out).toContain("installed");
  });

  it("[IG-03] changes nothing the second time, and nothing in settings whose hooks are of no known form", async () => {
    const file = join(person, ".qwen/settings.json");
    mkdirSync(dirname(file), { recursive: true });
    const claude = { CLAUDE_CONFIG_DIR: join(person, "moved-claude") };
    const shared = join(claude.CLAUDE_CONFIG_DIR, "settings.json");
    mkdirSync(dirname(shared));
    const theirs = { PreToolUse: [{ hooks: [{ type: "command", command: "theirs" }] }] };
    writeFileSync(shared, JSON.stringify({ model: "x", hooks: theirs }));
    expect((await cliWith(claude, "hooks", "install", "claude")).out).toContain("are installed");
    const before = readFileSync(shared, "utf8");
    expect((await cliWith(claude, "hooks", "install", "claude")).out).toContain("were installed already");
    expect(readFileSync(shared, "utf8")).toBe(before);
    for (const hooks of ["none", { PreToolUse: { theirs: true } }]) {
      const odd = JSON.stringify({ hooks });
      writeFileSync(file, odd);
      for (const verb of ["install", "remove"]) expect((await cli("hooks", verb, "qwen")).err).toMatch(/no known form/);
      expect(readFileSync(file, "utf8")).toBe(odd);
    }
  });

  it("[IG-03] refuses settings that are half written, a link or read-only, and leaves them as they are", async () => {
    const file = join(person, ".gemini/settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{ "hooks": {');
    expect((await cli("hooks", "install", "gemini")).err).toMatch(/no plain JSON: half written, or with comments/);
    expect(readFileSync(file, "utf8")).toBe('{ "hooks": {');
    expect((await cli("hooks", "status", "gemini")).out).toContain("not installed");
    writeFileSync(file, "{}");
    chmodSync(file, 0o400);
    expect((await cli("hooks", "install", "gemini")).err).toMatch(/it is read-only/);
    rmSync(file);
    writeFileSync(join(person, "elsewhere.json"), "{}");
    symlinkSync(join(person, "elsewhere.json"), file);
    expect((await cli("hooks", "install", "gemini")).err).toMatch(/it is a link/);
    expect([lstatSync(file).isSymbolicLink(), readFileSync(file, "utf8")]).toEqual([true, "{}"]);
    expect((await cli("hooks", "install", "nobody")).err).toMatch(/There are no hooks for "nobody"/);
  });
});
