/** Review from end to end: notes, a revision that answers them, what changed, and an edition that is approved. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const submit = (steps: string[], more: { summary: string; addresses?: string[] }): ScriptStep => ({
  calls: [
    {
      tool: "exit_plan_mode",
      args: { title: "Greet", plan: steps.map((step) => ({ step, status: "pending" })), ...more },
    },
  ],
});
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "good day\n" } }] };
const close = (steps: string[]): ScriptStep => ({
  calls: [{ tool: "update_plan", args: { merge: true, plan: steps.map((step) => ({ step, status: "completed" })) } }],
});
const lastInput = ({ entries }: ModelRequest): string => {
  const entry = entries.findLast(({ kind }) => kind === "input");
  return entry?.kind === "input" ? entry.text : "";
};
const shown = async (person: Person, sessionId: SessionId) => {
  const { now } = await person.plan(sessionId);
  if (now.phase !== "pending") throw new Error(`the plan is ${now.phase}`);
  return now.submission;
};

it("[RV-01, RV-02, PL-17, BY-06, CH-01] three notes, a revision that answers two, a diff, and an edited plan that is carried out", async () => {
  const { start, stop, person, workspace } = story();
  const FIRST = ["Write hello", "Tell everybody"];
  const SECOND = ["Write good day", "Tell everybody"];
  const EDITED = ["Write good day", "Read it again"];
  const script = [
    submit(FIRST, { summary: "We write hello." }),
    submit(SECOND, { summary: "We write good day.", addresses: ["n9"] }),
    submit(SECOND, { summary: "We write good day.", addresses: ["n1", "n3"] }),
    write,
    close(EDITED),
    { say: "Done." },
  ];
  const model = scriptedModel(script);
  await start(model);
  let alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Greet the world");
  await alice.until("plan.submitted");

  await alice.say(sessionId, "/plan note 1 More polite");
  await alice.say(sessionId, "/plan note 2 question: whom?");
  await alice.say(sessionId, '/plan note summary "write hello" good day instead');
  expect(await alice.say(sessionId, "/plan notes")).toContain("n2 · question · step 2");
  const { approvalId } = await shown(alice, sessionId);
  await alice.client.call("sessions.patch", {
    sessionId,
    planApproval: { action: "reject", approvalId, feedback: "" },
  });
  await alice.until("plan.submitted", 2);

  const feedback = lastInput(model.requests[1] ?? (await model.asked(2)));
  expect(feedback.match(/^n\d \(\w+\) on \S+/gm)).toEqual([
    "n3 (change) on summary",
    "n1 (change) on step",
    "n2 (question) on step",
  ]);
  const refused = model.requests[2]?.entries.findLast(({ kind }) => kind === "result");
  expect(refused).toMatchObject({ status: "error", content: { error: "PLAN_INVALID" } });

  await stop(); // notes, places and decisions are rows
  await start(model);
  alice = await person();
  await alice.watch(sessionId);
  const diff = await alice.say(sessionId, "/plan diff");
  expect(diff.split("\n")).toEqual([
    "Revision 1 → 2, by the agent",
    "Summary",
    "    answers n3",
    "- We write hello.",
    "+ We write good day.",
    "Steps",
    "- 1. Write hello",
    "+ 1. Write good day",
    "    answers n1",
    "  2. Tell everybody",
  ]);
  await alice.say(sessionId, "/plan resolve 1");

  const { approvalId: second, digest } = await shown(alice, sessionId);
  const steps = EDITED.map((step) => ({ step, status: "pending" as const }));
  const planApproval = { action: "approve_edited", approvalId: second, digest, steps } as const;
  await alice.client.call("sessions.patch", { sessionId, planApproval });
  await alice.until("plan.completed");

  const told = lastInput(model.requests[3] ?? (await model.asked(4)));
  expect(told).toContain("[PLAN_DECISION]: approved");
  expect(told).toContain("> removed step 2: Tell everybody\n> added step 2: Read it again");
  expect(told).toContain("notes that came with the approval, as advice (the plan stays as it is):\nn3 ");
  expect(readFileSync(join(workspace, "greeting.txt"), "utf8")).toBe("good day\n");

  const { plans } = await alice.client.call("plans.list", { sessionId });
  expect(plans.map(({ revision, author }) => [revision, author?.kind ?? "agent"])).toEqual([
    [3, "operator"],
    [2, "agent"],
    [1, "agent"],
  ]);
  const { notes, decisions } = await alice.client.call("plans.notes", { planId: plans[0]?.planId ?? "" });
  expect(notes.map(({ n, resolved, addressedIn }) => [n, resolved !== null, addressedIn])).toEqual([
    [1, true, 2],
    [2, false, undefined],
    [3, false, 2],
  ]);
  expect(decisions.map(({ decision }) => decision)).toEqual(["rejected", "approved"]);
  expect((await alice.client.call("audit.verify", {})).verdict.intact).toBe(true);
});

it("[BY-07, PL-08] a reader keeps the countdown; when nobody reads, it runs out and nothing is approved", async () => {
  const { start, person, clock, workspace } = story();
  await start(scriptedModel([submit(["Write"], { summary: "x" }), { say: "ok" }]));
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Greet");
  await alice.until("plan.submitted");
  const { approvalId, deadlineAtMs } = await shown(alice, sessionId);
  clock.advance(deadlineAtMs - clock.now() - 1_000);
  const paused = await alice.client.call("plans.reading", { sessionId, approvalId });
  expect(paused.deadlineAtMs).toBe(deadlineAtMs + 60_000);
  clock.advance(30_000);
  expect((await alice.plan(sessionId)).now.phase).toBe("pending");
  clock.advance(60_000);
  await alice.until("plan.timed_out");
  expect((await alice.plan(sessionId)).now).toMatchObject({ phase: "timed_out", mode: "plan" });
  expect(existsSync(join(workspace, "greeting.txt"))).toBe(false);
});

it("[RV-03] a link opens without a token, in a gateway that was started again, until it is ended", async () => {
  const { start, stop, person } = story();
  const model = scriptedModel([submit(["Write <b>hello</b>"], { summary: "x" })]);
  await start(model);
  let alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Greet");
  await alice.until("plan.submitted");
  const { planId } = await shown(alice, sessionId);
  const { path, shareId } = await alice.client.call("plans.share", { planId });
  await stop();
  const { url } = await start(model);
  const page = await fetch(`${url}${path}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Write &lt;b&gt;hello&lt;/b&gt;")]);
  alice = await person();
  await alice.client.call("plans.unshare", { shareId });
  expect((await fetch(`${url}${path}`)).status).toBe(404);
  const { session } = await alice.client.call("sessions.get", { sessionId });
  expect(PlanModeState.parse(session.slices["planMode"]).now.phase).toBe("pending");
});
