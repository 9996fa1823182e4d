/** The agent's configuration tool, over the whole gateway: reading and proposing in every mode, applying only when allowed. */
import { expect, it } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const config = (args: JsonObject): ScriptStep => ({ calls: [{ tool: "config", args }] });
const QUEUE = { path: "agents.defaults.queueMode", value: "steer" };
const done: ScriptStep = { say: "Done." };

async function results({ client }: Person, sessionId: SessionId) {
  const { items } = await client.call("chat.history", { sessionId, before: null, limit: 200 });
  return items.flatMap(({ entry }) =>
    entry.kind === "result" ? [{ status: entry.status, content: entry.content }] : [],
  );
}

it("[GA-01, GA-07] reads with secrets hidden and proposes a difference while it plans; applying is refused as a change of configuration", async () => {
  const { start, person } = story();
  await start(
    scriptedModel([
      config({ action: "read", path: "mcp.servers" }),
      config({ action: "propose", ...QUEUE }),
      config({ action: "propose", path: "agents.defaults.queueMode", value: "sideways" }),
      config({ action: "apply", ...QUEUE }),
      done,
    ]),
  );
  const alice = await person();
  const server = { command: "nothing-here", env: { ACME_TOKEN: "s3cret-value" }, enabled: false };
  await alice.client.call("config.set", { path: "mcp.servers.acme", value: server });
  const sessionId = await alice.open();
  await alice.say(sessionId, "Look at the settings");
  await alice.until("turn.finished");
  const [read, proposed, wrong, applied] = await results(alice, sessionId);
  expect(read).toMatchObject({ status: "ok", content: { value: { acme: { env: { ACME_TOKEN: "***" } } } } });
  expect(JSON.stringify(await results(alice, sessionId))).not.toContain("s3cret-value");
  expect(proposed).toEqual({
    status: "ok",
    content: {
      path: QUEUE.path,
      before: "queue",
      after: "steer",
      diff: ['- agents.defaults.queueMode: "queue"', '+ agents.defaults.queueMode: "steer"'],
      applicable: true,
    },
  });
  expect(wrong?.status).toBe("error");
  expect(applied).toMatchObject({ status: "refused", content: { tool_name: "config", tool_kind: "config" } });
  expect((await alice.client.call("config.get", { path: QUEUE.path })).value).toBe("queue");
});

it("[PL-19, AE-02, ST-07] applies what a person let pass, in the audit under its name, and never what guards it", async () => {
  const { start, person } = story();
  const guards = [
    "agents.defaults.permissionMode",
    "agents.defaults.planMode.enabled",
    "approvals.quorum",
    "logging.level",
  ];
  await start(
    scriptedModel([
      config({ action: "apply", ...QUEUE }),
      config({ action: "apply", ...QUEUE }),
      done,
      ...guards.map((path) => config({ action: "apply", path, value: "bypass" })),
      done,
    ]),
  );
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan off");
  await alice.say(sessionId, "Set it");
  await alice.until("question.asked"); // outside plan mode the configuration is asked about
  await alice.until("turn.finished");
  expect((await alice.client.call("config.get", { path: QUEUE.path })).value).toBe("queue");
  await alice.act(sessionId, "allow-once");
  await alice.until("turn.finished", 2);
  expect((await alice.client.call("config.get", { path: QUEUE.path })).value).toBe("steer");
  const { rows } = await alice.client.call("audit.list", { afterSeq: 0, limit: 200 });
  const set = rows.filter(({ body }) => body.includes('"config.set"'));
  expect(set).toMatchObject([{ actor: `agent:${sessionId}`, body: expect.stringContaining(QUEUE.path) }]);

  await alice.say(sessionId, "/permissions bypass");
  await alice.say(sessionId, "Now loosen it");
  await alice.until("turn.finished", 3);
  for (const { status, content } of (await results(alice, sessionId)).slice(-guards.length)) {
    expect(status).toBe("error");
    expect(content).toContain("is for a person to set");
  }
});

it("[GW-07, GA-07] shows no secret in the whole configuration either: what plugins are configured with, and what servers are started with", async () => {
  const { start, person } = story();
  await start(
    scriptedModel([
      config({ action: "read" }),
      config({ action: "read", path: "plugins" }),
      config({ action: "read", path: "mcp" }),
      done,
    ]),
  );
  const alice = await person();
  const server = { command: "x", args: ["--token", "s3cret-one", "--api-key=s3cret-two", "serve"], enabled: false };
  await alice.client.call("config.set", { path: "mcp.servers.acme", value: server });
  await alice.client.call("config.set", { path: "plugins.entries.acme.config", value: { hook: "s3cret-three" } });
  const sessionId = await alice.open();
  await alice.say(sessionId, "Look at the settings");
  await alice.until("turn.finished");
  const read = await results(alice, sessionId);
  expect(read.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(JSON.stringify(read)).toContain('"args":["--token","***","--api-key=***","serve"]');
  expect(JSON.stringify(read).match(/s3cret-[a-z]+/g)).toBeNull();
});
