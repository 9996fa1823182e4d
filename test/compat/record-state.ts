/** A home folder with a session in each phase, written by the version of the recording, and how clients saw each of them. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import type { ModelRequest } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { ScriptStep } from "../../src/testing/scripted-model.ts";
import { dumpDatabase } from "./sql-dump.ts";
import { ask, complete, openWorld, say, submit, write } from "./world.ts";

const DAY_MS = 86_400_000;
const never = new Promise<never>(() => undefined);

/** Each session says at its beginning what its agent is to do. */
function answer({ entries }: ModelRequest): ScriptStep {
  const texts = entries.map((entry) => (entry.kind === "input" ? entry.text : ""));
  const wanted = texts.flatMap((text) => /do:(\w+)/.exec(text)?.[1] ?? [])[0];
  const results = entries.filter((entry) => entry.kind === "result").length;
  if (wanted === "question") return results === 0 ? ask : say("Thank you.");
  if (wanted === "explore" || wanted === undefined) return say("I look around.");
  if (results === 0) return submit(`Greet: ${wanted}`);
  if (wanted === "run") return { say: "I begin.", until: never, deaf: true };
  if (wanted === "complete") return [write, complete][results - 1] ?? say("Done.");
  return say("I stop here.");
}

type Scene = { client: HoldpointClient; until(event: string): Promise<void> };

function sceneOf(client: HoldpointClient): Scene {
  const seen: string[] = [];
  let arrived = Promise.withResolvers<undefined>();
  client.on("*", ({ event }) => {
    seen.push(event);
    arrived.resolve(undefined);
    arrived = Promise.withResolvers();
  });
  return {
    client,
    async until(event) {
      while (!seen.includes(event)) await arrived.promise;
      seen.splice(0, seen.indexOf(event) + 1);
    },
  };
}

async function opened({ client }: Scene, title: string): Promise<SessionId> {
  const { session } = await client.call("sessions.create", { title });
  await client.subscribe(session.id);
  return session.id;
}

async function told(scene: Scene, text: string): Promise<SessionId> {
  const sessionId = await opened(scene, text);
  await scene.client.call("chat.send", { sessionId, text });
  await scene.until("turn.finished");
  return sessionId;
}

const decide = async ({ client }: Scene, sessionId: SessionId, line: string): Promise<void> =>
  void (await client.call("commands.run", { sessionId, name: "plan", args: line }));

async function play(scene: Scene): Promise<Record<string, SessionId>> {
  const { client } = scene;
  const exploring = await told(scene, "do:explore");
  const pending = await told(scene, "do:pending");
  await decide(scene, pending, "note 1 more polite");
  const { plans } = await client.call("plans.list", { sessionId: pending });
  if (plans[0] !== undefined) await client.call("plans.share", { planId: plans[0].planId });
  const rejected = await told(scene, "do:reject");
  await decide(scene, rejected, "revise be polite");
  await scene.until("turn.finished");
  const question = await told(scene, "do:question");
  const completed = await told(scene, "do:complete");
  await decide(scene, completed, "accept");
  await scene.until("turn.finished");
  const job = await opened(scene, "a job");
  await client.call("cron.add", {
    sessionId: job,
    job: { when: { everyMs: 3_600_000 }, message: "look", name: "Look" },
  });
  const plugin = await opened(scene, "a plugin");
  await client.call("sessions.patch", { sessionId: plugin, planMode: "normal" });
  await client.call("commands.run", { sessionId: plugin, name: "deploy", args: "approve" });
  await scene.until("turn.finished");
  const executing = await told(scene, "do:run");
  await decide(scene, executing, "accept");
  await scene.until("turn.started");
  return { exploring, pending, rejected, question, completed, job, plugin, executing };
}

export async function recordState(folder: string, into: string): Promise<void> {
  const { gateway, clock, model } = await openWorld(folder, answer);
  const client = connectHoldpoint({
    url: gateway.url,
    token: gateway.operatorToken,
    clientName: "recorder",
    surface: "cli",
  });
  await client.ready();
  const scene = sceneOf(client);
  const timedOut = await told(scene, "do:late");
  clock.advance(DAY_MS + 1);
  await scene.until("plan.timed_out");
  const ids: Record<string, SessionId> = { timedOut, ...(await play(scene)) };
  await model.asked(model.requests.length);
  const { path } = await client.call("backup.create", {});
  const views: Record<string, unknown> = {};
  for (const [name, sessionId] of Object.entries(ids))
    views[name] = (await client.call("sessions.get", { sessionId })).session;
  const named = (text: string): string => text.replaceAll(join(folder, "workspace"), "<workspace>");
  writeFileSync(join(into, "state.sql"), named(dumpDatabase(path)));
  writeFileSync(
    join(into, "state.json"),
    `${named(JSON.stringify({ atMs: clock.now(), sessions: views }, null, 1))}\n`,
  );
  for (const name of ["config.yaml", "plugin-sweeps.json"]) copyFileSync(join(folder, "home", name), join(into, name));
  client.close(); // the gateway is not stopped: its last turn would never end
}
