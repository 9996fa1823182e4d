/** `holdpoint code run --session`: the tools of a session, behind the session's own gate. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scriptedModel } from "../../../test/kit/scripted-model.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { wireClient } from "../../../test/kit/wire-client.ts";
import { startGateway } from "../../gateway.ts";
import { runProgram } from "../program.ts";

async function place() {
  const [home, workspace] = [join(temporaryFolder(), "home"), temporaryFolder()];
  const model = scriptedModel(() => ({ say: "seen" }));
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const person = await wireClient({ url: gateway.url, token: gateway.operatorToken });
  onTestFinished(async () => {
    person.close();
    await gateway.stop();
  });
  const { session } = await person.must("sessions.create", { agentId: "main", title: "", workspace });
  async function run(text: string, ...argv: string[]) {
    writeFileSync(join(home, "cell.js"), text);
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (written: string) => void (said[name] += written) });
    const { stdin, stdout } = process;
    const around = { stdin, terminal: stdout, cwd: home, env: { PATH: process.env["PATH"], HOLDPOINT_HOME: home } };
    const given = ["code", "run", "cell.js", "--session", session.id, ...argv];
    const exit = await runProgram(given, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
    return { exit, ...said };
  }
  return { run, person, sessionId: session.id, workspace };
}

const WRITE = "return await tools.call('holdpoint:core:write', { path: 'made.txt', content: 'x' })";

it("[CM-02, CM-04, GA-02, GA-14] 174, 175: the tools of a session are lent, and its gate holds them", async () => {
  const { run, person, sessionId, workspace } = await place();
  const looked = await run(
    "text('hi'); return [ALL_TOOLS.length > 3, (await tools.glob({ pattern: '*' })).folder]",
    "--json",
  );
  expect([looked.exit, JSON.parse(looked.stdout)]).toMatchObject([
    0,
    {
      status: "completed",
      value: [true, "."],
      output: [{ type: "text", text: "hi" }],
      telemetry: { visibleTools: [], toolIds: ["holdpoint:core:glob"], counts: { call: 1 } },
    },
  ]);

  await person.must("sessions.patch", { sessionId, planMode: "plan" });
  const refused = await run(WRITE, "--json");
  expect([refused.exit, JSON.parse(refused.stdout)]).toMatchObject([
    1,
    { status: "failed", code: "nested_tool_failed", error: expect.stringContaining("plan mode") },
  ]);
  expect(existsSync(join(workspace, "made.txt"))).toBe(false);

  await person.must("sessions.patch", { sessionId, planMode: "normal" });
  expect(await run(WRITE)).toMatchObject({ exit: 1, stderr: expect.stringContaining("nobody attends this run") });
  expect(existsSync(join(workspace, "made.txt"))).toBe(false);
  expect(await run("await yield_control(); return 1")).toMatchObject({ exit: 9 });

  const { items } = await person.must("chat.history", { sessionId, before: null, limit: 50 });
  const calls = items.flatMap(({ entry }) =>
    entry.kind === "call-result" ? [[entry.tool, entry.status, entry.caller.kind]] : [],
  );
  expect(calls).toEqual([
    ["glob", "ok", "external"],
    ["write", "refused", "external"],
    ["write", "refused", "external"],
  ]);
  expect((await person.must("sessions.get", { sessionId })).session).not.toHaveProperty("callers");
});

it("[CM-02] 176: a session that is not there is said, and nothing is run", async () => {
  const { run } = await place();
  expect(await run("return 1", "--session", `ses_${"x".repeat(22)}`)).toMatchObject({
    exit: expect.toSatisfy((exit) => exit !== 0),
    stdout: "",
  });
  const asked = await run("return 1", "--session", `ses_${"x".repeat(22)}`, "--json");
  expect([asked.exit, JSON.parse(asked.stdout)]).toMatchObject([1, { status: "failed", code: "invalid_input" }]);
});
