/** Cells that a person leaves behind by writing a message before they answer. */
import { expect, it } from "vitest";
import { codeWorld, resultOf } from "../../../test/kit/code-world.ts";
import { CALLERS_MAX } from "../../protocol/calls/caller.ts";
import { CodeModeState } from "../protocol/state.ts";

const ASK = `return (await tools.ask_user_question({ question: "Which?", options: ["Red", "Blue"] })).answer;`;

it("[CM-05, QU-01] 63, 64, 65: keep no place and no snapshot, and leave room for callers; their question stays, and its answer reaches the agent", async () => {
  // asked in one turn, spoken to in the next, answered in the third
  const world = await codeWorld((_request, number) =>
    number % 3 === 1 ? { calls: [{ tool: "exec", args: { code: ASK } }] } : { say: "ok" },
  );
  for (let n = 0; n <= CALLERS_MAX; n++) {
    await world.say("begin");
    expect(await resultOf(world, "exec")).toMatchObject({
      status: "waiting",
      pendingToolCalls: [{ state: "awaiting_approval" }],
    });
    await world.say("what do you mean?");
    const { cells, ended } = CodeModeState.parse((await world.session()).slices["codeMode"]);
    expect([cells, ended?.at(-1)?.as]).toEqual([[], "failed"]);
    await world.answer("Blue");
  }
  expect(JSON.stringify(await world.entries())).toContain("[QUESTION_ANSWER]");
  expect((await world.session()).callers?.length).toBeLessThanOrEqual(CALLERS_MAX);
});
