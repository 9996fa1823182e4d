/** A sub-agent that a job wakes again, over the whole gateway: what it returns to is a run that nobody attends. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { quiet } from "../kit/fake-clock.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const MINUTE = 60_000;

it("[GA-14, AU-07] a job in a sub-agent's conversation does not let the session above write at night", async () => {
  const { start, person, clock, workspace } = story();
  const parent = [
    { calls: [{ tool: "sessions_spawn", args: { task: "look" } }] },
    { say: "I wait." },
    { say: "Thanks." },
    { calls: [{ tool: "write", args: { path: "by-night.txt", content: "x" } }] },
    { say: "I tried." },
  ];
  let root = "";
  const model = scriptedModel(({ sessionId }) => (sessionId === root ? parent.shift() : undefined) ?? { say: "Seen." });
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  root = sessionId;
  await alice.client.call("sessions.patch", { sessionId, planMode: "normal" });
  await alice.say(sessionId, "look around");
  await alice.until("turn.finished", 2);
  const { session } = await alice.client.call("sessions.get", { sessionId });
  const [child] = SubAgentsState.parse(session.slices["subagents"]).children;
  if (child === undefined) throw new Error("no child");
  const job = { when: { delayMs: MINUTE }, message: "look again" };
  await alice.client.call("cron.add", { sessionId: child.id, job });
  await quiet();
  clock.advance(MINUTE);
  const { entries } = await model.asked(7);
  expect(entries.at(-1)).toMatchObject({ kind: "result", status: "refused", content: { rule: "unattended/held" } });
  expect(existsSync(join(workspace, "by-night.txt"))).toBe(false);
});
