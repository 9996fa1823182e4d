/** The self-test of an installation, and scenario files from the command line. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { startTestGateway, type TestGateway } from "../../src/testing/index.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { agents: { defaults: { planMode: { enabled: false } } } } });
});
afterAll(async () => gateway.stop());

async function holdpoint(...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const { stdin, stdout } = process;
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home };
  const around = { stdin, terminal: stdout, cwd: gateway.workspace, env };
  const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...said };
}

it("[QA-03] holdpoint plan self-test plays a whole plan on the running gateway and leaves nothing behind", async () => {
  const before = { files: readdirSync(gateway.home), rows: await gateway.client.call("audit.list", {}) };
  const { code, stdout } = await holdpoint("plan", "self-test", "--json");
  const report = JSON.parse(stdout) as { ok: boolean; steps: { step: string; ok: boolean }[]; notes: string[] };
  expect(report.steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.steps.map(({ step }) => step)).toEqual([
    "store",
    "start",
    "enter",
    "hold",
    "submit",
    "approve",
    "execute",
    "complete",
    "audit",
    "clean",
  ]);
  expect([code, report.ok, report.notes]).toEqual([
    0,
    true,
    ["Plan mode is switched off in the configuration; it was on for this test."],
  ]);
  expect(readdirSync(gateway.home)).toEqual(before.files);
  expect(await gateway.client.call("audit.list", {})).toEqual(before.rows);
  expect((await gateway.client.call("sessions.list", {})).sessions).toEqual([]);
});

it("[QA-03] the self-test and scenarios work in folders of their own, whatever workspace the settings name", async () => {
  const precious = join(gateway.workspace, "precious");
  mkdirSync(precious);
  writeFileSync(join(precious, "self-test.txt"), "precious\n");
  await gateway.client.call("config.set", { path: "agents.defaults.workspace", value: precious });
  try {
    const { code, stdout } = await holdpoint("plan", "self-test");
    expect([code, stdout]).toEqual([0, expect.stringContaining("Passed")]);
    const agents = { defaults: { workspace: precious }, list: [{ id: "main", workspace: precious }] };
    const model = [{ calls: [{ tool: "write", args: { path: "self-test.txt", content: "mine" } }] }, { say: "ok" }];
    const steps = [{ say: "go" }, { rest: true }, { expect: { files: { "self-test.txt": "mine" } } }];
    writeFileSync(
      join(gateway.workspace, "set.yaml"),
      JSON.stringify({ name: "its own", settings: { agents }, model, steps }),
    );
    expect((await holdpoint("scenario", "run", "set.yaml")).stdout).toContain("ok   its own");
    expect(readdirSync(precious)).toEqual(["self-test.txt"]);
    expect(readFileSync(join(precious, "self-test.txt"), "utf8")).toBe("precious\n");
  } finally {
    await gateway.client.call("config.unset", { path: "agents.defaults.workspace" });
  }
});

it("[QA-03] /plan self-test says the same in a chat, to those who may decide", async () => {
  const session = await gateway.session();
  expect(await session.run("/plan self-test")).toMatch(/^The self-test passed in \d+ ms: store, start, .*clean\./);
  const rita = await gateway.person({ name: "rita", scopes: ["operator.read"] });
  await expect((await rita.session(session.id)).run("/plan self-test")).rejects.toMatchObject({ code: "FORBIDDEN" });
});

it("[QA-02] holdpoint scenario run says which scenarios hold, and what is wrong with a file", async () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(gateway.workspace, name), text);
    return name;
  };
  const holds = "name: holds\nsteps: [{ run: /status, reply: agent main }]\n";
  const fails = "name: does not\nsteps: [{ run: /plan on }]\n";
  const both = await holdpoint("scenario", "run", file("both.yaml", `${holds}---\n${fails}`));
  expect(both.code).toBe(1);
  expect(both.stdout).toMatch(/ok {3}holds \(\d+ ms\)/);
  expect(both.stdout).toContain("FAIL does not");
  expect(both.stdout).toContain("step 1 (run): refused: PLAN_MODE_DISABLED");
  expect(both.stdout).toContain("1 of 2 scenarios hold.");
  expect((await holdpoint("scenario", "run", "both.yaml", "--only", "holds")).code).toBe(0);
  const plan = [{ step: "Look", status: "pending", proof: { by: "person" } }];
  const model = [{ calls: [{ tool: "exit_plan_mode", args: { title: "Odd", plan } }] }, { say: "ok" }];
  const settings = { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } };
  const steps = [{ say: "go" }, { rest: true }, { expect: { result: { tool: "exit_plan_mode", status: "ok" } } }];
  const why = JSON.stringify({ name: "why", settings, model, steps });
  expect((await holdpoint("scenario", "run", file("why.yaml", why))).stdout).toMatch(
    /status of exit_plan_mode is "error", expected "ok": .*proof/,
  );
  const odd = await holdpoint("scenario", "run", file("odd.yaml", "name: odd\nsteps: [{ shout: hello }]\n"));
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("odd.yaml: scenario 1")]);
  const outside = "name: outside\nfiles: { ../x.txt: a }\nsteps: [{ say: hello }]\n";
  expect((await holdpoint("scenario", "run", file("outside.yaml", outside))).stderr).toContain(
    "outside of the workspace",
  );
  expect((await holdpoint("scenario", "run", "none.yaml")).code).toBe(2);
});
