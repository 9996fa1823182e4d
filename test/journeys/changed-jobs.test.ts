/** Every way in which a job with a signed standing plan can be changed, over the whole gateway: what was signed ends with it. */
import { expect, it } from "vitest";
import type { HoldpointClient } from "../../src/client/index.ts";
import { definePlugin } from "../../src/plugins/sdk.ts";
import type { ParamsOf } from "../../src/all-methods.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { JobId } from "../../src/scheduler/protocol/schedule.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import {
  HOUR,
  jobOf,
  lastOf,
  nextRun,
  proposal,
  resultsIn,
  sign,
  signed,
  standingsOf,
  tidied,
  tidying,
  until,
} from "./standing-world.ts";
import { story } from "./story.ts";

type Patch = NonNullable<ParamsOf<"cron.update">["patch"]>;

/** Each field that can be patched, with another value than the job has. */
const PATCHES: Readonly<Record<string, Patch>> = {
  "another text": { message: "tidy up, and send me the keys" },
  "another time": { when: { everyMs: 2 * HOUR } },
  "the same time, from another moment on": { when: { everyMs: HOUR } },
  "another name": { name: "Tidy more" },
  "a longer time to run": { timeoutMs: 21_600_000 },
  "another delivery": { deliver: "wake" },
  "more times that are made up for": { catchUp: "all", catchUpMax: 24 },
  "more failures": { failuresMax: 20 },
  jitter: { jitterMs: 1_000 },
};

it.each(Object.keys(PATCHES))(
  "[GA-14] cron.update with %s ends what was signed, and the next run is held",
  async (what) => {
    const { start, person, clock, workspace } = story();
    await start(tidying());
    const alice = await person();
    const jobId = await signed(alice, clock);
    await alice.client.call("cron.update", { jobId, patch: PATCHES[what] ?? {} });
    expect((await standingsOf(alice))[0]).toMatchObject({ used: [], ended: { why: "job_changed" } });
    clock.advance(HOUR);
    await nextRun(alice, jobId, clock);
    expect(tidied(workspace)).toBe(0);
  },
);

it("[GA-14] a patch that names the job's own values is a change like any other; pausing and going on is none", async () => {
  const { start, person, clock, workspace } = story();
  await start(tidying());
  const alice = await person();
  const jobId = await signed(alice, clock);
  for (const enabled of [false, true]) await alice.client.call("cron.update", { jobId, enabled });
  expect((await standingsOf(alice))[0]).not.toHaveProperty("ended");
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);
  const { name, work } = await jobOf(alice, jobId);
  await alice.client.call("cron.update", { jobId, patch: { name, message: work.message } });
  expect((await standingsOf(alice))[0]).toMatchObject({ used: [{ n: 1 }], ended: { why: "job_changed" } });
});

const meddling = (orders: string[]) =>
  definePlugin({
    id: "meddling",
    name: "Meddling",
    description: "for tests",
    register(api) {
      api.commands.registerCommand({
        name: "meddle",
        requiredScopes: ["operator.write"],
        async handler({ session: { id: sessionKey } }) {
          const plain = { sessionKey, message: "tidy up", delayMs: 60_000 };
          const tried = [
            () => api.session.workflow.unscheduleSessionTurnsByTag({ sessionKey, tag: "Tidy" }),
            () => api.session.workflow.scheduleSessionTurn({ ...plain, tag: "Tidy" }),
          ];
          for (const attempt of tried)
            orders.push(
              await attempt().then(
                (answer) => JSON.stringify(answer),
                (error: unknown) => String(error),
              ),
            );
          return { message: "tried" };
        },
      });
    },
  });

const cron = (args: JsonObject): ScriptStep => ({ calls: [{ tool: "cron", args }] });

/** In the conversation that the job lives in: its agent, told what to do with the job. */
async function inConversation(told: (jobId: string) => JsonObject) {
  const here = story();
  const orders: string[] = [];
  let isTold = false;
  const model = tidying((request) => {
    const last = lastOf(request);
    const text = last?.kind === "input" ? last.text : "";
    if (text.includes("meddle with")) {
      isTold = true;
      return cron(told(text.slice(text.indexOf("job_")).trim()));
    }
    return isTold && last?.kind === "result" && last.tool === "cron" ? { say: "Meddled." } : undefined;
  });
  await here.start(model, { plugins: [{ plugin: meddling(orders), tier: "trusted" }] });
  const alice = await here.person();
  const sessionId = await alice.open();
  const job = { when: { everyMs: HOUR }, name: "Tidy", message: "tidy up", isolated: true };
  const jobId = JobId.parse((await alice.client.call("cron.add", { sessionId, job })).jobId);
  await nextRun(alice, jobId, here.clock);
  await sign(alice, await proposal(alice), {});
  await until(
    () => standingsOf(alice),
    (found) => found.length === 1,
  );
  return { ...here, alice, sessionId, jobId, orders };
}

it.each(["remove", "disable", "enable", "run"])(
  "[GA-14, AU-07] an agent cannot %s the job of an operator, also while nothing holds it",
  async (action) => {
    const { alice, sessionId, jobId, workspace } = await inConversation((job_id) => ({ action, job_id }));
    await alice.say(sessionId, "/plan off");
    await alice.say(sessionId, `meddle with ${jobId}`);
    const results = await until(
      () => resultsIn(alice, sessionId),
      (found) => found.some(({ tool }) => tool === "cron"),
    );
    expect(results.at(-1)).toMatchObject({ status: "error", content: expect.stringContaining("belongs to operator") });
    expect((await standingsOf(alice))[0]).not.toHaveProperty("ended");
    expect(tidied(workspace)).toBe(0);
  },
);

it("[GA-14, PG-08] a plugin reaches no job but its own, and a command of the conversation none at all", async () => {
  const { alice, sessionId, jobId, orders, clock, workspace } = await inConversation(() => ({ action: "list" }));
  await alice.say(sessionId, "/meddle");
  expect(orders).toEqual([JSON.stringify({ removed: 0 }), expect.stringContaining("jobId")]);
  const [standing] = await standingsOf(alice);
  expect(standing).toMatchObject({ jobId });
  expect(standing).not.toHaveProperty("ended");
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1); // the signed one, and no other
});

it("[GA-14] the conversation that the job lives in goes: deleted, its job and what was signed go with it", async () => {
  const { alice, sessionId, clock, workspace } = await inConversation(() => ({ action: "list" }));
  await alice.client.call("sessions.delete", { sessionId });
  clock.advance(3 * HOUR);
  await expect.poll(async () => (await alice.client.call("cron.list", {})).jobs).toEqual([]);
  expect(await standingsOf(alice)).toEqual([]);
  expect(tidied(workspace)).toBe(0);
});

it("[GA-14, GW-09] the conversation's place and agent cannot be patched under what was signed", async () => {
  const { alice, sessionId } = await inConversation(() => ({ action: "list" }));
  for (const change of [
    { workspace: "/" },
    { agentId: "other" },
    { role: "root" },
    { model: "other" },
    { scheduler: {} },
  ])
    await expect(patch(alice.client, sessionId, change)).rejects.toThrow(/unknown|unrecognized|not/i);
});

const patch = (client: HoldpointClient, sessionId: SessionId, change: object) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no such field
  client.call("sessions.patch", { sessionId, ...change } as never);

it("[GA-14, I19] what an agent changes while it carries the signed plan out covers nothing further: no second job, no longer text", async () => {
  const here = story();
  await here.start(
    tidying((request) => {
      const last = lastOf(request);
      const isUnderPlan = last?.kind === "input" && last.text.includes("[PLAN_DECISION]");
      return isUnderPlan ? cron({ action: "add", message: "tidy up for ever", every_ms: 60_000 }) : undefined;
    }),
  );
  const alice = await here.person();
  const jobId = await signed(alice, here.clock);
  const run = await nextRun(alice, jobId, here.clock);
  const results = await resultsIn(alice, run.runs.at(-1)?.sessionId);
  expect(results[0]).toMatchObject({ tool: "cron", status: expect.not.stringMatching("ok") });
  const { jobs } = await alice.client.call("cron.list", {});
  expect(jobs.map(({ id }) => id)).toEqual([jobId]);
});
