/** A cell that would ask two things at once: one thing at a time is before the person, inside of a cell as outside. */
import { expect, it } from "vitest";
import { codeWorld, resultOf } from "../../../test/kit/code-world.ts";
import { z } from "../../plugins/sdk.ts";

const BOTH = `const planned = tools.exit_plan_mode({ title: "Record it", plan: [{ step: "record the answer" }] });
  const question = { question: "Which?", options: ["Red", "Blue"] };
  const beside = tools.ask_user_question(question).catch((error) => error.message);
  const { decision } = await planned;
  const { answer } = await tools.ask_user_question(question);
  return [await beside, decision, answer];`;

it("[CM-04, CM-05, PL-05] 63, 114: a question beside a plan that waits is refused; after the decision it is asked and answered", async () => {
  const world = await codeWorld(({ entries }, number) => {
    const last = entries.findLast((entry) => entry.kind === "result");
    const { runId } = z.object({ runId: z.string().default("") }).parse(last?.kind === "result" ? last.content : {});
    if (number === 1) return { calls: [{ tool: "exec", args: { code: BOTH } }] };
    return runId === "" ? { say: "done" } : { calls: [{ tool: "wait", args: { runId } }] };
  });
  await world.enterPlan();
  await world.say("go");
  expect(await resultOf(world, "exec")).toMatchObject({
    pendingToolCalls: [{ toolId: "plugin:plan-mode:exit_plan_mode", state: "awaiting_approval" }],
  });
  expect((await world.planState()).question).toBeNull();
  await world.approve();
  expect(await resultOf(world, "wait")).toMatchObject({
    pendingToolCalls: [{ toolId: "plugin:plan-mode:ask_user_question", state: "awaiting_approval" }],
  });
  await world.answer("Blue");
  expect(await resultOf(world, "wait")).toMatchObject({
    status: "completed",
    value: [expect.stringContaining("ask afterwards"), "approved", "Blue"],
  });
});
