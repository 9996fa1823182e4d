import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const script = [{ calls: [{ tool: "telemetry_counters", args: {} }] }, { say: "Done." }];

test("calls that only read are counted when they begin and when they end", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname, script });
  const session = await gateway.session();
  await session.say("What was done?");
  await session.atRest();
  const expected = "tool.finished telemetry_counters 1\ntool.started telemetry_counters 1\nturn.finished 1";
  await session.when(async () => (await session.run("/telemetry")) === expected);
});

test("who may only read sees the counters, and does not reset them", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname });
  const session = await gateway.session();
  const reader = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  const seen = await reader.session(session.id);
  assert.equal(await seen.run("/telemetry status"), "nothing yet");
  await assert.rejects(seen.run("/telemetry reset"), { code: "FORBIDDEN" });
  assert.match(await session.run("/telemetry reset"), /^Begun at zero, by somebody with [1-9]\d* scopes\.$/);
});
