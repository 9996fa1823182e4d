import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SeenMessage } from "../../src/channels/contract/fake-vendor.ts";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startGateway } from "../../src/gateway.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Scope } from "../../src/protocol/actor.ts";
import { approvalIn } from "../../src/protocol/card/card.ts";
import { ApprovalId, OperatorId } from "../../src/protocol/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { startFakeSlack } from "../kit/channels/fake-slack.ts";
import { startFakeTelegram } from "../kit/channels/fake-telegram.ts";
import { signedHook, startFakeWebhook } from "../kit/channels/fake-webhook.ts";
import { fakeClock } from "../kit/fake-clock.ts";
import { seeded } from "../kit/random.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";

const ALL: Scope[] = ["operator.read", "operator.write", "operator.approvals"];
const HOUR_MS = 3_600_000;
const GREET = { step: "Greet", status: "pending" };
const submit = (title: string): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: { title, summary: "To be polite.", plan: [GREET] } }],
});
const done: ScriptStep = {
  calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: "Greet", status: "completed" }] } }],
};

/** One gateway with Telegram, Slack and a webhook; Alice is on Telegram, Bob on Slack, Carol behind the webhook. */
async function world(script: readonly ScriptStep[]) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-across-"));
  const home = join(folder, "home");
  mkdirSync(join(folder, "workspace"));
  mkdirSync(home, { mode: 0o700 });
  const [telegram, slack, hook] = [await startFakeTelegram(), await startFakeSlack(), await startFakeWebhook()];
  const channels = {
    telegram: { kind: "telegram", token: telegram.token, apiRoot: telegram.apiRoot },
    slack: { ...slack.settings, inbox: ["D502"] },
    webhook: hook.settings,
  };
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ channels, agents }), { mode: 0o600 });
  const clock = fakeClock(Date.UTC(2026, 0, 5, 9));
  const onFatal = (error: Error): never => {
    throw error;
  };
  const store = await openSqliteStore({ folder: join(folder, "store"), onFatal });
  const model = scriptedModel(script);
  const workspace = join(folder, "workspace");
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model, clock, env: {}, store });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const { url, operatorToken: token } = gateway;
  const connect = (surface: "cli" | "web") => connectHoldpoint({ url, token, clientName: surface, surface });
  const [terminal, page] = [connect("cli"), connect("web")];
  onTestFinished(async () => {
    terminal.close();
    page.close();
    await gateway.stop();
    await Promise.all([telegram.close(), slack.vendor.close(), hook.vendor.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const people = [
    ["telegram", "42"],
    ["slack", "T0TEAM:U502"],
    ["webhook", "501"],
  ] as const;
  for (const [kind, personId] of people) {
    const { token: made } = await terminal.call("tokens.create", { name: `${kind} person`, scopes: ALL });
    const account = { surface: kind, account: kind, personId, operatorId: OperatorId.parse(made.id), createdAtMs: 0 };
    await store.saveSurfaceAccount(account, { atMs: 0, actor: "opr_test", facts: [] });
  }
  await expect
    .poll(async () => (await terminal.call("channels.list", {})).accounts.map(({ state }) => state))
    .toEqual(["running", "running", "running"]);
  return { telegram, slack: slack.vendor, hook, url, clock, terminal, page };
}

it("[CH-01, CH-03, CH-07, CH-11, BY-07, PL-10] submitted on Telegram, sent back on Slack, revised, approved in the terminal while the page shows it: everywhere the same end", async () => {
  const { telegram, slack, clock, terminal, page } = await world([
    { say: "I will plan.", ...submit("Greet") },
    submit("Greet politely"),
    { say: "Approved, thank you.", ...done },
    { say: "Done." },
  ]);
  telegram.write("Please greet");
  const slackCard = (title: string): SeenMessage | undefined =>
    slack.messages("D502").findLast(({ text, buttons }) => text.includes(title) && buttons.length > 0);
  const telegramCard = (title: string) =>
    telegram.messages.findLast(({ plain, keyboard }) => plain.includes(title) && keyboard.length > 0);
  await expect.poll(() => slackCard("Greet")).toBeDefined();
  await expect.poll(() => telegramCard("Greet")).toBeDefined();
  const [session] = (await page.call("sessions.list", {})).sessions;
  if (session === undefined) throw new Error("no session");
  const sessionId = session.id;
  const seen = async () => (await page.call("sessions.get", { sessionId })).session;
  const phase = async () => PlanModeState.parse((await seen()).slices["planMode"]).now.phase;

  const [first, firstOnTelegram] = [slackCard("Greet"), telegramCard("Greet")];
  if (first === undefined || firstOnTelegram === undefined) throw new Error("no cards");
  slack.press(first, 0, { person: "666" }); // a stranger
  const revise = first.buttons.findIndex(({ label }) => /Revise/.test(label));
  await slack.submit?.(first, revise, { person: "502", words: "be polite" });
  slack.sendAgain(3);
  await expect.poll(() => slackCard("Greet politely")).toBeDefined();
  await expect.poll(() => telegramCard("Greet politely")).toBeDefined();
  expect(await phase()).toBe("pending");
  // the first card has lost its buttons in both places, and pressing a copy of it changes nothing
  await expect.poll(() => telegram.messages.find(({ id }) => id === firstOnTelegram.id)?.keyboard).toEqual([]);
  const [accept] = firstOnTelegram.keyboard;
  telegram.pressData(accept?.data ?? "", { id: firstOnTelegram.id, chatId: "42" });
  await expect.poll(() => telegram.toasts.at(-1)?.text).toMatch(/not the newest|nothing that was sent/);
  expect(await phase()).toBe("pending");

  const up = telegram.fault(() => "cut"); // Telegram is gone
  const card = approvalIn((await seen()).cards ?? []);
  if (card?.digest === undefined) throw new Error("nothing to approve");
  const planApproval = { action: "approve", approvalId: ApprovalId.parse(card.id), digest: card.digest } as const;
  await terminal.call("sessions.patch", { sessionId, planApproval });
  slack.press(slackCard("Greet politely") ?? first, 0, { person: "502" }); // late
  await expect.poll(() => phase()).toBe("off");
  const endOn = () => slack.messages("D502").find(({ text }) => text.includes("Greet politely"));
  await expect.poll(endOn).toMatchObject({ text: expect.stringContaining("carried out"), buttons: [] });
  clock.advance(HOUR_MS);
  up();
  await expect
    .poll(() => {
      clock.advance(1_000);
      return telegram.messages.find(({ plain }) => plain.includes("Greet politely") && plain.includes("carried out"));
    })
    .toMatchObject({ keyboard: [] });
  const said = () => telegram.messages.map(({ plain }) => plain.replace(/^\(This may be a repetition[^\n]*\n/, ""));
  await expect
    .poll(() => {
      clock.advance(1_000);
      return said().filter((text) => text === "Approved, thank you." || text === "Done.");
    })
    .toEqual(["Approved, thank you.", "Done."]);
  const { rows } = await terminal.call("audit.list", { sessionId });
  const decided = rows.flatMap(({ body }) => [...body.matchAll(/"decision":"(\w+)"/g)].map(([, what]) => what));
  expect(decided).toEqual(["rejected", "approved"]);
});

it("[CH-11] twenty messages of which a third come twice and all in another order are each applied once", async () => {
  const { hook, url, clock, page } = await world(Array.from({ length: 30 }, () => ({ say: "I see." })));
  const random = seeded(7);
  const texts = Array.from({ length: 20 }, (_, n) => `message ${n}`);
  const requests = texts.map((text, n) =>
    signedHook(
      { type: "message", conversation: "501", person: { id: "501" }, text },
      { id: `evt_${n}`, at: clock.now() },
    ),
  );
  const again = requests.filter((_, n) => n % 3 === 0);
  const shuffled = [...requests, ...again].toSorted(() => random.below(3) - 1);
  const statuses = await Promise.all(shuffled.map(async (one) => (await sentHook(url, one)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [session] = (await page.call("sessions.list", {})).sessions;
  if (session === undefined) throw new Error("no session");
  const heard = async (): Promise<string[]> => {
    const { items } = await page.call("chat.history", { sessionId: session.id, limit: 200 });
    const all = items.flatMap(({ entry }) => (entry.kind === "input" ? [entry.text] : []));
    return all.flatMap((text) => [...text.matchAll(/message \d+/g)].map(([found]) => found));
  };
  await expect.poll(async () => (await heard()).toSorted()).toEqual(texts.toSorted());
  expect((await page.call("sessions.list", {})).sessions).toHaveLength(1);
  expect(hook.ids.length).toBe(new Set(hook.ids).size);
});

const addressOf = (url: string): string => `${url.replace(/^ws/, "http").replace(/\/ws$/, "")}/hooks/webhook/webhook`;
const sentHook = async (url: string, { headers, body }: ReturnType<typeof signedHook>, change: object = {}) =>
  fetch(addressOf(url), {
    method: "POST",
    headers: { ...(headers as Record<string, string>), ...change },
    body: new Uint8Array(body),
  });

it("[CH-02, CH-03, CH-12, PL-10] a button is worth nothing on another channel, in another chat, to a stranger, forged or twice, and odd commands decide nothing", async () => {
  const { telegram, slack, url, clock, page } = await world([
    submit("Greet"),
    ...Array.from({ length: 10 }, () => ({ say: "I see." })),
  ]);
  telegram.write("Please greet");
  const cardOn = () => telegram.messages.find(({ keyboard }) => keyboard.length > 0);
  const slackCard = () => slack.messages("D502").find(({ buttons }) => buttons.length > 0);
  await expect.poll(() => [cardOn() !== undefined, slackCard() !== undefined]).toEqual([true, true]);
  const [card, other] = [cardOn(), slackCard()];
  const [accept] = card?.keyboard ?? [];
  if (card === undefined || other === undefined || accept === undefined) throw new Error("no cards");
  const [session] = (await page.call("sessions.list", {})).sessions;
  if (session === undefined) throw new Error("no session");
  const phase = async () =>
    PlanModeState.parse((await page.call("sessions.get", { sessionId: session.id })).session.slices["planMode"]).now
      .phase;
  const here = { id: card.id, chatId: "42" };

  telegram.pressData(accept.data, here, { userId: 43 }); // a stranger who was shown it
  telegram.pressData(accept.data, { ...here, chatId: "-600" }); // in a group that is not listed
  const forged = [other.buttons[0]?.data ?? "", "h1.AAAAAAAAAAAAAAAAAAAAAA", "", "h1.".padEnd(64, "é"), "approve"];
  for (const data of forged) telegram.pressData(data, here);
  telegram.pressData(accept.data, { id: card.id + 1, chatId: "42" }); // copied to another message
  telegram.pressData(accept.data, { ...here, chatId: "44" }); // of chat 42, pressed in another
  const click = {
    type: "click",
    conversation: "501",
    person: { id: "501" },
    token: accept.data,
    messageId: String(card.id),
  };
  expect((await sentHook(url, signedHook(click, { id: "evt_c", at: clock.now() }))).status).toBe(200);
  const odd = [
    "/plan@otherbot accept",
    "/plan accept\u200b",
    "/pl\u0430n accept",
    "/plan \u0430ccept",
    "/plan accept edits now",
  ];
  for (const text of [...odd, "\u200b/plan accept", "\uff0fplan accept", "> /plan accept"]) telegram.write(text);
  await expect.poll(() => telegram.updates.length).toBe(0);
  await expect.poll(() => telegram.toasts.length).toBe(forged.length + 2);
  expect(await phase()).toBe("pending");

  telegram.press(card, /Accept/);
  await expect.poll(phase).not.toBe("pending");
  telegram.pressData(accept.data, here); // once more
  await expect.poll(() => telegram.updates.length).toBe(0);
  const { rows } = await page.call("audit.list", { sessionId: session.id });
  expect(rows.flatMap(({ body }) => [...body.matchAll(/"decision":"(\w+)"/g)].map(([, what]) => what))).toEqual([
    "approved",
  ]);
});

it("[CH-09] requests to a webhook that are forged, old, from the future, huge or broken change nothing, and the gateway goes on", async () => {
  const { url, clock, page } = await world([{ say: "I see." }]);
  const said = { type: "message", conversation: "501", person: { id: "501" }, text: "hello" };
  const at = clock.now();
  const statuses: number[] = [];
  const bad: [ReturnType<typeof signedHook>, object?][] = [
    [signedHook(said, { at, secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" })],
    [signedHook(said, { at: at - 301_000 })],
    [signedHook(said, { at: at + 301_000 })],
    [{ ...signedHook(said, { at }), body: new TextEncoder().encode(JSON.stringify({ ...said, text: "other" })) }],
    [signedHook(said, { at }), { "webhook-id": "evt_other" }],
    [signedHook(said, { at }), { "webhook-timestamp": "NaN" }],
    [signedHook(`{"type":"message","conv`, { at })],
    [signedHook("<html><body>502 Bad Gateway</body></html>", { at }), { "content-type": "text/html" }],
    [signedHook("[]", { at })],
    [signedHook("null", { at })],
    [signedHook({ ...said, person: { id: { $ne: "" } } }, { at })],
    [signedHook({ ...said, text: "x".repeat(300_000) }, { at })],
  ];
  for (const [request, change] of bad) statuses.push((await sentHook(url, request, change)).status);
  expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
  expect((await page.call("sessions.list", {})).sessions).toEqual([]);
  expect((await sentHook(url, signedHook(said, { at, id: "evt_ok" }), { "content-type": "text/plain" })).status).toBe(
    200,
  );
  await expect.poll(async () => (await page.call("sessions.list", {})).sessions.length).toBe(1);
});
