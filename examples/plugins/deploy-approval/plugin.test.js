import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

/** @param {string} version */
const deploy = (version) => ({ calls: [{ tool: "deploy", args: { version } }] });
const wait = { say: "I wait." };
const done = { say: "Done." };
/** @param {import("holdpoint/testing").TestGatewayOptions["script"]} [script] */
const start = (script) => startTestGateway({ folder: import.meta.dirname, script });

test("a deployment waits for exactly its version, and goes on by itself when it is approved", async () => {
  await using gateway = await start([deploy("1.2.3"), wait, deploy("1.2.3"), done, deploy("1.2.3"), wait]);
  const session = await gateway.session();
  await session.say("Deploy 1.2.3");
  await session.atRest();
  assert.equal((await session.results())[0]?.status, "refused");
  assert.equal(await session.run("/deploy"), "nothing is live; 1.2.3 waits for approval.");

  assert.equal(await session.run("/deploy approve"), "Approved 1.2.3, once.");
  await session.atRest();
  assert.match((await session.inputs())[1] ?? "", /local approved version 1\.2\.3/);
  assert.deepEqual((await session.results())[1], { tool: "deploy", status: "ok", content: "Version 1.2.3 is live." });

  await session.say("Once more"); // the approval is spent
  await session.atRest();
  assert.equal((await session.results())[2]?.status, "refused");
});

test("an approval of one version is none of another", async () => {
  await using gateway = await start([deploy("2.0.0"), wait]);
  const session = await gateway.session();
  await session.run("/deploy approve 1.9.9");
  await session.atRest();
  const [result] = await session.results();
  assert.equal(result?.status, "refused");
  assert.match(JSON.stringify(result), /Nobody has approved version 2\.0\.0/);
});

test("the button in the header approves what waits; who may only read can look, and not press", async () => {
  await using gateway = await start([deploy("1.0.0"), wait, deploy("1.0.0"), done]);
  const session = await gateway.session();
  await session.say("Deploy");
  await session.atRest();
  const reader = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  const seen = await reader.session(session.id);
  assert.equal(await seen.run("/deploy status"), "nothing is live; 1.0.0 waits for approval.");
  await assert.rejects(seen.run("/deploy approve"), { code: "FORBIDDEN" });
  await assert.rejects(seen.run("/rollback"), { code: "FORBIDDEN" });
  await assert.rejects(seen.press("deploy-approval/approve"), { code: "FORBIDDEN" });
  const { plugins } = await reader.client.call("ui.descriptors", {});
  assert.deepEqual(
    plugins.map(({ pluginId, descriptors }) => [pluginId, descriptors[0]?.surface]),
    [["deploy-approval", "session-header"]],
  );

  assert.equal(await session.press("deploy-approval/approve"), "Approved 1.0.0, once.");
  await session.atRest();
  assert.equal(await seen.run("/deploy status"), "1.0.0 is live.");
  assert.equal(await seen.run("/release status"), "1.0.0");
});

test("a pause holds everything, and takes back what was approved", async () => {
  await using gateway = await start([wait, deploy("1.0.0"), wait]);
  const session = await gateway.session();
  await session.run("/deploy approve 1.0.0");
  await session.atRest();
  assert.equal(await session.press("deploy-approval/pause", { paused: true }), "Deployments are paused.");
  await session.say("Deploy it now");
  await session.atRest();
  assert.match(JSON.stringify(await session.results()), /Deployments are paused by an operator/);
  assert.equal(await session.run("/deploy resume"), "Deployments may be approved again.");
});

test("a rollback goes to the version before", async () => {
  await using gateway = await start([deploy("1.0.0"), done, deploy("1.1.0"), done, deploy("1.0.0"), done]);
  const session = await gateway.session();
  assert.equal(await session.run("/rollback"), "There is nothing to go back to.");
  for (const version of ["1.0.0", "1.1.0"]) {
    await session.run(`/deploy approve ${version}`);
    await session.atRest();
  }
  assert.equal(await session.run("/rollback"), "Approved 1.0.0, once.");
  await session.atRest();
  assert.equal(await session.run("/deploy"), "1.0.0 is live.");
});

test("a kill between the approval and the resumed turn loses neither", async () => {
  const never = { until: new Promise(() => undefined) };
  await using gateway = await start([never]);
  const session = await gateway.session();
  await session.run("/deploy approve 3.0.0");
  await gateway.model.asked(1);
  await gateway.kill();
  await gateway.restart([deploy("3.0.0"), done]);
  await session.atRest();
  assert.deepEqual((await session.results())[0], { tool: "deploy", status: "ok", content: "Version 3.0.0 is live." });
  assert.equal(await session.run("/deploy"), "3.0.0 is live.");
});
