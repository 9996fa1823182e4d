import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const MINUTE_MS = 60_000;
/** @param {number} percent */
const at = (percent) => ({ calls: [{ tool: "job_progress", args: { percent } }] });
const rest = { say: "I look again later." };

test("the agent is woken until the job is done, and then no longer", async () => {
  const script = [at(20), rest, at(100), rest];
  await using gateway = await startTestGateway({ folder: import.meta.dirname, script });
  const session = await gateway.session();
  assert.equal(await session.run("/job start index the archive"), "Begun: index the archive.");
  await session.atRest();
  assert.match((await session.inputs())[0] ?? "", /local ran \/job start\.[\s\S]*"index the archive" is at 0%/);
  assert.equal(await session.run("/job"), "index the archive: 20%");
  gateway.clock.advance(10 * MINUTE_MS);
  await session.until("plugin.long-job.done");
  await session.atRest();
  assert.equal(await session.run("/job status"), "index the archive: 100%, done");
  assert.deepEqual(session.stored()?.timers, []);
  assert.match(JSON.stringify(await session.notices()), /index the archive is done\./);
});

test("who may only read sees how far it is, and begins and stops nothing", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname });
  const session = await gateway.session();
  const reader = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  const seen = await reader.session(session.id);
  assert.equal(await seen.run("/job"), "no job");
  await assert.rejects(seen.run("/job start x"), { code: "FORBIDDEN" });
  await session.run("/job start x");
  await session.atRest();
  assert.equal(await session.run("/job stop"), "x: 0%, stopped");
  assert.deepEqual(session.stored()?.timers, []);
});
