import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

/** Methods of plugins are not in the types of the client. @param {any} client @param {string} method @param {object} params */
const asked = (client, method, params = {}) => client.call(method, params);

test("an approval from the chat resumes the agent, which is told who ran what", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname });
  const session = await gateway.session();
  assert.equal(await session.run("/telegram approve"), "Approved.");
  await session.atRest();
  assert.deepEqual(await session.inputs(), [
    "[PLUGIN_COMMAND desk-channel]\nlocal ran /telegram approve.\n[/PLUGIN_COMMAND]",
  ]);
  await assert.rejects(session.run("/telegram"), { code: "COMMAND_USAGE" });
});

test("a handoff is seen by everybody, and a summary needs no more than to read", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname });
  const session = await gateway.session();
  assert.equal(await session.run("/slack handoff Ben"), "Ben looks after it now.");
  const reader = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  const seen = await reader.session(session.id);
  assert.match(await seen.run("/email summarize"), /Ben looks after it\.$/);
  await assert.rejects(seen.run("/slack handoff Cy"), { code: "FORBIDDEN" });
});

test("the channel brings in nothing of strangers, and is sent what it follows", async () => {
  await using gateway = await startTestGateway({ folder: import.meta.dirname });
  const session = await gateway.session();
  const { client } = gateway;
  const stranger = { conversation: "c1", eventId: "e1", person: "mallory", text: "/telegram approve" };
  assert.deepEqual(await asked(client, "desk-channel.bring", stranger), { outcome: "dropped" });
  await asked(client, "desk-channel.follow", { conversation: "c1", sessionId: session.id });
  await session.run("/slack handoff Ben");
  await session.when(async () => (await asked(client, "desk-channel.sent")).sent.length > 0);
  const reader = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  assert.equal((await asked(reader.client, "desk-channel.sent")).sent[0].conversation, "c1");
  await assert.rejects(asked(reader.client, "desk-channel.follow", { conversation: "c2", sessionId: session.id }), {
    code: "FORBIDDEN",
  });
});
