import { describe, expect, it } from "vitest";
import { scriptedModel } from "../../test/kit/scripted-model.ts";
import { answer, calls, opened, told, world } from "../../test/kit/scripted-turn.ts";
import { turnWorld } from "../../test/kit/turn-world.ts";
import { planModePlugin } from "../plan-mode/plugin.ts";
import { announces } from "./announcement.ts";

describe("an announcement", () => {
  it.each([
    "I'll now read the configuration file.",
    "Let me check the tests.",
    "Understood. I will start by creating the module:",
    "Great! Next, I'm going to run the build.",
    "The parser is broken in two places.\n\nLet me fix both.",
    "Now let me update the docs…",
    "- Okay, I’ll go ahead and implement it.",
  ])("[AU-05] is one: %s", (text) => {
    expect(announces(text)).toBe(true);
  });

  it.each([
    "",
    "Done: the file is renamed and the tests pass.",
    "Let me know if you want more.",
    "I'll wait for your decision.",
    "Shall I run the tests? I'll do it at once.",
    "I will update it once you approve.",
    "I'll be happy to help.",
    "I will fix it tomorrow when you tell me. The report is above.",
    "I read the file. It holds the settings.",
    `Let me explain. ${"x".repeat(2_000)} Let me check.`,
  ])("[AU-05] is none: %s", (text) => {
    expect(announces(text)).toBe(false);
  });
});

describe("an agent that only announces", () => {
  it("[AU-05] is pressed until it acts", async () => {
    const made = await opened([
      answer("Let me look."),
      answer("I'll check it now."),
      calls("glob"),
      answer("All good."),
    ]);
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    const lines = (await told(made)).map((line) => line.split("\n")[0]);
    expect(lines).toEqual([
      "input: go",
      "says: Let me look. []",
      "input: [TURN_CONTINUE]",
      "says: I'll check it now. []",
      "input: [TURN_CONTINUE]",
      "says:  [glob]",
      "glob: error",
      "says: All good. []",
    ]);
  });

  it("[AU-05] is pressed three times, each time harder, and then a person is told", async () => {
    const made = await opened(() => answer("Let me look."));
    await made.send("go");
    await made.settle();
    expect(made.model.requests).toHaveLength(4);
    const urges = (await made.entries()).flatMap((entry) => (entry.kind === "input" ? entry.injectionIds : []));
    expect(urges).toEqual(["urge:1", "urge:2", "urge:3"]);
    expect((await told(made)).at(-1)).toContain("without doing it");
  });

  it("[AU-05] a successor after a crash goes on pressing where it was", async () => {
    const before = await opened([answer("Let me look."), { until: new Promise(() => undefined) }]);
    await before.send("go");
    void before.settle();
    await before.model.asked(2);
    const after = await world(() => answer("Let me look."), {
      store: before.store,
      clock: before.clock,
      node: "node-2",
    });
    await after.settle();
    const urges = (await after.entries()).flatMap((entry) => (entry.kind === "input" ? entry.injectionIds : []));
    expect(urges).toEqual(["urge:1", "urge:2", "urge:3"]);
  });

  it("[AU-05] is left alone while it plans", async () => {
    const settings = { planMode: { enabled: true, defaultActive: true, approvalTimeoutSeconds: 60 } };
    const model = scriptedModel([answer("Let me look.")]);
    const made = turnWorld({ model, plugins: [planModePlugin], settings });
    await made.open();
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(model.requests).toHaveLength(1);
  });
});
