import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ApprovalId, SessionId } from "../../src/protocol/ids.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const STEP = "Write greeting.txt";
const CRITERION = "greeting.txt says hello";
const submit = (title: string): ScriptStep => ({
  calls: [
    {
      tool: "exit_plan_mode",
      args: { title, plan: [{ step: STEP, status: "pending", acceptanceCriteria: [CRITERION] }] },
    },
  ],
});
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };
const complete = (verifiedCriteria: string[]): ScriptStep => ({
  calls: [
    { tool: "update_plan", args: { merge: true, plan: [{ step: STEP, status: "completed", verifiedCriteria }] } },
  ],
});
const question: ScriptStep = {
  calls: [{ tool: "ask_user_question", args: { question: "Which greeting?", options: ["hello", "good day"] } }],
};

async function waitingApproval(person: Person, sessionId: SessionId): Promise<ApprovalId> {
  const { now } = await person.plan(sessionId);
  if (now.phase !== "pending") throw new Error(`the plan is ${now.phase}`);
  return now.submission.approvalId;
}

it("[PL-05, PL-07, GA-01] a write before the signature is held, feedback reaches the agent, and a typed yes signs nothing", async () => {
  const { start, person, workspace } = story();
  const model = scriptedModel([write, submit("Greet"), submit("Greet politely"), { say: "It waits for you." }]);
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();

  await alice.say(sessionId, "Please greet the world");
  await alice.until("plan.submitted");
  expect(alice.seen.filter((event) => event === "call.refused")).toHaveLength(1);
  expect(existsSync(join(workspace, "greeting.txt"))).toBe(false);

  await alice.say(sessionId, "/plan revise be polite");
  await alice.until("plan.submitted", 2);
  expect(model.requests[2]?.entries.at(-1)).toMatchObject({
    kind: "input",
    text: expect.stringContaining("be polite"),
  });

  await alice.say(sessionId, "yes, go ahead");
  await alice.until("turn.finished", 3);
  expect((await alice.plan(sessionId)).now).toMatchObject({
    phase: "pending",
    submission: { title: "Greet politely" },
  });
});

it("[PL-06, PL-11, TO-04] after the signature the change happens once, and a step closes only when its criterion is verified", async () => {
  const { start, person, workspace } = story();
  const model = scriptedModel([submit("Greet"), write, complete([]), complete([CRITERION]), { say: "Done." }]);
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Please greet the world");
  await alice.until("plan.submitted");
  await alice.accept(sessionId);
  await alice.until("turn.finished", 2);

  expect(readFileSync(join(workspace, "greeting.txt"), "utf8")).toBe("hello\n");
  const refused = model.requests[3]?.entries.findLast((entry) => entry.kind === "result");
  expect(refused).toMatchObject({ tool: "update_plan", status: "error", content: { error: "STEP_NOT_VERIFIED" } });
  expect((await alice.plan(sessionId)).now).toMatchObject({ phase: "off", left: "completed" });
  const { verdict } = await alice.client.call("audit.verify", {});
  expect(verdict.intact).toBe(true);
});

it("[QU-01, QU-03] a question survives a restart, and its answer resumes the agent", async () => {
  const { start, stop, person } = story();
  await start(scriptedModel([question]));
  const before = await person();
  const sessionId = await before.open();
  await before.say(sessionId, "Greet somebody");
  await before.until("question.asked");
  const asked = (await before.plan(sessionId)).question;
  await stop();

  const model = scriptedModel([{ say: "Thank you." }]);
  await start(model);
  const after = await person();
  expect((await after.plan(sessionId)).question).toEqual(asked);
  await after.watch(sessionId);
  await after.say(sessionId, "/plan answer 2");
  const { entries } = await model.asked(1);
  expect(entries.at(-1)).toMatchObject({ kind: "input", text: expect.stringContaining("good day") });
  expect((await after.plan(sessionId)).now.mode).toBe("plan");
});

it("[AU-03, PL-08, PL-09] an approval that expired while the gateway was down is expired when it comes back", async () => {
  const { clock, start, stop, person } = story();
  await start(scriptedModel([submit("Greet")]));
  const before = await person();
  const sessionId = await before.open();
  await before.say(sessionId, "Greet somebody");
  await before.until("plan.submitted");
  const approvalId = await waitingApproval(before, sessionId);
  await stop();

  clock.leap(86_400_000);
  await start(scriptedModel([]));
  const after = await person();
  await after.watch(sessionId);
  await expect.poll(async () => (await after.plan(sessionId)).now.phase).toBe("timed_out");
  const late = after.client.call("sessions.patch", {
    sessionId,
    planApproval: { action: "approve", approvalId },
  });
  await expect(late).rejects.toMatchObject({ code: "APPROVAL_EXPIRED" });
});

it("[PL-10] what one person decides, the other sees at once, and is told when they decide too", async () => {
  const { start, person } = story();
  await start(scriptedModel([submit("Greet"), { say: "I stop here." }]));
  const [alice, bob] = [await person(), await person()];
  const sessionId = await alice.open();
  await bob.watch(sessionId);
  await alice.say(sessionId, "Greet somebody");
  await bob.until("plan.submitted");
  const approvalId = await waitingApproval(bob, sessionId);
  const decide = (who: Person, action: "approve" | "edit") =>
    who.client.call("sessions.patch", { sessionId, planApproval: { action, approvalId } });

  await decide(alice, "approve");
  await bob.until("plan.approved");
  await expect(decide(bob, "edit")).rejects.toMatchObject({
    code: "APPROVAL_ALREADY_DECIDED",
    details: { decision: "approved", decided_by: "local" },
  });
});

it("[PL-11, PL-14] a signature covers its plan and no more: what is asked for next is planned again", async () => {
  const { start, person, workspace } = story();
  const again: ScriptStep = { calls: [{ tool: "write", args: { path: "more.txt", content: "more\n" } }] };
  await start(
    scriptedModel([submit("Greet"), write, complete([CRITERION]), { say: "Done." }, again, { say: "Held." }]),
  );
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "Please greet the world");
  await alice.until("plan.submitted");
  await alice.accept(sessionId);
  await alice.until("plan.completed");
  await alice.until("turn.finished", 2);
  expect((await alice.plan(sessionId)).now).toMatchObject({ phase: "off", mode: "normal", left: "completed" });

  await alice.say(sessionId, "And more of it");
  await alice.until("turn.finished", 3);
  expect((await alice.plan(sessionId)).now).toMatchObject({ phase: "exploring", cycle: { reason: "default-active" } });
  expect(existsSync(join(workspace, "more.txt"))).toBe(false);
});

it("[PL-11] whoever left plan mode themselves is taken at their word", async () => {
  const { start, person, workspace } = story();
  await start(scriptedModel([write, { say: "Done." }]));
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan off");
  await alice.say(sessionId, "Please greet the world");
  await alice.until("turn.finished");
  expect((await alice.plan(sessionId)).now).toMatchObject({ phase: "off", left: "off" });
  expect(existsSync(join(workspace, "greeting.txt"))).toBe(true);
});
