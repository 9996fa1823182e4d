import { describe, expect, it } from "vitest";
import { SLACK_TOKENS, startFakeSlack } from "../../../test/kit/channels/fake-slack.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { receivingContract } from "../contract/receiving-contract.ts";
import { approval, cardItem, textItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { slackAbout } from "./about.ts";
import { cardBlocks } from "./slack-blocks.ts";

const EVENTS = { mode: "events", signingSecret: SLACK_TOKENS.secret };
const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;

channelContract(slackAbout, (way) => startFakeSlack(way === "webhook" ? EVENTS : {}));
describe("Slack by signed events: receiving", () => {
  receivingContract(slackAbout, () => startFakeSlack(EVENTS));
});

const message = (text: string, more: object = {}) => ({
  type: "event_callback",
  team_id: "T0TEAM",
  event: { type: "message", channel: "D501", channel_type: "im", user: "U501", text, ts: "1700000009.000001", ...more },
});

it("[CH-09] 13: a request that is unsigned, changed, old, early or signed with another secret is refused unread", async () => {
  const world = await startFakeSlack(EVENTS);
  const { account, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { hook } = world.slack;
  const good = hook(message("hi"));
  const { "x-slack-signature": signature, ...unsigned } = good.headers as Record<string, string>;
  const bad = [
    { ...good, headers: unsigned },
    { ...good, headers: { ...unsigned, "x-slack-signature": `${signature}0` } },
    { ...good, headers: { ...unsigned, "x-slack-signature": [signature ?? "", signature ?? ""] } },
    { ...good, headers: { ...good.headers, "x-slack-request-timestamp": String(NOW - 1) } },
    { ...good, body: new TextEncoder().encode(JSON.stringify(message("ho"))) },
    hook(message("hi"), { secret: "another" }),
    hook(message("hi"), { at: NOW - 301 }),
    hook(message("hi"), { at: NOW + 301 }),
  ];
  for (const request of bad) expect(await account.webhook(request)).toMatchObject({ status: 401 });
  expect(await account.webhook(hook("{"))).toMatchObject({ status: 400 });
  expect(await account.webhook(hook("payload=%7B", { asForm: true }))).toMatchObject({ status: 400 });
  expect(events).toEqual([]);
  const challenge = hook({ type: "url_verification", token: "x", challenge: "3eZbrw1a" });
  expect(await account.webhook(challenge)).toMatchObject({ status: 200, body: "3eZbrw1a" });
  expect(await account.webhook(hook(message("hi"), { at: NOW - 299 }))).toMatchObject({ status: 200 });
  expect(await account.webhook(good)).toMatchObject({ status: 200 });
  expect(events).toMatchObject([{ kind: "message", text: "hi", direct: true, person: { id: "T0TEAM:U501" } }]);
});

it("[CH-05] a card of long lines full of escapes is cut into sections between signs, and nothing of it is lost", () => {
  const text = [`*${"&amp;".repeat(700)}*`, "short", "🦊".repeat(1_600), "last"].join("\n");
  const sections = cardBlocks(text, []).flatMap((block) => (block.type === "section" ? [block.text?.text ?? ""] : []));
  expect(sections.map((part) => part.length <= 3_000 && part.isWellFormed())).toEqual(sections.map(() => true));
  expect(sections.join("").replaceAll("\n", "")).toBe(text.replaceAll("\n", ""));
  for (const part of sections) expect(part.replaceAll("&amp;", "")).not.toContain("&");
});

it("[CH-12] what bots, edits and joins bring is nobody's; the same user id in another workspace is another person", async () => {
  const world = await startFakeSlack(EVENTS);
  const { account, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { hook } = world.slack;
  const others = [{ bot_id: "B1" }, { subtype: "message_changed" }, { subtype: "channel_join" }, { user: "U0HOLD" }];
  for (const more of others) expect(await account.webhook(hook(message("hi", more)))).toMatchObject({ status: 200 });
  await account.webhook(hook(message("hi", { team: "T0OTHER", ts: "1700000009.000002" })));
  await account.webhook(hook(message("see <https://a.example|this> &amp; &lt;b&gt;", { ts: "1700000009.000003" })));
  expect(events).toMatchObject([
    { person: { id: "T0OTHER:U501" } },
    { person: { id: "T0TEAM:U501" }, text: "see https://a.example & <b>" },
  ]);
});

it("[CH-07] a thread is a conversation of its own: what is written there, its card, its press and its file stay there", async () => {
  const world = await startFakeSlack({ groups: { allow: ["-600"] }, ...EVENTS });
  const { account, events, answers, deliver, vendor } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const inThread = { channel: "C600", thread_ts: "1700000008.000001", text: "<@U0HOLD> hello" };
  await account.webhook(world.slack.hook(message("", inThread)));
  const here = "C600:1700000008.000001";
  expect(events).toMatchObject([{ conversation: here, text: "hello" }]);
  await deliver(here, [textItem("t1", "answer"), cardItem(approval())]);
  const [, card] = vendor.messages(here);
  if (card === undefined) throw new Error("no card");
  vendor.press(card, 0, { group: "-600" });
  await expect.poll(() => events.at(-1)).toMatchObject({ kind: "click", conversation: here, messageId: card.id });
  expect(vendor.messages("C600")).toEqual([]);
});

it("[CH-11] a connection that Slack closes, or asks to be opened anew, is opened again and nothing is lost", async () => {
  const world = await startFakeSlack();
  const { vendor, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  world.slack.drop();
  await expect.poll(() => world.slack.connected()).toBe(2);
  world.slack.drop("disconnect");
  await expect.poll(() => world.slack.connected()).toBe(3);
  vendor.write("still here");
  await expect.poll(() => events).toMatchObject([{ text: "still here" }]);
});

it("[CH-08] wrong tokens, a missing one and a server that cannot be reached are told apart", async () => {
  const { settings, vendor } = await startFakeSlack();
  const { slack } = await import("./slack.ts");
  const check = async (change: object, webhookUrl?: string) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl, now: () => 0 };
    return (await slack.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "@hold in Test Team" });
  expect(await check({ botToken: "xoxb-wrong" })).toMatchObject({ problem: "Slack refused auth.test: invalid_auth" });
  expect(await check({ appToken: "xapp-wrong" })).toMatchObject({
    ok: false,
    fix: expect.stringContaining("connections:write"),
  });
  expect(await check({ appToken: undefined })).toMatchObject({ problem: "socket mode needs an appToken (xapp-…)" });
  expect(await check({ mode: "events" })).toMatchObject({ problem: "events mode needs the signingSecret" });
  expect(await check(EVENTS)).toMatchObject({ problem: expect.stringContaining("gateway.pageAddress") });
  expect(await check(EVENTS, "https://gateway.example/hooks/slack/main")).toMatchObject({ ok: true });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Slack could not be reached." });
});
