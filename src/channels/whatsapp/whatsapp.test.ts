import { expect, it } from "vitest";
import { META, metaHook, startFakeWhatsapp } from "../../../test/kit/channels/fake-whatsapp.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { whatsappAbout } from "./about.ts";
import { whatsapp } from "./whatsapp.ts";

channelContract(whatsappAbout, () => startFakeWhatsapp());

const text = (id: string, from = "1555000501") => ({ from, id, timestamp: "1", type: "text", text: { body: "hi" } });

it("[CH-09] 13: Meta's address is confirmed by our word, and what it sends by its signature over the bytes", async () => {
  const { account, events, answers } = await running(await startFakeWhatsapp());
  answers(() => ({ kind: "recorded" }));
  const ask = (query: string) =>
    account.webhook({ method: "GET", path: "", query, headers: {}, body: new Uint8Array() });
  const word = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=`;
  expect(await ask(`${word}${META.verify}`)).toMatchObject({ status: 200, body: "1158201444" });
  expect(await ask(`${word}guess`)).toMatchObject({ status: 403 });
  const good = metaHook({ messages: [text("wamid.1"), text("wamid.2")] });
  const bad = [
    { ...good, headers: {} },
    { ...good, headers: { "x-hub-signature-256": "sha256=00" } },
    { ...good, body: new TextEncoder().encode(Buffer.from(good.body).toString().replace("hi", "ho")) },
    metaHook({ messages: [text("wamid.1")] }, { secret: "another" }),
  ];
  for (const request of bad) expect(await account.webhook(request)).toMatchObject({ status: 401 });
  expect(await account.webhook(metaHook({ messages: [text("wamid.9")] }, { phone: "999" }))).toMatchObject({
    status: 200,
  });
  expect(events).toEqual([]); // another number of the same app
  expect(await account.webhook(good)).toMatchObject({ status: 200 });
  const read = { id: "wamid.7", status: "read", recipient_id: "1555000501", timestamp: "1" };
  await account.webhook(metaHook({ statuses: [read] }));
  expect(events).toMatchObject([
    { eventId: "message:wamid.1" },
    { eventId: "message:wamid.2" },
    { kind: "receipt", messageId: "wamid.7", state: "read", person: { id: "1555000501", assured: true } },
  ]);
});

it("[CH-07] more than three buttons are a list", async () => {
  const { vendor, deliver, events, answers } = await running(await startFakeWhatsapp());
  answers(() => ({ kind: "recorded" }));
  const [first, second] = approval().actions;
  if (first === undefined || second === undefined) throw new Error("two actions");
  const four = [first, second, { ...first, id: "third" }, { ...second, id: "fourth" }];
  const here = vendor.conversation({ person: "501" });
  await deliver(here, [cardItem(approval({ actions: four }))]);
  const [card] = vendor.messages(here);
  expect(card?.buttons).toHaveLength(4);
  if (card !== undefined) vendor.press(card, 0);
  await expect.poll(() => events).toMatchObject([{ kind: "click", messageId: card?.id }]);
});

it("[CH-11, BY-07] after 24 hours of silence nothing is sent; a template asks the person to write, and the failure is known", async () => {
  const world = await startFakeWhatsapp({ template: { name: "plan_waits", language: "en" } });
  const { vendor, deliver } = await running(world);
  world.close24();
  const here = vendor.conversation({ person: "501" });
  expect(await deliver(here, [cardItem(approval())])).toMatchObject({ receipts: [{ state: "failed" }] });
  expect([vendor.messages(here), world.templates]).toMatchObject([[], [{ name: "plan_waits" }]]);
});

it("[CH-08] channels add asks Meta for the number", async () => {
  const { settings } = await startFakeWhatsapp();
  const check = async (change: object) =>
    (
      await whatsapp.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: "+1 555 078 3881 Holdpoint" });
  expect(await check({ accessToken: "wrong" })).toMatchObject({
    ok: false,
    problem: "WhatsApp: Invalid OAuth access token.",
  });
});
