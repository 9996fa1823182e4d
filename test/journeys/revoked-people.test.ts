/** People, log-ins and passkeys that are revoked after they signed, over the whole gateway; and backups in which they are not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { RunningGateway } from "../../src/gateway.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { type OperatorId } from "../../src/protocol/ids.ts";
import { JobId } from "../../src/scheduler/protocol/schedule.ts";
import { ask } from "../kit/browser-login.ts";
import { enrol, refusalIn, signed as signedBy } from "../kit/presence-world.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type SoftwareAuthenticator, softwareAuthenticator } from "../kit/software-authenticator.ts";
import { typedCommand } from "../kit/typed-command.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import {
  cardIn,
  HOUR,
  hourly,
  jobOf,
  lastOf,
  nextRun,
  operator,
  proposal,
  resultsIn,
  sign,
  signed,
  standingsOf,
  tidied,
  tidying,
  until,
  write,
} from "./standing-world.ts";
import { type Person, story } from "./story.ts";

type Browser = { client: WireClient; device: OperatorId; logOut(): Promise<void> };

/** A browser that this person logs in by a link. */
async function browserOf({ client }: Person, { url }: Pick<RunningGateway, "url">): Promise<Browser> {
  const { fragment } = await client.call("tokens.link", {});
  const reply = await ask({ url }, "/auth/exchange", { body: { code: fragment.replace("#login=", "") } });
  const {
    tabSecret,
    browserSecret,
    operator: of,
  } = JSON.parse(reply.body) as {
    tabSecret: string;
    browserSecret: string;
    operator: { device: OperatorId };
  };
  const cookie = (reply.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  const wire = await wireClient({ url, tabSecret, headers: { cookie, origin: url } });
  onTestFinished(() => wire.close());
  const logOut = async (): Promise<void> => {
    expect((await ask({ url }, "/auth/logout", { body: { browserSecret }, headers: { cookie } })).status).toBe(200);
  };
  return { client: wire, device: of.device, logOut };
}

const LONG = { standing: { runs: 9, days: 9 } };

type Signing = { alice: Person; sessionId: SessionId; more?: object; key?: SoftwareAuthenticator };

/** Signs in the browser, with a passkey where one is asked for. */
async function signThere({ client }: Browser, { alice, sessionId, more = {}, key }: Signing) {
  const { approvalId, digest } = await cardIn(alice, sessionId);
  const asked = { sessionId, planApproval: { action: "approve", approvalId, digest, ...more } };
  if (key === undefined) return client.must("sessions.patch", asked as never);
  const presence = signedBy(key, refusalIn(await client.request("sessions.patch", asked as never)));
  return client.must("sessions.patch", { ...asked, presence } as never);
}

const oneStands = (alice: Person) =>
  until(
    () => standingsOf(alice),
    (found) => found.length === 1,
  );

async function passkeyOf({ client }: Person, { url, port }: RunningGateway): Promise<SoftwareAuthenticator> {
  await client.call("config.set", { path: "approvals", value: { presence: "passkey" } });
  const key = softwareAuthenticator(`http://localhost:${port}`);
  const { link } = await client.call("passkeys.link", {});
  const enrolled = await enrol({ url } as never, { link, key });
  expect([enrolled.status, enrolled.body]).toEqual([200, expect.anything()]);
  return key;
}

/** A model whose next run writes only after `next` has happened. */
function tidyingWhile() {
  const during: { next?: (() => Promise<unknown>) | undefined } = {};
  const model = tidying((request) => {
    const happens = lastOf(request)?.kind === "input" ? during.next : undefined;
    during.next = undefined;
    return happens === undefined ? undefined : { until: happens(), ...write("tidied-meanwhile.txt") };
  });
  return Object.assign(during, { model });
}

it("[GA-14, GW-10] a plan that stands by a passkey stands no more once that passkey is revoked, also in a run under way", async () => {
  const { start, person, clock, workspace } = story();
  const during = tidyingWhile();
  const gateway = await start(during.model);
  const alice = await person();
  const key = await passkeyOf(alice, gateway);
  const browser = await browserOf(alice, gateway);
  const jobId = await hourly(alice.client);
  await nextRun(alice, jobId, clock);
  await signThere(browser, { alice, sessionId: await proposal(alice), more: LONG, key });
  await oneStands(alice);
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);

  during.next = () => alice.client.call("passkeys.revoke", { credentialId: key.credentialId });
  const run = await nextRun(alice, jobId, clock);
  expect((await resultsIn(alice, run.runs.at(-1)?.sessionId))[0]).toMatchObject({
    status: "refused",
    content: { rule: "standing/void" },
  });
  expect((await standingsOf(alice))[0]).toMatchObject({ ended: { why: "revoked" } });
  await nextRun(alice, jobId, clock);
  expect(tidied(workspace)).toBe(1);
});

it("[GA-14, GW-03] what a browser signed and scheduled ends when its log-in is revoked, and stays when it only logs out", async () => {
  const { start, person, clock, workspace } = story();
  const gateway = await start(tidying());
  const alice = await person();
  const browser = await browserOf(alice, gateway);
  const job = { when: { everyMs: HOUR }, name: "Tidy", message: "tidy up" };
  const own = JobId.parse((await browser.client.must("cron.add", { job, agentId: "main" })).jobId);
  await nextRun(alice, own, clock);
  await signThere(browser, { alice, sessionId: await proposal(alice), more: LONG });
  await oneStands(alice);
  await browser.logOut();
  await nextRun(alice, own, clock);
  expect(tidied(workspace)).toBe(1);

  await alice.client.call("tokens.revoke", { id: browser.device }); // it turns out to have been stolen
  const stopped = await until(
    () => jobOf(alice, own),
    ({ now }) => now.status === "off",
  );
  expect(stopped.now).toMatchObject({ why: "revoked" });
  expect((await standingsOf(alice))[0]).toMatchObject({ used: [{ n: 1 }], ended: { why: "revoked" } });
  clock.advance(3 * HOUR);
  await alice.client.call("cron.update", { jobId: own, enabled: true }); // hers from here on
  await nextRun(alice, own, clock);
  expect(tidied(workspace)).toBe(1);
});

it("[PL-18, GW-03] of two signatures one does not count whose log-in was revoked in between, and what it approved is locked", async () => {
  const here = story();
  const gateway = await here.start(
    scriptedModel(({ entries }) => {
      const last = entries.at(-1);
      if (last?.kind === "result") return { say: "I tried." };
      const told = last?.kind === "input" ? last.text : "";
      if (told.includes("plan it"))
        return { calls: [{ tool: "exit_plan_mode", args: { title: "Write it", plan: [{ step: "write" }] } }] };
      return told.includes("write it") ? write("tidied.txt") : { say: "Ready." };
    }),
  );
  const alice = await here.person();
  const bob = await operator(alice, gateway, "bob");
  const planned = async (count: number) => {
    const sessionId = await alice.open();
    for (const text of ["/plan on", "plan it"]) await alice.say(sessionId, text);
    await alice.until("plan.submitted", count);
    return sessionId;
  };
  const alone = await planned(1);
  const browser = await browserOf({ ...alice, client: bob.client }, gateway);
  await signThere(browser, { alice, sessionId: alone });
  await alice.client.call("config.set", { path: "agents.defaults.planMode.approvals", value: { quorum: 2 } });
  const together = await planned(2);
  expect(await signThere(browser, { alice, sessionId: together })).toMatchObject({ reply: { missing: 1 } });
  await alice.client.call("tokens.revoke", { id: browser.device });

  expect(await sign(alice, together)).toMatchObject({ reply: { missing: 1 } });
  expect((await alice.plan(together)).now.phase).toBe("pending");
  await alice.say(alone, "write it");
  const results = await until(
    () => resultsIn(alice, alone),
    (found) => found.some(({ tool }) => tool === "write"),
  );
  expect(results.at(-1)).toMatchObject({ tool: "write", status: "refused" });
  expect(tidied(here.workspace)).toBe(0);
  await sign({ ...alice, client: bob.client }, together); // bob himself was not revoked
  expect((await alice.plan(together)).now.phase).toBe("executing");
});

it.each(["owns", "signed for"])(
  "[GA-14, I19] a run under way changes nothing more once whoever %s its job is revoked",
  async (what) => {
    const { start, person, clock, workspace } = story();
    const during = tidyingWhile();
    const gateway = await start(during.model);
    const alice = await person();
    const bob = await operator(alice, gateway, "bob");
    const [owner, signer] = what === "owns" ? [bob.client, alice.client] : [alice.client, bob.client];
    const jobId = await hourly(owner);
    await nextRun(alice, jobId, clock);
    await sign({ ...alice, client: signer }, await proposal(alice), {});
    await oneStands(alice);
    during.next = () => alice.client.call("tokens.revoke", { id: bob.id });
    const run = await nextRun(alice, jobId, clock);
    expect((await resultsIn(alice, run.runs.at(-1)?.sessionId))[0]).toMatchObject({ status: "refused" });
    expect(tidied(workspace)).toBe(0);
  },
);

it("[GW-03, GW-08, GA-14] a restored backup revives no job of a revoked operator, no passkey, and no plan that stood for a job", async () => {
  const { start, stop, person, clock, home, workspace } = story();
  const gateway = await start(tidying());
  const alice = await person();
  const bob = await operator(alice, gateway, "bob");
  const own = await signed(alice, clock);
  const bobs = await hourly(bob.client); // second, so that one plan waits at a time
  const key = await passkeyOf(alice, gateway);
  const { path } = await alice.client.call("backup.create", {});
  await alice.client.call("tokens.revoke", { id: bob.id });
  await alice.client.call("passkeys.revoke", { credentialId: key.credentialId });
  await alice.client.call("cron.withdraw", { jobId: own });
  await stop();
  const ran = tidied(workspace);

  expect(await typedCommand(home, ["restore", path])).toMatchObject({ code: 0 });
  expect(existsSync(join(home, "revoked.jsonl"))).toBe(true);
  await start(tidying());
  const again = await person();
  expect((await again.client.call("passkeys.list", {})).passkeys).toMatchObject([{ state: "revoked" }]);
  await nextRun(again, own, clock);
  expect(tidied(workspace)).toBe(ran);
  expect((await standingsOf(again))[0]).toMatchObject({ ended: { why: "revoked" } });
  const stopped = await until(
    () => jobOf(again, bobs),
    ({ now }) => now.status === "off",
  );
  expect(stopped.now).toMatchObject({ why: "revoked" });
});
