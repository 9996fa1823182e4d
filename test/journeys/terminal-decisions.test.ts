/** What people decide about steps, proofs and questions, and look up later, from a terminal that runs one command at a time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { PlanId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { startTestGateway, type TestGateway, type TestSession } from "../../src/testing/index.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } },
    script: ({ entries }) => {
      const last = entries.at(-1);
      const [, tool, args] = /^do (\S+) (\{.*\})$/m.exec(last?.kind === "input" ? last.text : "") ?? [];
      return tool === undefined ? { say: "ok" } : { calls: [{ tool, args: JSON.parse(args ?? "{}") as JsonObject }] };
    },
  });
});
afterAll(async () => gateway.stop());

const holdpoint = (...argv: string[]) => holdpointAs(undefined, ...argv);

async function holdpointAs(token: string | undefined, ...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const { stdin, stdout } = process;
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home, NO_COLOR: "1", HOLDPOINT_TOKEN: token };
  const around = { stdin, terminal: stdout, cwd: gateway.workspace, env };
  const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...said };
}

const submission = (title: string, steps: readonly JsonObject[]): string =>
  `do exit_plan_mode ${JSON.stringify({ title, plan: steps.map((step) => ({ status: "pending", ...step })) })}`;

async function submitted(
  session: TestSession,
  steps: readonly JsonObject[],
  title = "Paint the shed",
): Promise<string> {
  await session.say(submission(title, steps));
  await session.atRest();
  const { now } = PlanModeState.parse((await session.view()).slices["planMode"]);
  if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
  return now.submission.planId;
}

const nowOf = async (session: TestSession) => PlanModeState.parse((await session.view()).slices["planMode"]).now;

it("[BY-05, GW-08] accepts steps, holds and skips others, and shows what is held", async () => {
  const session = await gateway.session();
  const on = ["--session", session.id];
  const plan = await submitted(session, [{ step: "Buy paint" }, { step: "Paint" }, { step: "Clean up" }]);
  expect((await holdpoint("plan", "skip", "3", ...on)).stderr).toContain("No plan is being carried out");
  expect((await holdpoint("plan", "accept", "--plan", plan, "--steps", "all", ...on)).code).toBe(2);
  expect((await holdpoint("plan", "accept", "--plan", plan, "--steps", "1-2", ...on)).code).toBe(0);
  expect(await nowOf(session)).toMatchObject({ phase: "executing", held: [3] });
  const shown = (await holdpoint("plan", "show", plan)).stdout;
  const accepts = `holdpoint plan accept --steps 3 --session ${session.id}`;
  expect(shown).toContain(`Held: steps 3. Accept them with: ${accepts}\n`);
  expect((await holdpoint("plan", "accept", "--steps", "3", ...on)).stdout).toContain("Accepted.");
  expect((await holdpoint("plan", "hold", "2-3", ...on)).stdout).toContain("Held.");
  expect((await holdpoint("plan", "skip", "2,3", ...on)).stdout).toContain("Skipped.");
  expect((await holdpoint("plan", "hold", "none", ...on)).code).toBe(2);
  expect((await nowOf(session)).steps.map(({ status }) => status)).toEqual(["pending", "cancelled", "cancelled"]);
});

it("[BY-04, GW-08] gives a person's word for a criterion, and waives a proof with a reason", async () => {
  const session = await gateway.session();
  const on = ["--session", session.id];
  const acceptanceCriteria = [
    { criterion: "it looks right", proof: { by: "person" } },
    { criterion: "it builds", proof: { by: "command", command: "make" } },
  ];
  const plan = await submitted(session, [{ step: "Paint", acceptanceCriteria }]);
  await holdpoint("plan", "accept", "--plan", plan, ...on);
  expect((await session.run("/plan view")).split("\n").map((line) => line.trim())).toEqual(
    expect.arrayContaining(["[ ] 1.1 it looks right", "[ ] 1.2 it builds"]),
  );
  const confirmed = (await holdpoint("plan", "confirm", "1", ...on)).stdout;
  expect(confirmed).toContain("Confirmed. The agent is told.\n  1.1 it looks right\n");
  expect((await holdpoint("plan", "waive", "1.2", ...on)).code).toBe(2);
  const waived = (await holdpoint("plan", "waive", "1.2", "no", "compiler", "here", ...on)).stdout;
  expect(waived).toContain("Waived. The agent is told.\n  1.2 it builds\n");
  expect(await session.run("/plan waive 1.2 still no compiler here")).toContain('criterion 1.2, "it builds"');
  expect(await session.run("/plan view")).toMatch(
    /1\.2 it builds\n +waived by local at \S+Z: still no compiler here\n/,
  );
  const { text } = await gateway.client.call("plans.export", { planId: PlanId.parse(plan), format: "markdown" });
  expect(text).toContain("no compiler here");
});

it("[GW-08, PL-10] names the session in the commands that it offers: another one may be the last in use", async () => {
  const session = await gateway.session();
  const on = ["--session", session.id];
  await submitted(session, [{ step: "Paint" }]);
  const unnamed = (await holdpoint("plan", "accept", "0000", ...on)).stderr.replaceAll(/\s+/g, " "); // lines are wrapped
  expect(unnamed).toContain(`holdpoint plan show --session ${session.id}. `);
  expect(unnamed).toMatch(new RegExp(`holdpoint plan accept [0-9a-f]+ --session ${session.id}`));
});

it("[BY-07, GW-08] declines a question, and defers another, and neither is an answer", async () => {
  const session = await gateway.session();
  const on = ["--session", session.id];
  const ask = `do ask_user_question ${JSON.stringify({ question: "Which colour?", options: ["red", "blue"] })}`;
  for (const [verb, told] of [
    ["decline", "Declined."],
    ["defer", "Put off."],
  ] as const) {
    await session.say(ask);
    await session.atRest();
    const shown = (await holdpoint("sessions", "show", session.id)).stdout;
    expect(shown).toContain("    1. red\n    2. blue\n");
    expect(shown).toContain(`    Answer it with: holdpoint plan answer CHOICE --session ${session.id}\n`);
    expect((await holdpoint("plan", verb, "ask", "the", "owner", ...on)).stdout).toContain(told);
    await session.atRest();
  }
  expect((await holdpoint("plan", "defer", ...on)).stderr).toContain("No question waits");
});

it("[BY-02, GW-08] shows the call that a scoped plan holds, with its answers, and amends the plan by one of them", async () => {
  await gateway.client.call("config.set", { path: "agents.defaults.planMode.unlock", value: "scoped" });
  const session = await gateway.session();
  const on = ["--session", session.id];
  const plan = await submitted(session, [{ step: "Paint", scope: { paths: ["shed.txt"] } }]);
  await holdpoint("plan", "accept", "--plan", plan, ...on);
  await session.say(`do write ${JSON.stringify({ path: "other.txt", content: "x" })}`);
  await session.until("question.asked");
  const shown = (await holdpoint("sessions", "show", session.id)).stdout;
  expect(shown).toContain("    path: other.txt\n");
  expect(shown).toContain("    amend: Amend the plan\n    allow-once: Allow once\n    deny: Deny\n");
  expect((await holdpoint("plan", "answer", "amend", ...on)).stdout).toContain("Answered.");
  const { progress } = await gateway.client.call("plans.progress", { planId: PlanId.parse(plan) });
  expect(progress?.amendments).toMatchObject([{ add: { paths: ["other.txt"] }, by: { name: "local" } }]);
  await gateway.client.call("config.unset", { path: "agents.defaults.planMode.unlock" });
});

it("[ST-02, RV-02, RV-03] compares any two revisions, lists links, and opens a plan whose session is gone", async () => {
  const session = await gateway.session();
  const on = ["--session", session.id];
  const plans: string[] = [];
  for (const paint of ["red", "green", "blue"]) {
    plans.push(await submitted(session, [{ step: `Buy ${paint} paint` }], "Paint the barn"));
    if (paint !== "blue") await session.say("/plan revise another colour");
    await session.atRest();
  }
  const [, , newest = ""] = plans;
  const compared = (await holdpoint("plan", "diff", "--from", "1", ...on)).stdout;
  expect(compared).toContain("- 1. Buy red paint\n+ 1. Buy blue paint");
  expect((await holdpoint("plan", "diff", "--from", "2", "--to", "1", ...on)).stdout).toContain("+ 1. Buy red paint");
  expect((await holdpoint("plan", "diff", "--from", "9", ...on)).stderr).toContain("no such plan");
  expect(await session.run("/plan diff 1")).toContain("Revision 1 → 3");
  expect(await session.run("/plan diff 2 1")).toContain("Revision 2 → 1");
  await expect(session.run("/plan diff 9")).rejects.toThrow("no revision 9");
  await expect(session.run("/plan diff one")).rejects.toThrow("/plan diff");

  expect((await holdpoint("plan", "shares", ...on)).stdout).toBe("No link leads to a plan of this session.\n");
  const [, shareId = ""] = /unshare (\S+)/.exec((await holdpoint("plan", "share", newest)).stdout) ?? [];
  expect((await holdpoint("plan", "shares", ...on)).stdout).toMatch(new RegExp(`${shareId} +${newest} +local +until `));
  await holdpoint("plan", "unshare", shareId);
  expect((await holdpoint("plan", "shares", ...on)).stdout).toMatch(new RegExp(`${shareId} .*ended`));

  await gateway.client.call("sessions.delete", { sessionId: session.id });
  expect((await holdpoint("plans", "open", newest)).stdout).toContain("Buy blue paint");
  expect((await holdpoint("plan", "show", newest)).stdout).toContain("Buy blue paint");
});

// last: what limits approvals here is not taken back by one person
it("[GW-08, PL-10] names the session also in the command that lifts a hold", async () => {
  const session = await gateway.session();
  await submitted(session, [{ step: "Paint" }]);
  const scopes = ["operator.read", "operator.write", "operator.approvals"] as const;
  const { secret } = await gateway.client.call("tokens.create", { name: "Bob", scopes: [...scopes] });
  await gateway.client.call("config.set", { path: "agents.defaults.planMode.approvals", value: { quorum: 2 } });
  const left = (await holdpointAs(secret, "plan", "off", "--session", session.id)).stdout;
  expect(left).toContain(`until those who may approve run: holdpoint plan lift --session ${session.id}\n`);
});
