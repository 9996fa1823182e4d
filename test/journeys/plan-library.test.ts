/** Plans as files and as a library, on one whole gateway. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { runProgram } from "../../src/cli/program.ts";
import { startTestGateway, type TestGateway } from "../../src/testing/index.ts";
import { shownCommand } from "../kit/accept-command.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } },
    script: ({ entries }) => {
      const asked = entries.findLast((entry) => entry.kind === "input")?.text ?? "";
      const title = /Plan: ([^\n]*)/.exec(asked)?.[1];
      if (title === undefined) return { say: "ok" };
      const plan = [{ step: "Change src/pay.ts for #42", status: "pending" }];
      return { calls: [{ tool: "exit_plan_mode", args: { title, plan } }] };
    },
  });
});
afterAll(async () => gateway.stop());

const folder = (): string => join(gateway.home, "agents", "main", "plans");
/** Without those that are being written; the folder comes with the first. */
const files = (): string[] =>
  existsSync(folder()) ? readdirSync(folder()).filter((name) => !name.startsWith(".")) : [];

it("[ST-01] every submission becomes a Markdown file below the agent's folder, by a durable order", async () => {
  const session = await gateway.session();
  await session.say("Plan: Move the payments");
  await session.until("plan.submitted");
  await session.say("/plan revise smaller steps\nPlan: Move the payments");
  await session.until("plan.submitted", 2);
  await session.when(() => files().length === 2);
  const names = ["plan-2026-01-05-move-the-payments-2.md", "plan-2026-01-05-move-the-payments.md"];
  expect(files().toSorted()).toEqual(names);
  const text = readFileSync(join(folder(), names[1] ?? ""), "utf8");
  expect(text).toContain("Move the payments");
  expect(text).toContain("Change src/pay.ts");
  expect(text).toContain("Revision: 1");
});

it("[ST-01] a folder that cannot be written costs the file alone: people are told, and the plan is approved", async () => {
  const session = await gateway.session();
  mkdirSync(folder(), { recursive: true });
  const taken = [
    "plan-2026-01-05-no-room.md",
    ...Array.from({ length: 98 }, (_, n) => `plan-2026-01-05-no-room-${n + 2}.md`),
  ];
  for (const name of taken) writeFileSync(join(folder(), name), "somebody's");
  await session.say("Plan: No room");
  await session.until("library.file_lost");
  expect((await session.notices()).join("\n")).toContain("this plan has no copy as a file");
  await session.say(shownCommand(await session.view(), "approve"));
  await session.until("plan.approved");
  expect(PlanModeState.parse((await session.view()).slices["planMode"]).now.phase).toBe("executing");
});

it("[BY-10] plans are found by words, outcome and person, tagged, linked, exported without secrets, and reused", async () => {
  const session = await gateway.session();
  await session.say("Plan: Rotate keys #security\nwith password=hunter22");
  await session.until("plan.submitted");
  const search = async (query: string) => (await gateway.client.call("library.search", { query })).plans;
  await session.when(async () => typeof (await search("rotate"))[0]?.file === "string"); // a search may come before the file
  const [found] = await search("rotate tag:security #42 file:pay.ts status:pending");
  if (found === undefined) throw new Error("not found");
  expect(found).toMatchObject({ sessionId: session.id, agentId: "main", revision: 1, outcome: "pending", steps: 1 });
  expect(found.file).toBe("plan-2026-01-05-rotate-keys-security.md");
  const { planId } = found;
  await session.say(shownCommand(await session.view(), "approve"));
  await session.until("plan.approved");
  await session.when(async () => (await search("rotate status:approved person:local")).length === 1);
  await gateway.client.call("library.tag", { planId, add: ["Q3"], remove: [] });
  const { plan } = await gateway.client.call("library.link", { planId, link: "acme/pay#77" });
  expect([plan.tags, plan.links]).toEqual([
    ["security", "q3"],
    ["acme/pay#77", "#42"],
  ]);
  expect(plan.added).toEqual({ tags: ["q3"], links: ["acme/pay#77"] }); // the others stand in the plan, and stay
  expect(await search("tag:q3 acme/pay#77 status:approved")).toMatchObject([{ planId }]);
  await session.say("/plan off");
  await session.when(async () => (await search("rotate status:left tag:q3")).length === 1);
  const { text } = await gateway.client.call("library.export", { planId, format: "json" });
  expect(text).not.toMatch(/"local"|ses_/);
  const template = await gateway.client.call("library.template", { planId });
  expect(template.text).toContain("1. Change src/pay.ts for #42");
  const unknown = gateway.client.call("library.get", { planId: "pln_none" });
  await expect(unknown).rejects.toMatchObject({ code: "PLAN_NOT_FOUND" });
});

it("[BY-10] a plan whose session was deleted or reset waits for nobody: library and export say so, and offer no decision", async () => {
  const search = async (query: string) => (await gateway.client.call("library.search", { query })).plans;
  const waiting = async (title: string) => {
    const session = await gateway.session();
    await session.say(`Plan: ${title}`);
    await session.until("plan.submitted");
    await session.when(async () => typeof (await search(title))[0]?.file === "string");
    return session;
  };
  const deleted = await waiting("Drain the pond");
  const [before] = await search("pond status:pending");
  if (before === undefined) throw new Error("not found");
  const { planId, ...known } = before;
  await gateway.client.call("library.tag", { planId, add: ["Water"], remove: [] });
  await gateway.client.call("sessions.delete", { sessionId: deleted.id });
  await deleted.when(async () => (await search("pond status:left agent:main")).length === 1);
  expect(await search("pond status:pending")).toEqual([]);
  expect(await search("pond")).toEqual([
    { planId, ...known, tags: ["water"], added: { tags: ["water"], links: [] }, outcome: "left", sessionDeleted: true },
  ]);
  for (const method of ["library.export", "plans.export"] as const) {
    const { text } = await gateway.client.call(method, { planId, format: "markdown" });
    expect(text).toContain("Its session was deleted: nothing can be decided on this plan any more.");
    expect(text).not.toContain("/plan accept");
  }
  const opened = await holdpoint("plans", "open", planId);
  expect(opened.stdout).toContain("Its session was deleted: nothing can be decided on this plan any more.");
  const reset = await waiting("Fill the moat");
  await gateway.client.call("sessions.reset", { sessionId: reset.id });
  await reset.when(async () => (await search("moat status:left")).length === 1);
  expect((await search("moat"))[0]).not.toHaveProperty("sessionDeleted");
});

async function holdpoint(...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const { stdin, stdout } = process;
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home };
  const around = { stdin, terminal: stdout, cwd: gateway.workspace, env };
  const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
  return { code, ...said };
}

it("[BY-10, GW-08] holdpoint plans searches, opens, tags, exports and reuses, in words and as JSON", async () => {
  const session = await gateway.session();
  await session.say("Plan: Prune the orchard");
  await session.until("plan.submitted");
  const search = async () => (await gateway.client.call("library.search", { query: "orchard" })).plans;
  await session.when(async () => (await search()).length === 1);
  const first = await holdpoint("plans", "search", "orchard", "--json");
  if (first.code !== 0) throw new Error(first.stderr);
  const found = JSON.parse(first.stdout) as {
    plans: { planId: string }[];
  };
  const planId = found.plans[0]?.planId ?? "";
  expect(await holdpoint("plans", "search", "orchard", "--status", "pending")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Prune the orchard"),
  });
  expect((await holdpoint("plans", "search", "nothing-like-it")).stdout).toBe("No plan matches.\n");
  expect((await holdpoint("plans", "search", "--status", "lost")).code).toBe(2);
  expect((await holdpoint("plans", "tag", planId, "#Garden")).stdout).toBe("Tags: garden\n");
  expect((await holdpoint("plans", "link", planId, "acme/farm#3")).stdout).toContain("acme/farm#3");
  expect((await holdpoint("plans", "link", planId, "javascript:alert(1)")).code).toBe(2);
  const opened = await holdpoint("plans", "open", planId);
  expect(opened.stdout).toContain("Change src/pay.ts");
  expect(opened.stdout).toContain("plan-2026-01-05-prune-the-orchard.md");
  expect((await holdpoint("plans", "export", planId, "--out", "orchard.md")).code).toBe(0);
  expect(readFileSync(join(gateway.workspace, "orchard.md"), "utf8")).toContain("Prune the orchard");
  expect((await holdpoint("plans", "export", planId, "--out", "orchard.md")).stderr).toContain("could not be written");
  const elsewhere = join(gateway.home, "orchard.html");
  const whole = await holdpoint("plans", "export", planId, "--format", "html", "--out", elsewhere);
  expect([whole.code, existsSync(elsewhere)]).toEqual([0, true]);
  const reused = JSON.parse((await holdpoint("plans", "reuse", planId, "--json")).stdout) as { sessionId: string };
  const { session: begun } = await gateway.client.call("sessions.get", {
    sessionId: reused.sessionId,
  });
  expect(begun.title).toBe("Prune the orchard");
  expect((await holdpoint("plans", "open", "nothing")).code).toBe(2);
});

it("[ST-03, GW-08] holdpoint plans shared keeps a plan for several sessions, and refuses what could lead elsewhere", async () => {
  expect((await holdpoint("plans", "shared", "team")).stdout).toBe("There is no shared plan of this name.\n");
  await holdpoint("plans", "shared", "team", "Write the tests", "Ship it");
  const changed = await holdpoint("plans", "shared", "team", "done: Write the tests");
  expect(changed.stdout).toBe("[x] Write the tests (local)\n[ ] Ship it (local)\n");
  expect(JSON.parse(readFileSync(join(gateway.home, "plans", "team", "plan.json"), "utf8"))).toMatchObject({
    namespace: "team",
    steps: [{ step: "Write the tests", status: "completed", updatedBy: "local" }, { step: "Ship it" }],
  });
  expect((await holdpoint("plans", "shared")).stdout).toMatch(/team +1 of 2 done +\S+Z local/);
  for (const name of ["..", "a/b", "nul"]) expect((await holdpoint("plans", "shared", name, "x")).code).toBe(2);
});

it("[ST-04] by a setting, an approved plan and its progress stand in the workspace, and are read back after plan mode was left", async () => {
  await gateway.client.call("config.set", { path: "workUnits.enabled", value: true });
  const session = await gateway.session();
  const { id: sessionId } = session;
  await session.say("Plan: Mirror the barn");
  await session.until("plan.submitted");
  await session.say(shownCommand(await session.view(), "approve"));
  const units = async () => (await gateway.client.call("plans.workUnits", { sessionId })).units;
  await session.when(async () => (await units()).length === 1);
  expect(await units()).toMatchObject([{ unit: "mirror-the-barn", sessionId, status: "executing" }]);
  const unit = join(gateway.workspace, ".holdpoint", "work", "mirror-the-barn");
  expect(readFileSync(join(unit, "plan.md"), "utf8")).toContain("Change src/pay.ts");
  await session.say("/plan off");
  await session.when(async () => (await units())[0]?.status === "left");
  expect(await units()).toMatchObject([{ steps: [{ step: "Change src/pay.ts for #42" }] }]);
  const shown = await holdpoint("plans", "work", "mirror-the-barn", "--session", sessionId);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("Change src/pay.ts") });
  expect((await holdpoint("plans", "work", "nothing", "--session", sessionId)).code).toBe(2);
});
