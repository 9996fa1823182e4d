import { expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import { quiet } from "../kit/fake-clock.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const plan = [
  { step: "Write greeting.txt", status: "pending" },
  { step: "Tell the team", status: "pending" },
];

const inputOf = (request: ModelRequest | undefined): string => {
  const last = request?.entries.findLast((entry) => entry.kind === "input");
  return last?.kind === "input" ? last.text : "";
};

it("[AU-01, AU-02] an agent at rest is nudged at the minutes that the rules say, and never after it has moved on", async () => {
  const { start, stop, person, clock } = story();
  const model = scriptedModel((request, number) => {
    if (number === 2) return { calls: [{ tool: "exit_plan_mode", args: { title: "Greet", plan } }] };
    const done = inputOf(request).includes("finish it");
    if (done && request.entries.at(-1)?.kind !== "result")
      return {
        calls: [{ tool: "update_plan", args: { plan: plan.map((step) => ({ ...step, status: "completed" })) } }],
      };
    return { say: "I rest." };
  });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "greet the world");
  await alice.until("turn.finished");

  clock.advance(10 * MINUTE - 1);
  await quiet();
  expect(model.requests).toHaveLength(1);
  clock.advance(1);
  await alice.until("plan.submitted"); // the nudged agent submits its plan
  expect(inputOf(model.requests[1])).toContain("[PLAN_NUDGE]\nFor 10 minutes this session has been in plan mode");

  clock.advance(3 * 60 * MINUTE); // a plan that waits for a person: nobody nudges the agent
  await quiet();
  expect(model.requests).toHaveLength(2);
  await alice.accept(sessionId);
  await alice.until("turn.finished", 3);

  clock.advance(MINUTE);
  await alice.until("turn.finished", 4);
  expect(inputOf(model.requests[3])).toContain(
    "For 1 minute no step of the approved plan has moved. 0 of 2 steps are closed.",
  );

  await stop(); // over minutes 3 and 5
  clock.leap(30 * MINUTE);
  await start(model);
  const bob = await person();
  await bob.watch(sessionId);
  await model.asked(5);
  expect(inputOf(model.requests[4])).toContain("For 31 minutes no step of the approved plan has moved.");
  await bob.say(sessionId, "finish it");
  await bob.until("plan.completed");
  await bob.until("turn.finished");
  const asked = model.requests.length;
  clock.advance(DAY);
  await quiet();
  expect(model.requests).toHaveLength(asked);
});

it("[AU-03, QU-01] a question that expired while the gateway was down is expired when it comes back", async () => {
  const { start, stop, person, clock } = story();
  const model = scriptedModel([
    { calls: [{ tool: "ask_user_question", args: { question: "Which?", options: ["a", "b"] } }] },
  ]);
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "greet");
  await alice.until("question.asked");
  await alice.until("turn.finished");
  await stop();
  clock.leap(DAY + MINUTE);
  await start(model);
  const bob = await person();
  for (let round = 0; round < 200 && (await bob.plan(sessionId)).question !== null; round++) await quiet();
  expect((await bob.plan(sessionId)).question).toBeNull();
});

it("[AU-04, PL-03] a new chat session of a model that the configuration names starts in plan mode", async () => {
  const { start, person } = story();
  await start(scriptedModel([]));
  const alice = await person();
  await alice.client.call("config.set", { path: "agents.defaults.planMode.defaultActive", value: null });
  expect((await alice.plan(await alice.open())).now.phase).toBe("off");
  await alice.client.call("config.set", { path: "agents.defaults.planMode.autoEnableFor", value: ["script*"] });
  expect((await alice.plan(await alice.open())).now).toMatchObject({
    phase: "exploring",
    cycle: { reason: "auto-enable: scripted (script*)" },
  });
});
