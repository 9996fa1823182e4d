import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const folder = import.meta.dirname;
const settings = { plugins: { entries: { "policy-grants": { config: { guarded: ["write"] } } } } };
/** @param {string[]} paths */
const write = (...paths) => ({ calls: paths.map((path) => ({ tool: "write", args: { path, content: "x" } })) });
const done = { say: "Done." };

test("a guarded tool runs as often as it was granted, and not once more", async () => {
  const script = [write("a"), done, write("a", "b", "c"), done, write("d"), done];
  await using gateway = await startTestGateway({ folder, settings, script });
  const session = await gateway.session();
  await session.say("Write");
  await session.atRest();
  assert.equal(await session.run("/policy grant write 2"), "write: 2 calls granted.");
  await session.say("Again");
  await session.atRest();
  assert.deepEqual(
    (await session.results()).map(({ status }) => status),
    ["refused", "ok", "ok", "refused"],
  );
  assert.equal(await session.run("/policy"), "write: 0 calls granted");
  await session.run("/policy grant write");
  assert.equal(await session.run("/policy revoke write"), "write is no longer granted.");
  await session.say("Once more");
  await session.atRest();
  const last = (await session.results()).at(-1);
  assert.equal(last?.status, "refused");
  assert.match(JSON.stringify(last), /write is guarded, and nobody has granted this call/);
});

test("only approvers grant, and what nobody guards is not its business", async () => {
  const read = { calls: [{ tool: "glob", args: { pattern: "*" } }] };
  await using gateway = await startTestGateway({ folder, settings, script: [read, done] });
  const session = await gateway.session();
  const rita = await (await gateway.person({ name: "Rita", scopes: ["operator.write"] })).session(session.id);
  await assert.rejects(rita.run("/policy grant write"), { code: "FORBIDDEN" });
  await assert.rejects(rita.say("/policy grant write 5"), { code: "FORBIDDEN" });
  assert.equal(await rita.run("/policy explain"), "write: 0 calls granted");
  await assert.rejects(session.run("/policy grant rm"), { code: "COMMAND_USAGE" });
  await session.say("Look");
  await session.atRest();
  assert.equal((await session.results())[0]?.status, "ok");
});

test("when its files are no longer those that were trusted, nothing that changes anything runs", async () => {
  await using gateway = await startTestGateway({ folder, settings, script: [write("a"), done] });
  const session = await gateway.session();
  await session.run("/policy grant write 5");
  appendFileSync(join(gateway.home, "plugins/policy-grants/index.js"), "// changed\n");
  await gateway.restart();
  await assert.rejects(session.run("/policy"), { code: "PLUGIN_DISABLED" });
  await session.say("Write");
  await session.atRest();
  assert.match(JSON.stringify(await session.results()), /which cannot be loaded: nothing that changes anything runs/);
});
