/** Scheduled work with nobody there, over the whole gateway: it reads, and what it would change stays as it is. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { quiet } from "../kit/fake-clock.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const MINUTE = 60_000;

const lastOf = (request: ModelRequest) => request.entries.at(-1);

/** Writes a file whenever it is told something, and then says what came of it. */
const writing = (path: string) =>
  scriptedModel((request) =>
    lastOf(request)?.kind === "result"
      ? { say: "I tried." }
      : { calls: [{ tool: "write", args: { path, content: "x" } }] },
  );

/** With plan mode off everywhere: the hold does not depend on it. */
async function opened(person: Person): Promise<SessionId> {
  await person.client.call("config.set", { path: "agents.defaults.planMode.enabled", value: false });
  const sessionId = await person.open();
  await person.client.call("sessions.patch", { sessionId, planMode: "normal" });
  return sessionId;
}

it("[GA-14, AU-07] a job that wakes a conversation only reads, after a restart too; the person in it may write", async () => {
  const { start, stop, person, clock, workspace } = story();
  const first = writing("by-person.txt");
  await start(first);
  const alice = await person();
  const sessionId = await opened(alice);
  await alice.say(sessionId, "write it");
  await alice.until("turn.finished");
  expect(existsSync(join(workspace, "by-person.txt"))).toBe(true);
  await alice.client.call("cron.add", { sessionId, job: { when: { delayMs: MINUTE }, message: "tidy up" } });
  await stop();

  clock.leap(2 * MINUTE);
  const second = writing("by-job.txt");
  await start(second);
  const refused = await second.asked(2);
  expect(lastOf(refused)).toMatchObject({
    kind: "result",
    status: "refused",
    content: { tool_name: "write", rule: "unattended/held", matched: "no person started this turn" },
  });
  expect(existsSync(join(workspace, "by-job.txt"))).toBe(false);
});

it("[GA-14, AU-07] an isolated run is held, until the configuration says open, which the status names", async () => {
  const { start, person, clock, workspace } = story();
  const model = writing("by-run.txt");
  await start(model);
  const alice = await person();
  const sessionId = await opened(alice);
  const job = { when: { delayMs: MINUTE }, message: "nightly", isolated: true };
  await alice.client.call("cron.add", { sessionId, job });
  await quiet();
  clock.advance(MINUTE);
  expect(lastOf(await model.asked(2))).toMatchObject({
    status: "refused",
    content: { rule: "unattended/held", matched: "a cron run" },
  });
  expect(existsSync(join(workspace, "by-run.txt"))).toBe(false);
  expect((await alice.client.call("status", {})).notes).toEqual([]);

  await alice.client.call("config.set", { path: "automation.unattended", value: "open" });
  expect((await alice.client.call("status", {})).notes).toEqual([
    expect.stringContaining("automation.unattended is open"),
  ]);
  await alice.client.call("cron.add", { sessionId, job });
  await quiet();
  clock.advance(MINUTE);
  expect(lastOf(await model.asked(4))).toMatchObject({ status: "ok" });
  expect(existsSync(join(workspace, "by-run.txt"))).toBe(true);
});
