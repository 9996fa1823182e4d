import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PlanId } from "../../src/protocol/ids.ts";
import { machineSandbox } from "../../src/runner/sandbox.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const COMMAND =
  "echo built > out/app.js; ln keep.txt out/second.txt; echo more >> out/linked.txt; echo also > notes.txt";
const PLAN = {
  title: "Move the parser",
  plan: [
    { step: "Write it", scope: { paths: ["src/"], tools: ["sessions_spawn"] } },
    { step: "Build it", dependsOn: [1], scope: { paths: ["out/"], commands: [COMMAND] } },
  ],
};
const call = (tool: string, args: object): ScriptStep => ({ calls: [{ tool, args: args as never }] });
const write = (path: string): ScriptStep => call("write", { path, content: "x\n" });

it("[BY-02, BY-03, I16, GA-12] a scoped approval lets exactly what is declared through, for the agent, its commands and its helpers", async () => {
  const { start, person, workspace, home } = story();
  mkdirSync(home, { mode: 0o700 });
  for (const folder of ["src", "out"]) mkdirSync(join(workspace, folder));
  writeFileSync(join(workspace, "keep.txt"), "kept\n");
  linkSync(join(workspace, "keep.txt"), join(workspace, "out", "linked.txt")); // somebody made it before
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true, unlock: "scoped" } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ agents }), { mode: 0o600 });
  const family: { parent?: string } = {};
  const steps: Record<"parent" | "child", ScriptStep[]> = {
    parent: [
      call("exit_plan_mode", { ...PLAN, plan: [{ step: "All", scope: { paths: ["../x"] } }] }),
      call("exit_plan_mode", PLAN),
      write("src/parser.ts"),
      call("exec", { command: COMMAND }),
      call("exec", { command: `${COMMAND} ; true` }),
      call("sessions_spawn", { task: "Write more", title: "Helper" }),
      { say: "The helper works." },
      write("docs/guide.md"),
      write("docs/guide.md"),
      write("docs/other.md"),
    ],
    child: [write("src/more.ts"), write("docs/child.md"), { say: "One was refused." }],
  };
  const model = scriptedModel(({ sessionId }) => {
    const step = steps[sessionId === family.parent ? "parent" : "child"].shift();
    return step ?? { say: "Nothing left." };
  });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  family.parent = sessionId;
  await alice.say(sessionId, "Please move it");
  await alice.until("plan.submitted");
  const { session } = await alice.client.call("sessions.get", { sessionId });
  expect(JSON.stringify(session)).toContain("Only these files can change");
  expect(await alice.say(sessionId, "/plan restate")).toContain("paths: out/");

  await alice.accept(sessionId);
  await alice.until("question.asked");
  expect(readFileSync(join(workspace, "src/parser.ts"), "utf8")).toBe("x\n");
  const isEnclosed = (await machineSandbox().kind()) !== "none"; // without a sandbox a confined command is not run at all
  expect(existsSync(join(workspace, "out/app.js"))).toBe(isEnclosed);
  expect(existsSync(join(workspace, "notes.txt"))).toBe(false); // the command may run, and reach no further than the plan
  await alice.act(sessionId, "deny");

  await alice.until("question.asked", 2);
  expect(existsSync(join(workspace, "src/more.ts"))).toBe(true);
  expect(existsSync(join(workspace, "docs/child.md"))).toBe(false);
  expect(existsSync(join(workspace, "docs/guide.md"))).toBe(false);
  await alice.act(sessionId, "amend");
  await alice.until("question.asked", 3);
  expect(existsSync(join(workspace, "docs/guide.md"))).toBe(true);
  expect(existsSync(join(workspace, "docs/other.md"))).toBe(false);
  const { changes } = await alice.client.call("changes.get", { sessionId });
  const changed = changes?.steps.flatMap(({ files }) => files.map(({ path }) => path)) ?? [];
  expect(changed).toContain("src/more.ts"); // what a helper changes is the plan's too (BY-03)
  expect(changes?.outside).toEqual([]);
  expect(changed).toContain("docs/guide.md"); // a person amended the plan by it, so it is no drift
  const drifted = changes?.steps.flatMap(({ files }) => files.filter(({ undeclared }) => undeclared === true)) ?? [];
  // no new name for a file outside can be made; one that was there before leads out, and is seen as drift
  expect(existsSync(join(workspace, "out/second.txt"))).toBe(false);
  expect(drifted.map(({ path }) => path)).toEqual(isEnclosed ? ["keep.txt"] : []);
  const { verdict } = await alice.client.call("audit.verify", {});
  expect(verdict.intact).toBe(true);
  expect(model.requests[1]?.entries.findLast((entry) => entry.kind === "result")).toMatchObject({
    content: { error: "PLAN_SCOPE_INVALID" },
  });
});

it("[BY-04, UI-12] a step closes when the gateway has seen its proof, after the last change", async () => {
  const { start, person } = story();
  const STEP = "Write it";
  const CRITERION = "the file is there";
  const proof = { by: "command", command: "test -f greeting.txt" };
  const done = call("update_plan", {
    merge: true,
    plan: [{ step: STEP, status: "completed", verifiedCriteria: [CRITERION] }],
  });
  const look = call("exec", { command: "test -f greeting.txt" });
  const model = scriptedModel([
    call("exit_plan_mode", {
      title: "Greet",
      plan: [{ step: STEP, acceptanceCriteria: [{ criterion: CRITERION, proof }] }],
    }),
    look,
    write("greeting.txt"),
    done,
    look,
    done,
    { say: "Done." },
  ]);
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Please greet");
  await alice.until("plan.submitted");
  await alice.accept(sessionId);
  await alice.until("plan.completed");
  const results = model.requests.at(-1)?.entries.flatMap((entry) => (entry.kind === "result" ? [entry] : []));
  expect(results?.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "exit_plan_mode ok",
    "exec error",
    "write ok",
    "update_plan error",
    "exec ok",
    "update_plan ok",
  ]);
  expect(results?.[3]).toMatchObject({ content: { error: "STEP_NOT_PROVEN" } });

  const { plans } = await alice.client.call("plans.list", { sessionId });
  const planId = plans[0]?.planId ?? PlanId.parse("pln_none");
  const { progress } = await alice.client.call("plans.progress", { planId });
  expect(progress).toMatchObject({
    steps: [{ step: STEP, status: "completed" }],
    evidence: [{ kind: "command", command: "test -f greeting.txt", exitCode: 0, passed: true, after: 1 }],
    changes: { count: 1 },
  });
  const { text } = await alice.client.call("plans.export", { planId, format: "html" });
  expect(text).toContain("Carried out: 1 of 1 steps done."); // the share page shows the same document
  expect(text).toContain("command test -f greeting.txt ends with exit code 0 — exit code 0 at ");
});
