import { expect, it } from "vitest";
import { signedHook, startFakeWebhook, WEBHOOK_SECRET } from "../../../test/kit/channels/fake-webhook.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, wordsItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { webhookAbout } from "./about.ts";
import { webhook } from "./webhook.ts";

const NOW = Date.UTC(2026, 0, 5, 9);
const hi = { type: "message", conversation: "501", person: { id: "501" }, text: "hi" };

channelContract(webhookAbout, startFakeWebhook);

it("[CH-09] 13: what is unsigned, changed, old, early, or signed with another secret is refused unread; a repeated id is one event", async () => {
  const world = await startFakeWebhook();
  const { account, events, times, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const good = signedHook(hi);
  const without = (name: string) => ({ ...good, headers: { ...good.headers, [name]: undefined } });
  const bad = [
    without("webhook-id"),
    without("webhook-timestamp"),
    without("webhook-signature"),
    { ...good, headers: { ...good.headers, "webhook-signature": `${String(good.headers["webhook-signature"])}x` } },
    { ...good, headers: { ...good.headers, "webhook-id": "evt_2" } },
    { ...good, body: new TextEncoder().encode(JSON.stringify({ ...hi, text: "ho" })) },
    signedHook(hi, { at: NOW - 301_000 }),
    signedHook(hi, { at: NOW + 301_000 }),
    signedHook(hi, { secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }),
  ];
  for (const request of bad) expect(await account.webhook(request)).toMatchObject({ status: 401 });
  expect(await account.webhook(signedHook("{"))).toMatchObject({ status: 400 });
  expect(events).toEqual([]);
  expect(await account.webhook(signedHook(hi, { at: NOW - 299_000 }))).toMatchObject({ status: 200 });
  expect(await account.webhook(good)).toMatchObject({ status: 200 });
  expect([events.length, [...times.values()]]).toEqual([1, [2]]);
  // while a secret is replaced there are two signatures
  const rotated = signedHook(hi, { id: "evt_3" });
  const both = `v1,AAAA ${String(rotated.headers["webhook-signature"])}`;
  expect(
    await account.webhook({ ...rotated, headers: { ...rotated.headers, "webhook-signature": both } }),
  ).toMatchObject({
    status: 200,
  });
});

it("[CH-07] a button that needs words sends a form to the program, which sends the press again with them", async () => {
  const world = await startFakeWebhook();
  const { vendor, answers, deliver } = await running(world);
  answers(() => ({ kind: "asks", label: "What should change?", charsMax: 100 }));
  await deliver("501", [wordsItem(approval())]);
  const [card] = vendor.messages("501");
  if (card === undefined) throw new Error("no card");
  vendor.press(card, 1);
  await expect
    .poll(() => world.forms)
    .toMatchObject([{ type: "form", label: "What should change?", messageId: card.id }]);
});

it("[CH-08] channels add asks the program for a sign of life", async () => {
  const { settings, vendor } = await startFakeWebhook();
  const check = async (change: object) =>
    (
      await webhook.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => NOW,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toMatchObject({ ok: true });
  expect(await check({ secret: WEBHOOK_SECRET.replace("Mf", "Nf") })).toMatchObject({ ok: false });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "The webhook could not be reached." });
});
