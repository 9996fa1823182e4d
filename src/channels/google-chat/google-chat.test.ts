import { expect, it } from "vitest";
import { PROJECT, startFakeGoogleChat } from "../../../test/kit/channels/fake-google-chat.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { googleChatAbout } from "./about.ts";

const WEBHOOK = { mode: "webhook", projectNumber: PROJECT };
const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;

channelContract(googleChatAbout, (way) => startFakeGoogleChat(way === "webhook" ? WEBHOOK : {}));

it("[CH-09] 13: a request that Google did not sign for this project, now, is refused unread", async () => {
  const world = await startFakeGoogleChat(WEBHOOK);
  const { account, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { signed, event } = world.chat;
  const hello = event({ type: "MESSAGE", message: { name: "spaces/dm501/messages/1", text: "hello" } });
  const good = await signed(hello);
  const bad = [
    { ...good, headers: {} },
    { ...good, headers: { authorization: "Bearer nonsense" } },
    await signed(hello, { by: "other" }),
    await signed(hello, { audience: "987" }),
    await signed(hello, { issuer: "https://accounts.google.com" }),
    await signed(hello, { at: NOW - 3_600 - 301 }),
  ];
  for (const request of bad) expect(await account.webhook(request)).toMatchObject({ status: 401 });
  expect(await account.webhook({ ...good, body: new TextEncoder().encode("{") })).toMatchObject({ status: 400 });
  expect(events).toEqual([]);
  expect(await account.webhook(good)).toMatchObject({ status: 200 });
  expect(await account.webhook(good)).toMatchObject({ status: 200 }); // the same again is the same message
  expect(events).toMatchObject([{ text: "hello", direct: true, person: { id: "users/501", assured: true } }]);
});

it("[CH-07, CH-11] by signed requests a whole cycle works as well: not stored is not answered, a press, words in the card", async () => {
  const world = await startFakeGoogleChat(WEBHOOK);
  const { account, vendor, events, answers, deliver, acknowledged } = await running(world);
  const { signed, event } = world.chat;
  answers(() => {
    throw new Error("the disk is full");
  });
  const hello = await signed(event({ type: "MESSAGE", message: { name: "spaces/dm501/messages/1", text: "hello" } }));
  await expect(account.webhook(hello)).rejects.toThrow("disk");
  answers(() => ({ kind: "recorded" }));
  expect(await account.webhook(hello)).toMatchObject({ status: 200 });
  await deliver("spaces/dm501", [cardItem(approval())]);
  const [card] = vendor.messages("spaces/dm501");
  if (card === undefined) throw new Error("no card");
  vendor.press(card, 0);
  await expect.poll(() => acknowledged()).toBe(1);
  expect(events).toMatchObject([
    { text: "hello" },
    { kind: "click", messageId: card.id, conversation: "spaces/dm501" },
  ]);
});

it("[CH-12] other apps are nobody; an answer in a thread stays there with its card and its press", async () => {
  const world = await startFakeGoogleChat({ ...WEBHOOK, groups: { allow: ["-600"] } });
  const { account, vendor, events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { signed, event } = world.chat;
  const group = { group: "-600" };
  const message = (n: number, more: object) => ({
    type: "MESSAGE",
    message: { name: `spaces/room600/messages/${n}`, text: "/plan status", ...more },
  });
  await account.webhook(await signed(event({ ...message(1, {}), user: { name: "users/9", type: "BOT" } }, group)));
  const here = "spaces/room600/threads/t1";
  await account.webhook(await signed(event(message(2, { thread: { name: here }, threadReply: true }), group)));
  expect(events).toMatchObject([{ conversation: here, text: "/plan status" }]);
  await deliver(here, [cardItem(approval())]);
  const [card] = vendor.messages(here);
  if (card === undefined) throw new Error("no card in the thread");
  vendor.press(card, 0, group);
  await expect.poll(() => events.at(-1)).toMatchObject({ kind: "click", conversation: here });
});

it("[CH-08] a key that is none, one that Google does not accept, and what a mode lacks are told apart", async () => {
  const { settings, vendor } = await startFakeGoogleChat();
  const { googleChat } = await import("./google-chat.ts");
  const check = async (change: object, webhookUrl?: string) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl, now: () => NOW * 1_000 };
    return (await googleChat.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "hold@test.iam.gserviceaccount.com" });
  await expect(check({ serviceAccount: "{}" })).rejects.toThrow("not the JSON of a service account");
  const key = settings.kind === "google-chat" ? settings.serviceAccount : "";
  const stranger = key.replace("hold@test", "mallory@test");
  expect(await check({ serviceAccount: stranger })).toMatchObject({
    problem: expect.stringContaining("does not accept"),
  });
  expect(await check({ subscription: undefined })).toMatchObject({ problem: "pubsub mode needs the subscription" });
  expect(await check({ mode: "webhook" })).toMatchObject({ problem: "webhook mode needs the projectNumber" });
  expect(await check(WEBHOOK)).toMatchObject({ problem: expect.stringContaining("gateway.pageAddress") });
  expect(await check(WEBHOOK, "https://gateway.example/")).toMatchObject({ ok: true });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Google Chat could not be reached." });
});
