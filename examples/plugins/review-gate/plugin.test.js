import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const push = { calls: [{ tool: "exec", args: { command: "git push origin main" } }] };
const ask = { calls: [{ tool: "request_review", args: { title: "Fix the clock", diff: "-old\n+new" } }] };
const wait = { say: "I wait." };
/** @param {import("holdpoint/testing").TestGatewayOptions["script"]} script */
const start = (script) => startTestGateway({ folder: import.meta.dirname, script });

/** @param {import("holdpoint/testing").TestSession} session */
const statuses = async (session) => (await session.results()).map(({ tool, status }) => `${tool} ${status}`);

test("a push waits for the review of its diff, people see the diff, and one approval is one push", async () => {
  await using gateway = await start([push, ask, wait, push, { say: "Pushed." }, push, wait]);
  const session = await gateway.session();
  await session.say("Push it");
  await session.atRest();
  assert.deepEqual(await statuses(session), ["exec refused", "request_review ok"]);
  assert.match((await session.notices()).join("\n"), /review\.diff[\s\S]*-old\n\+new/);
  assert.equal(await session.run("/review"), '"Fix the clock" waits for review.');

  assert.equal(await session.run("/review approve"), 'Approved "Fix the clock", for one push.');
  await session.atRest();
  assert.notEqual((await statuses(session))[2], "exec refused"); // there is no repository here, but it was let through
  await session.say("Again");
  await session.atRest();
  assert.equal((await statuses(session)).at(-1), "exec refused");
  assert.equal(await session.run("/review"), "no diff was handed in.");
});

test("changes are asked for in words, and the diff can be made again", async () => {
  await using gateway = await start([ask, wait, wait, ask, wait]);
  const session = await gateway.session();
  await assert.rejects(session.run("/review approve"), { code: "COMMAND_USAGE" });
  await session.say("Hand it in");
  await session.atRest();
  await session.run("/review request-changes Name the time zone");
  await session.atRest();
  assert.match((await session.inputs()).at(-1) ?? "", /local wants changes to "Fix the clock": Name the time zone/);
  await session.run("/review rerun");
  await session.atRest();
  assert.equal(await session.run("/review"), '"Fix the clock" waits for review.');
  const rita = await gateway.person({ name: "Rita", scopes: ["operator.write"] });
  await assert.rejects((await rita.session(session.id)).say("/review approve"), { code: "FORBIDDEN" });
});

test("other writings of a push are seen, and what cannot be read is put before a person", async () => {
  const commands = ['git -C . "push"', "g\\it push --force", "sh -c 'git push'", 'eval "$CMD"'];
  const calls = commands.map((command) => ({ tool: "exec", args: { command } }));
  await using gateway = await start([{ calls }, wait]);
  const session = await gateway.session();
  await session.say("Try");
  await session.atRest();
  assert.deepEqual(
    await statuses(session),
    commands.map(() => "exec refused"),
  );
  const reasons = (await session.results()).map(({ content }) => JSON.stringify(content));
  for (const reason of reasons.slice(0, 3)) assert.match(reason, /the review says: no diff was handed in/);
  assert.match(reasons[3] ?? "", /nobody can tell whether this command pushes/);
});
