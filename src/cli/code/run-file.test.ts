import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { runProgram } from "../program.ts";

async function code(text: string | undefined, ...argv: string[]) {
  const folder = temporaryFolder();
  const file = argv.includes("--ts") ? "cell.ts" : argv.includes("--tsx") ? "cell.tsx" : "cell.js";
  if (text !== undefined) writeFileSync(join(folder, file), text);
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (written: string) => void (said[name] += written) });
  const { stdin, stdout } = process;
  const around = {
    stdin,
    terminal: stdout,
    cwd: folder,
    env: { HOLDPOINT_HOME: folder },
    stdout: stream("stdout"),
    stderr: stream("stderr"),
  };
  const rest = argv.filter((word) => word !== "--ts" && word !== "--tsx");
  const exit = await runProgram(["code", "run", text === undefined ? "missing.js" : file, ...rest], around);
  return { exit, ...said, result: argv.includes("--json") ? (JSON.parse(said.stdout) as unknown) : undefined };
}

describe("holdpoint code run", () => {
  it("[CM-02] 174, 175: prints one object of the result union, with the output in it and no tools", async () => {
    const cell =
      "console.log('hi'); return { tools: ALL_TOOLS, found: await tools.search('x') } as { tools: unknown[] }";
    const { exit, stdout, result } = await code(cell, "--ts", "--json", "--memory-mb", "16");
    expect([exit, stdout.trim().split("\n").length]).toEqual([0, 1]);
    expect(result).toEqual({
      status: "completed",
      value: { tools: [], found: [] },
      output: [{ type: "text", text: "hi" }],
      telemetry: {
        visibleTools: [],
        catalog: { size: 0, bySource: {} },
        counts: { exec: 1, wait: 0, search: 1, describe: 0, call: 0 },
        toolIds: [],
        limits: { timeout: false, memory: false, snapshot: false, output: false },
        ms: expect.any(Number),
      },
    });
  });

  it("[CM-02] 174: for people it prints output, value and error, and ends with 1 for a failure", async () => {
    expect(await code("text('one'); json({ two: 2 }); return [3]")).toMatchObject({
      exit: 0,
      stdout: 'one\n{"two":2}\n[3]\n',
    });
    expect(await code("text('one'); throw new Error('bad')")).toMatchObject({
      exit: 1,
      stdout: "one\n",
      stderr: expect.stringContaining("Error: bad"),
    });
  });

  it("[CM-02] 175: what waits ends with an exit of its own, as nobody resumes it", async () => {
    expect(await code("await yield_control(); return 1", "--json")).toMatchObject({
      exit: 9,
      result: { status: "waiting", reason: "yield", runId: expect.stringMatching(/^cell_/) },
    });
  });

  it.each([
    [["--language", "ruby"], "unsupported_language"],
    [["--timeout-ms", "soon"], "invalid_input"],
    [["--memory-mb", "-5"], "invalid_input"],
  ])("[CM-02] 176: %j is a usage error", async (argv, why) => {
    const { exit, stderr, result } = await code("return 1", "--json", ...argv);
    expect([exit, result]).toMatchObject([2, { status: "failed", code: why }]);
    expect(stderr).toContain(why);
    expect(await code("return 1", ...argv)).toMatchObject({ exit: 2, stdout: "" });
  });

  it("[CM-02] 176: a file that cannot be read is a usage error", async () => {
    expect(await code(undefined, "--json")).toMatchObject({
      exit: 2,
      result: { status: "failed", code: "invalid_input" },
    });
  });

  it("[CM-02] 40, 176: of a file without an end only as much is read as a program may hold", async () => {
    const told = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof told) => ({ write: (written: string) => void (told[name] += written) });
    const { stdin, stdout: terminal } = process;
    const around = { stdin, terminal, cwd: "/", env: {}, stdout: stream("stdout"), stderr: stream("stderr") };
    expect(await runProgram(["code", "run", "/dev/zero", "--json"], around)).toBe(2);
    expect(JSON.parse(told.stdout)).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: expect.stringContaining("1048576 bytes"),
    });
  });

  it("[CM-08] 131: a .tsx file is TypeScript", async () => {
    expect(await code("const one: number = 1; return one", "--tsx")).toMatchObject({ exit: 0, stdout: "1\n" });
  });

  it.each([
    [`ses_${"x".repeat(22)}`, 3, "runtime_unavailable"],
    ["none", 2, "invalid_input"],
  ])("[CM-02] 174, 176: with a session and without a gateway it prints one object, too: %s", async (id, exit, why) => {
    const ran = await code("return 1", "--json", "--session", id);
    expect([ran.exit, ran.stdout.trim().split("\n").length, ran.result]).toMatchObject([
      exit,
      1,
      { status: "failed", code: why, error: expect.stringMatching(/./), telemetry: { limits: { timeout: false } } },
    ]);
    expect(ran.stderr).not.toBe("");
  });
});
