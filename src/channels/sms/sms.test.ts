import { expect, it } from "vitest";
import { SMS_HOOK, startFakeTwilio, TWILIO, twilioHook } from "../../../test/kit/channels/fake-twilio.ts";
import { buttonCode, tokenHash } from "../../plugins/button-code.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem, TOKENS } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { smsAbout } from "./about.ts";
import { sms } from "./sms.ts";

channelContract(smsAbout, startFakeTwilio);

const hi = { MessageSid: "SM1", From: "+15005550501", To: TWILIO.number, Body: "hi & bye", NumMedia: "0" };

it("[CH-09] 13: a request is signed over the address that Twilio was given and all of its fields, or refused", async () => {
  const { account, events, answers } = await running(await startFakeTwilio());
  answers(() => ({ kind: "recorded" }));
  const good = twilioHook(hi);
  const bad = [
    { ...good, headers: {} },
    { ...good, headers: { "x-twilio-signature": "" } },
    { ...good, body: new TextEncoder().encode(`${Buffer.from(good.body).toString()}&Body=/plan+accept`) },
    twilioHook(hi, { token: "another" }),
    twilioHook(hi, { url: "https://elsewhere.example/hooks/sms/main" }),
    { ...good, path: "/status" },
  ];
  for (const request of bad) expect(await account.webhook(request)).toMatchObject({ status: 403 });
  expect(events).toEqual([]);
  expect(await account.webhook(good)).toMatchObject({ status: 200, body: "<Response/>" });
  expect(events).toMatchObject([
    { kind: "message", text: "hi & bye", person: { id: "+15005550501", assured: false }, direct: true },
  ]);
});

it("[CH-12] a card names a code for each button and no command; Twilio's word of a message is its receipt", async () => {
  const world = await startFakeTwilio();
  const { vendor, account, events, deliver, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const here = vendor.conversation({ person: "501" });
  await deliver(here, [cardItem(approval())]);
  const [card] = vendor.messages(here);
  expect(card?.text).toContain(buttonCode(tokenHash(TOKENS[0])));
  expect(card?.text).not.toContain("/plan approve");
  expect(world.callbacks).toEqual([`${SMS_HOOK}/status`]);
  const undelivered = { MessageSid: card?.id ?? "", MessageStatus: "undelivered", To: here, ErrorCode: "30003" };
  expect(await account.webhook(twilioHook(undelivered, { path: "/status" }))).toMatchObject({ status: 200 });
  expect(events).toMatchObject([{ kind: "receipt", messageId: card?.id, state: "failed", detail: "error 30003" }]);
});

it("[CH-08] channels add asks Twilio, and SMS needs an address that Twilio can reach", async () => {
  const { settings } = await startFakeTwilio();
  const open = async (change: object, webhookUrl?: string) =>
    sms.open({ settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl, now: () => 0 });
  expect(await (await open({})).check(AbortSignal.timeout(5_000))).toEqual({
    ok: true,
    me: "+15005550006 of Holdpoint (active)",
  });
  expect(await (await open({ authToken: "wrong" })).check(AbortSignal.timeout(5_000))).toMatchObject({
    ok: false,
    problem: "Twilio does not know this SID and token.",
  });
  const io = {
    deliver: async () => undefined,
    cursor: { get: async () => undefined, set: async () => undefined },
    report: () => undefined,
  };
  await expect((await open({})).start(io)).rejects.toThrow("pageAddress");
});
