/** A browser that wants to be told: subscribed, told in the real wire format, forgotten when it is gone or logged out. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type RunningGateway, startGateway } from "../../src/gateway.ts";
import { isPushEndpoint } from "../../src/gateway/push/push-endpoints.ts";
import { OperatorId } from "../../src/protocol/ids.ts";
import { ask } from "../kit/browser-login.ts";
import { pushBrowser, type PushReceiver, pushReceiver, vapidClaims } from "../kit/push-receiver.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const PAGE = "https://hold.example";
const SECRET = "Sell the lighthouse to Mallory";

const submits: ScriptStep = {
  calls: [{ tool: "exit_plan_mode", args: { title: SECRET, plan: [{ step: "Sign the deed", status: "pending" }] } }],
};

let root: string;
let service: PushReceiver;
let gateway: RunningGateway;
let local: WireClient;
const closing: WireClient[] = [];

async function begin(): Promise<void> {
  const model = scriptedModel(() => submits);
  const home = join(root, "home");
  const started = await startGateway({ home, workspace: root, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in started) throw new Error("already running");
  gateway = started;
  local = await wireClient({ url: gateway.url, token: gateway.operatorToken });
  closing.push(local);
}

async function end(): Promise<void> {
  for (const client of closing.splice(0)) client.close();
  await gateway.stop();
}

function configure(more: object): void {
  const agents = { defaults: { model: "demo", planMode: { enabled: true, defaultActive: true } } };
  const text = JSON.stringify({ agents, gateway: { pageAddress: PAGE, pushServices: [service.origin], ...more } });
  writeFileSync(join(root, "home", "config.yaml"), text, { mode: 0o600 });
}

const Exchanged = z.object({ tabSecret: z.string(), operator: z.object({ device: z.string() }) });

/** Logged in by a link as a page does it. */
async function browser(): Promise<{ client: WireClient; device: string }> {
  const { fragment } = await local.must("tokens.link", {});
  const code = fragment.replace("#login=", "");
  const reply = await ask(gateway, "/auth/exchange", { body: { code } });
  const { tabSecret, operator } = Exchanged.parse(JSON.parse(reply.body));
  const cookie = String(reply.headers["set-cookie"]).split(";")[0] ?? "";
  const client = await wireClient({ url: gateway.url, tabSecret, headers: { cookie, origin: gateway.url } });
  closing.push(client);
  return { client, device: operator.device };
}

async function planWaits(): Promise<{ sessionId: string; cardId: string }> {
  const { session } = await local.must("sessions.create", {});
  await local.must("chat.send", { sessionId: session.id, text: "Do it." });
  const cardId = async () => (await local.must("sessions.get", { sessionId: session.id })).session.waiting?.id;
  await expect.poll(cardId).toBeDefined();
  return { sessionId: session.id, cardId: (await cardId()) ?? "" };
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "holdpoint-push-"));
  mkdirSync(join(root, "home"), { mode: 0o700 });
  service = await pushReceiver();
  configure({ webPush: true });
  await begin();
});
afterAll(async () => {
  await end();
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

describe("Web Push", () => {
  it("[UI-15] tells a subscribed browser what waits, encrypted for it alone, and never a word of the plan", async () => {
    const { client } = await browser();
    const phone = pushBrowser(`${service.origin}/phone`);
    const { publicKey } = await client.must("push.key", {});
    await client.must("push.subscribe", phone.target);
    const { sessionId, cardId } = await planWaits();
    await expect.poll(() => service.received.length).toBe(1);
    const [pushed] = service.received.splice(0);
    expect(pushed?.headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: "14400" });
    const text = phone.decrypt(pushed?.body ?? Buffer.alloc(0));
    expect(JSON.parse(text)).toEqual({ kind: "approval", sessionId, cardId });
    for (const word of SECRET.split(" ").filter(({ length }) => length > 3)) expect(text).not.toContain(word);
    const claims = vapidClaims(pushed?.headers.authorization ?? "", publicKey ?? "");
    expect([claims.aud, claims.sub, claims.exp * 1_000 > Date.now()]).toEqual([service.origin, PAGE, true]);
  });

  it("[UI-15] remembers browsers and its key across a restart, and forgets the one whose service says that it is gone", async () => {
    const { publicKey } = await local.must("push.key", {});
    await end();
    await begin();
    expect((await local.must("push.key", {})).publicKey).toBe(publicKey);
    service.answers.set("/phone", 410);
    await planWaits();
    await expect.poll(() => service.received.length).toBe(1);
    const { client } = await browser();
    const tablet = pushBrowser(`${service.origin}/tablet`);
    await client.must("push.subscribe", tablet.target);
    service.received.length = 0;
    await planWaits();
    await expect.poll(() => service.received.map(({ path }) => path)).toEqual(["/tablet"]);
  });

  it("[UI-15] tells a browser nothing any more once its log-in was ended", async () => {
    const { client, device } = await browser();
    const laptop = pushBrowser(`${service.origin}/laptop`);
    await client.must("push.subscribe", laptop.target);
    await local.must("tokens.revoke", { id: OperatorId.parse(device) });
    service.received.length = 0;
    await planWaits();
    await expect.poll(() => service.received.map(({ path }) => path)).toEqual(["/tablet"]);
  });

  it("[UI-15] takes browsers only, known services only, and only while it is switched on under https and a name", async () => {
    const { client } = await browser();
    const { target } = pushBrowser(`${service.origin}/other`);
    const refused = async (by: WireClient, endpoint = target.endpoint) =>
      (await by.request("push.subscribe", { ...target, endpoint }))?.ok;
    expect(await refused(local)).toBe(false); // a program has no screen
    expect(await refused(client, "http://169.254.169.254/latest")).toBe(false);
    await client.must("push.subscribe", target);
    await client.must("push.unsubscribe", { endpoint: target.endpoint });
    await local.must("config.set", { path: "gateway.webPush", value: false });
    await expect.poll(() => local.must("push.key", {})).toEqual({ publicKey: null, off: "setting" });
    expect(await refused(client)).toBe(false);
    service.received.length = 0;
    await planWaits();
    await local.must("config.set", { path: "gateway.webPush", value: true });
    await local.must("config.set", { path: "gateway.pageAddress", value: "http://192.0.2.1" });
    await expect.poll(() => local.must("push.key", {})).toEqual({ publicKey: null, off: "address" });
    await planWaits();
    expect(service.received).toEqual([]);
  });
});

it("[UI-15] knows the push services of browsers, and nothing that only looks like one", () => {
  const good = [
    "https://fcm.googleapis.com/fcm/send/x",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://web.push.apple.com/x",
    "https://wns2-par02p.notify.windows.com/w/?token=x",
    "https://push.own.example/x",
  ];
  const bad = [
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com:8443/x",
    "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evilpush.apple.com.example/x",
    "https://127.0.0.1/x",
    "nothing",
  ];
  const isService = (endpoint: string): boolean => isPushEndpoint(endpoint, ["https://push.own.example"]);
  expect([good.map(isService), bad.map(isService)]).toEqual([good.map(() => true), bad.map(() => false)]);
});
