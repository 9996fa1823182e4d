import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const MINUTE_MS = 60_000;
const settings = { plugins: { entries: { incident: { config: { operators: ["Ada", "Ben", "Cy"], minutes: 10 } } } } };
const start = () => startTestGateway({ folder: import.meta.dirname, settings });

test("an incident that nobody acknowledges goes to the next operator, and to the one after", async () => {
  await using gateway = await start();
  const session = await gateway.session();
  assert.equal(await session.run("/incident open The shop is down"), '"The shop is down" is open, Ada is in charge.');
  await session.atRest();
  gateway.clock.advance(10 * MINUTE_MS);
  await session.until("turn.finished", 2);
  assert.match((await session.inputs())[1] ?? "", /Ben is in charge\. Page Ben now\.[\s\S]*SCHEDULED_TURN/);
  await session.until("plugin.incident.escalated");
  gateway.clock.advance(10 * MINUTE_MS);
  await session.until("turn.finished", 3);
  assert.equal(await session.run("/incident status"), '"The shop is down" is open, Cy is in charge.');
  await session.atRest();
  assert.deepEqual((await session.view()).plugins?.incident?.incident, {
    status: '"The shop is down" is open, Cy is in charge',
    isOpen: true,
  });
});

test("who acknowledges in time is left in charge", async () => {
  await using gateway = await start();
  const session = await gateway.session();
  await session.run("/incident open Slow");
  await session.atRest();
  assert.equal(await session.run("/incident ack"), "Acknowledged by local.");
  assert.deepEqual(session.stored()?.timers, []);
  await assert.rejects(session.run("/incident escalate"), { code: "COMMAND_USAGE" });
  assert.equal(await session.run("/incident"), '"Slow" is acknowledged, Ada is in charge.');
  assert.equal(await session.run("/ticket close"), 'local closed "Slow".');
  await session.atRest();
  assert.match((await session.inputs()).at(-1) ?? "", /local ran \/ticket close\./);
  assert.equal(await session.run("/incident"), "no incident.");
});

test("the wake-up outlives a kill, and is on time after it", async () => {
  await using gateway = await start();
  const session = await gateway.session();
  await session.run("/incident open Down");
  await session.atRest();
  await gateway.kill();
  await gateway.restart();
  gateway.clock.advance(10 * MINUTE_MS);
  await session.until("turn.finished", 2);
  assert.equal(await session.run("/incident"), '"Down" is open, Ben is in charge.');
  assert.equal(await session.run("/incident escalate"), '"Down" is open, Cy is in charge.');
});
