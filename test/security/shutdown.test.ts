import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { story } from "../journeys/story.ts";
import { scriptedModel } from "../kit/scripted-model.ts";

/** A client that is let in and then reads nothing more, so that saying goodbye to it takes its full time. */
async function deafClient({ url, operatorToken }: { url: string; operatorToken: string }): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
  await new Promise((resolve) => socket.once("open", resolve));
  const auth = { token: operatorToken };
  const params = { minProtocol: 1, maxProtocol: 1, client: { name: "deaf", version: "1" }, auth };
  socket.send(JSON.stringify({ type: "req", id: "1", method: "connect", params }));
  await new Promise((resolve) => socket.once("message", resolve));
  socket.pause();
  return socket;
}

it("[GW-05, RT-03] no mutating call begins after a stop was asked for, however long a client takes to go", async () => {
  const { start, person, workspace } = story();
  const answer = Promise.withResolvers<void>();
  const late = { tool: "write", args: { path: "late.txt", content: "after the stop" } };
  const gateway = await start(
    scriptedModel((_request, n) => (n === 1 ? { until: answer.promise, calls: [late] } : {})),
  );
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan off");
  await alice.say(sessionId, "write it");
  await alice.until("turn.started");
  const deaf = await deafClient(gateway);
  const stopped = gateway.stop();
  answer.resolve();
  await stopped;
  deaf.terminate();
  expect(existsSync(join(workspace, "late.txt"))).toBe(false);

  await start(scriptedModel([{ say: "done" }])); // the call was said before the stop, and is made once after it
  const again = await person();
  await again.watch(sessionId);
  const { session } = await again.client.call("sessions.get", { sessionId });
  if (session.turn.status !== "idle") await again.until("turn.finished");
  const { rows } = await again.client.call("audit.list", { sessionId });
  expect(rows.filter((row) => row.body.includes("call.claimed"))).toHaveLength(1);
});
