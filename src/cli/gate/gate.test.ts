import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { checkGate } from "./commands/gate-check.ts";
import { gateDoctor } from "./commands/gate-doctor.ts";
import { explainGate } from "./commands/gate-explain.ts";
import type { CommandContext } from "../context.ts";
import { createOutput } from "../output.ts";
import { sampleArgs, sampleVariants } from "./doctor/sample-args.ts";
import { bundledPlugins } from "../../gateway/plugins/bundled.ts";
import { loadPlugins } from "../../plugins/host.ts";
import { KNOWN } from "./judge-line.ts";
import { linesOf } from "./lines.ts";
import { createToolFacts } from "./tool-facts.ts";

function context(given: { json?: boolean; env?: Record<string, string> } = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const env = { HOME: "/home/u", ...given.env };
  const output = createOutput({ stdout, stderr, env }, given.json ?? false);
  const made = { stdin, stdout, stderr, env, output, terminal: stdout, cwd: "/w" };
  const heard: string[] = [];
  const said = (): string => {
    for (let chunk = readFrom(stdout); chunk !== null; chunk = readFrom(stdout)) heard.push(chunk.toString());
    return heard.join("");
  };
  return { context: made as unknown as CommandContext, stdin, stdout, said };
}

const readFrom = (stream: PassThrough): Buffer | null => stream.read() as Buffer | null;

async function checked(...lines: (string | JsonObject)[]): Promise<{ code: number; answers: JsonObject[] }> {
  const { context: given, stdin, said } = context();
  for (const line of lines) stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  stdin.end();
  const code = await checkGate(given);
  const answers = said()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JsonObject);
  return { code, answers };
}
const exec = (command: unknown, more: JsonObject = {}): JsonObject =>
  ({ id: "x", tool: "exec", args: { command }, mode: "plan", ...more }) as JsonObject;

describe("holdpoint gate check", () => {
  it("[GA-11] answers each call with a verdict, in order", async () => {
    const { code, answers } = await checked(
      exec("cat  a|sort", { id: 1 }),
      exec("rm a", { id: 2 }),
      { id: 3, tool: "write", args: { path: "a", content: "" }, mode: "plan" },
      { id: 4, tool: "read", args: { path: "a" }, mode: "plan" },
      { tool: "nobody_knows", args: {}, mode: "plan" },
    );
    expect({ code, answers }).toEqual({
      code: 0,
      answers: [
        { id: 1, allowed: true, code: "read-only", tool_kind: "bash", canonical: "cat a | sort", hint: "" },
        {
          id: 2,
          allowed: false,
          code: "known-write",
          tool_kind: "bash",
          canonical: "rm a",
          hint: "This changes something; put it into the plan and ask for approval.",
        },
        {
          id: 3,
          allowed: false,
          code: "plan-mode/read-only",
          tool_kind: "file_edit",
          hint: "This tool changes something; put it into the plan.",
        },
        { id: 4, allowed: true, code: "read-only", tool_kind: "read_only", hint: "" },
        {
          id: null,
          allowed: false,
          code: "unknown-tool",
          tool_kind: "dispatch",
          hint: "There is no such tool; what is unknown is blocked.",
        },
      ],
    });
  });

  it("[GA-11, AE-02] judges the configuration tool by its action, in both modes", async () => {
    const mode = "accept-edits";
    const { answers } = await checked(
      ...["read", "propose", "apply"].map((action) => ({ tool: "config", args: { action, path: "logging" } })),
      ...["read", "propose", "apply"].map((action) => ({ tool: "config", args: { action, path: "logging" }, mode })),
    );
    expect(answers.map(({ allowed, tool_kind }) => [allowed, tool_kind])).toEqual(
      [true, true, false, true, true, false].map((allowed) => [allowed, "config"]),
    );
  });

  it("[GA-04, GA-07, GA-11] names a tool that nobody classified as the gate does: a channel and a verb are outbound", async () => {
    const { answers } = await checked({ tool: "telegram.send", args: {} }, { tool: "frobnicate", args: {} });
    expect(answers.map(({ allowed, tool_kind }) => [allowed, tool_kind])).toEqual([
      [false, "outbound"],
      [false, "dispatch"],
    ]);
  });

  it("[GA-11] knows every tool of every bundled plugin, as the gate does", async () => {
    const { answers } = await checked(
      { tool: "cron", args: { action: "add", every_ms: 60_000, message: "look" } },
      { tool: "cron", args: { action: "list" } },
    );
    expect(answers.map(({ allowed, code, tool_kind }) => [allowed, code, tool_kind])).toEqual([
      [false, "plan-mode/read-only", "schedule"],
      [true, "read-only", "schedule"],
    ]);
    const facts = createToolFacts();
    const none = (): never => {
      throw new Error("nothing runs here");
    };
    const house = { scheduler: none, session: none, commands: none, channels: none, library: none, home: "" };
    const { tools } = loadPlugins(bundledPlugins(house));
    expect(tools.length).toBeGreaterThan(0);
    for (const { name, kind } of tools) expect(await facts(name, {})).toMatchObject({ kind });
  });

  it("[GA-11, AE-02, AE-04, AE-06] judges by the accept-edits rules too", async () => {
    const mode = "accept-edits";
    const { answers } = await checked(
      exec("rm -rf x", { mode }),
      exec("rmate x", { mode }),
      { tool: "edit", args: { path: "~/.holdpoint/config.yaml" }, mode },
      { tool: "write", args: { path: "src/a.ts" }, mode },
      { tool: "apply_patch", args: { patch: "*** Begin Patch\n*** Delete File: ~/.codex/x\n*** End Patch" }, mode },
      { tool: "write", args: {}, mode },
    );
    expect(answers.map(({ allowed, code }) => [allowed, code])).toEqual([
      [false, "removes"],
      [true, "allowed"],
      [false, "protected-path"],
      [true, "allowed"],
      [false, "protected-path"],
      [false, "invalid-arguments"],
    ]);
  });

  it.each([
    ["garbage", 1],
    ["[]", 1],
    ['{"args": {}}', 1],
    ['{"tool": "exec", "args": []}', 1],
    ['{"tool": "exec", "args": {"command": "ls"}, "mode": "yolo"}', 1],
    ['{"tool": "exec", "args": {"command": "ls"}, "cwd": 7}', 1],
  ])("[GA-08, GA-11] answers the bad line %s with its number, and goes on", async (bad, exit) => {
    const { code, answers } = await checked("", exec("ls"), bad, exec("ls"));
    expect(code).toBe(exit);
    expect(answers).toMatchObject([
      { allowed: true },
      { line: 3, allowed: false, code: "bad-line" },
      { allowed: true },
    ]);
  });

  it.each([
    ["a number", 7],
    ["nothing", null],
    ["an empty text", ""],
    ["blanks", "   "],
    ["9,000 characters", "x".repeat(9_000)],
    ["a NUL", "a\u0000b"],
  ])("[GA-08] refuses %s for a command", async (_what, command) => {
    expect((await checked(exec(command))).answers).toMatchObject([{ allowed: false }]);
  });

  it("[GA-08] refuses arguments beyond the limit, and survives a line beyond it", async () => {
    const { answers } = await checked(
      { tool: "read", args: { path: "x".repeat(200_000) } },
      `{"tool": "exec", "args": {"command": "${"x".repeat(1_100_000)}"}}`,
      exec("ls"),
    );
    expect(answers).toMatchObject([{ code: "too-long" }, { line: 2, code: "bad-line" }, { allowed: true }]);
  });

  it("[GA-03, GA-11] knows the tools of the gateway, reading skills among them", async () => {
    const facts = createToolFacts();
    expect(await facts("read_skill", { name: "x" })).toEqual({ kind: "read_only", effect: "read" });
    expect(await facts("process", { action: "kill", id: "x" })).toMatchObject({ effect: "write" });
    expect(await facts("format_disk", {})).toBeUndefined();
  });

  it("[GA-03, GA-11] knows the commonest tools by heart, and knows them rightly", async () => {
    const facts = createToolFacts();
    for (const [tool, known] of Object.entries(KNOWN)) expect(await facts(tool, {})).toEqual(known);
  });

  it("[GA-11] does not run ahead of a slow reader", async () => {
    const { context: given, stdin, stdout, said } = context();
    const running = checkGate(given);
    for (let batch = 0; batch < 20; batch++) stdin.write(`${JSON.stringify(exec("ls"))}\n`.repeat(500));
    await expect.poll(() => stdout.writableNeedDrain).toBe(true);
    stdin.end();
    let count = 0;
    stdout.on("data", (text: Buffer) => void (count += text.toString().split("\n").length - 1));
    expect(await running).toBe(0);
    expect(count + said().split("\n").length - 1).toBe(10_000);
  });

  it("[GA-11] reads lines that are cut anywhere, characters too", async () => {
    const input = new PassThrough();
    const bytes = Buffer.from("é1\r\n€2\n3");
    for (const byte of bytes) input.write(Buffer.from([byte]));
    input.end();
    const lines: unknown[] = [];
    for await (const some of linesOf(input)) lines.push(...some);
    expect(lines).toEqual([
      { number: 1, text: "é1", tooLong: false },
      { number: 2, text: "€2", tooLong: false },
      { number: 3, text: "3", tooLong: false },
    ]);
  });

  it("[GA-11] is there on the command line", () => {
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const input = `${JSON.stringify(exec("ls -la"))}\n`;
    expect(JSON.parse(execFileSync(process.execPath, [main, "gate", "check"], { input, encoding: "utf8" }))).toEqual({
      id: "x",
      allowed: true,
      code: "read-only",
      tool_kind: "bash",
      canonical: "ls -la",
      hint: "",
    });
  });
});

describe("holdpoint gate explain", () => {
  it("[GA-11] shows the verdict, the rule of each command, and the tree", async () => {
    const { context: given, said } = context();
    expect(await explainGate("cat a | sort > b", given)).toBe(0);
    const text = said();
    for (const part of ["blocked (redirect-write", "cat a  ← read-only rule", "pipeline", "accept-edits  allowed"]) {
      expect(text).toContain(part);
    }
  });

  it("[GA-11] says the same to programs", async () => {
    const { context: given, said } = context({ json: true });
    await explainGate("echo $(rm x)", given);
    expect(JSON.parse(said())).toMatchObject({
      plan: { allowed: false, code: "known-write", verdict: "writes" },
      acceptEdits: { allowed: false, code: "removes" },
      commands: [{ name: "echo" }, { name: "rm" }],
    });
  });
});

describe("holdpoint gate doctor", () => {
  function home(planMode: JsonObject, more: JsonObject = {}): Record<string, string> {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-doctor-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const agents = { defaults: { model: "demo", planMode } };
    writeFileSync(join(folder, "config.yaml"), JSON.stringify({ agents, ...more }), { mode: 0o600 });
    writeFileSync(join(folder, "secrets.yaml"), "TEA_TOKEN: oolong\n", { mode: 0o600 });
    return { HOLDPOINT_HOME: folder, PATH: process.env["PATH"] ?? "" };
  }
  const server = (kind: string, more: JsonObject = {}): JsonObject => ({
    command: process.execPath,
    args: [fileURLToPath(new URL("../../../test/kit/mcp-server.ts", import.meta.url)), "stdio", kind],
    ...more,
  });
  type Told = { ok: boolean; attempts: { source: string; what: string; held: boolean; detail: string }[] };

  it("[GA-11, GA-13, GW-04, I01] proves by trying that every tool source is held, MCP servers, skills, plugins and what was approved included", async () => {
    const servers = {
      stranger: server("usual", { env: { TOKEN: "${TEA_TOKEN}" } }), // needs a secret of the person's own folder
      odd: server("hostile"),
      friend: server("usual", { trusted: true }),
    };
    const { context: given, said } = context({ json: true, env: home({ enabled: true }, { mcp: { servers } }) });
    expect(await gateDoctor({ agents: false }, given)).toBe(0);
    const { ok, attempts } = JSON.parse(said()) as Told;
    expect([ok, attempts.filter(({ held }) => !held)]).toEqual([true, []]);
    const sources = new Set(attempts.map(({ source }) => source));
    expect([...sources]).toEqual(
      expect.arrayContaining(["exec", "write", "edit", "apply_patch", "unknown tool", "state folder", "decision"]),
    );
    expect([...sources]).toEqual(expect.arrayContaining(["mcp stranger", "mcp odd", "mcp friend", "read_skill"]));
    expect([...sources]).toEqual(expect.arrayContaining(["plugin", "reading", "approved"]));
    const of = (wanted: string) => attempts.filter(({ source }) => source === wanted).map(({ detail }) => detail);
    expect(new Set(of("mcp stranger"))).toEqual(new Set(["refused (plan-mode/read-only)"]));
    expect(new Set(of("mcp odd"))).toEqual(new Set(["refused (plan-mode/read-only)"]));
    expect(new Set(of("mcp friend"))).toEqual(new Set(["It only read.", "refused (plan-mode/read-only)"]));
    expect(of("read_skill")).toEqual(["It only read."]);
    const proven = ["signatures", "unattended", "standing plan", "workspaces", "redaction", "mcp"];
    expect([...sources]).toEqual(expect.arrayContaining(proven));
    expect(of("mcp")).toEqual([
      "it was called before, and then refused; one that says since that it only reads: refused",
    ]);
    expect(attempts.filter(({ what }) => what.startsWith("control:")).map(({ detail }) => detail)).toEqual([
      "it worked",
      "it worked",
      "it worked",
      "it worked",
    ]);
  });

  it("[GA-11, GA-13, GA-14] fails where runs are open or the sandbox is off, and claims nothing of one", async () => {
    const more = { automation: { unattended: "open" }, tools: { exec: { sandbox: "none" } } };
    const { context: given, said } = context({ env: home({ enabled: true }, more) });
    expect(await gateDoctor({ agents: false }, given)).toBe(1);
    const text = said().replaceAll(/\s+/g, " ");
    expect(text).toMatch(/FAIL +unattended/);
    expect(text).toMatch(/FAIL +approved +read the operator's token/);
    expect(text).toContain("runs without a sandbox");
    expect(text).not.toContain("in which the gateway's folder does not exist");
  });

  it("[GA-11] says so where a tool source could not be tried", async () => {
    const servers = { gone: server("dies", { startTimeoutSeconds: 1 }) };
    const { context: given, said } = context({ json: true, env: home({ enabled: true }, { mcp: { servers } }) });
    expect(await gateDoctor({ agents: false }, given)).toBe(1);
    const { attempts } = JSON.parse(said()) as Told;
    expect(attempts.filter(({ held }) => !held)).toMatchObject([{ source: "mcp gone", what: "call its tools" }]);
  });

  it("[GA-11, PL-02] fails where plan mode is off: then nothing is held", async () => {
    const { context: given, said } = context({ env: home({ enabled: false }) });
    expect(await gateDoctor({ agents: false }, given)).toBe(1);
    expect(said()).toContain("FAIL");
  });

  it("makes the smallest arguments that a schema takes", () => {
    const schema = {
      type: "object",
      required: ["a", "b", "c", "d", "e"],
      properties: {
        a: { type: "string" },
        b: { type: "integer", minimum: 3 },
        c: { enum: ["x", "y"] },
        d: { type: "array", minItems: 2, items: { type: "boolean" } },
        e: { anyOf: [{ type: "object", required: ["f"], properties: { f: { const: 1 } } }] },
        optional: { type: "string" },
      },
    };
    expect(sampleArgs(schema)).toEqual({ a: "gate-doctor", b: 3, c: "x", d: [false, false], e: { f: 1 } });
  });

  it("[GA-11] tries each way in which a tool can be called", () => {
    const action = { enum: ["list", "kill"] };
    const simple = { type: "object", required: ["action"], properties: { action, id: { type: "string" } } };
    expect(sampleVariants(simple)).toEqual([{ action: "list" }, { action: "kill" }]);
    const either = {
      type: "object",
      properties: { a: { type: "string" } },
      oneOf: [
        { required: ["a"] },
        { properties: { to: { const: "write" }, url: { type: "string", format: "uri" } }, required: ["to", "url"] },
      ],
    };
    expect(sampleVariants(either)).toEqual([
      { a: "gate-doctor" },
      { to: "write", url: "https://gate-doctor.invalid/" },
    ]);
    expect(sampleVariants({ type: "object" })).toEqual([{}]);
  });
});
