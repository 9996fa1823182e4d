/** `exec` and `wait` in turns of a whole session: pipeline, plan mode and turn loop are real, the sandbox is a plain one. */
import { describe, expect, it } from "vitest";
import { codeWorld, resultOf } from "../../test/kit/code-world.ts";

const program = (code: string) => ({ tool: "exec", args: { code } });

describe("a run in code mode", () => {
  it("[CM-01] 2, 5, 142: shows the model exactly exec and wait", async () => {
    const world = await codeWorld([{ calls: [program("return 1 + 1")] }, { say: "done" }]);
    await world.say("go");
    expect(world.requests().map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["exec", "wait"],
      ["exec", "wait"],
    ]);
    expect(await resultOf(world, "exec")).toMatchObject({ status: "completed", value: 2 });
  });
});
