import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const settings = { plugins: { entries: { "budget-guard": { config: { limitUsd: 1 } } } } };
/** @param {string} path @param {number | null} costUsd */
const write = (path, costUsd) => ({ calls: [{ tool: "write", args: { path, content: "x" } }], usage: { costUsd } });
/** @param {number | null} costUsd */
const done = (costUsd) => ({ say: "Done.", usage: { costUsd } });

test("changes are blocked beyond the budget, reading is not, and an override lets the agent go on", async () => {
  const read = { calls: [{ tool: "glob", args: { pattern: "*" } }], usage: { costUsd: 0.1 } };
  await using gateway = await startTestGateway({
    folder: import.meta.dirname,
    settings,
    script: [write("a.txt", 0.6), done(0.2), write("b.txt", 0.5), read, done(null), write("b.txt", 0.1), done(0)],
  });
  const session = await gateway.session();
  await session.say("Write a");
  await session.atRest();
  await session.when(async () => (await session.run("/budget")) === "$0.80 of $1.00.");
  await session.say("Write b");
  await session.atRest();
  assert.deepEqual(
    (await session.results()).map(({ tool, status }) => [tool, status]),
    [
      ["write", "ok"],
      ["write", "refused"],
      ["glob", "ok"],
    ],
  );
  await session.when(async () => (await session.run("/budget")) === "$1.40 of $1.00, 1 unpriced.");
  const shown = { status: "$1.40 of $1.00, 1 unpriced", isUsedUp: true, isLeft: false };
  assert.deepEqual((await session.view()).plugins?.["budget-guard"]?.budget, shown);

  assert.equal(await session.run("/budget override 2"), "Raised: $1.40 of $3.00, 1 unpriced.");
  await session.atRest();
  assert.equal((await session.results()).at(-1)?.status, "ok");
  assert.match((await session.inputs()).at(-1) ?? "", /local raised the budget/);
});

test("only approvers raise it, by a number; everyone who reads may look; a reset counts anew", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname, settings, script: [done(0.4)] });
  const session = await gateway.session();
  await session.say("Hello");
  await session.atRest();
  const rita = await gateway.person({ name: "Rita", scopes: ["operator.read", "operator.write"] });
  const seen = await rita.session(session.id);
  await session.when(async () => (await seen.run("/budget status")) === "$0.40 of $1.00.");
  await assert.rejects(seen.run("/budget override 5"), { code: "FORBIDDEN" });
  await assert.rejects(seen.say("/budget reset"), { code: "FORBIDDEN" }); // a text channel is no way around it
  await assert.rejects(session.run("/budget override lots"), { code: "COMMAND_USAGE" });
  assert.equal(await session.run("/budget reset"), "Counting anew: $0.00 of $1.00.");
});
