import { expect, it } from "vitest";
import { envelopeOf, SIGNAL_ACCOUNT, startFakeSignal } from "../../../test/kit/channels/fake-signal.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { signalAbout } from "./about.ts";
import { signal } from "./signal.ts";

channelContract(signalAbout, startFakeSignal);

it("[CH-09, CH-11] what is for another account of the daemon is not ours; who read a message is its receipt", async () => {
  const world = await startFakeSignal();
  const { events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  world.stream({ ...envelopeOf("hi", {}, 1), account: "+15005550007" });
  const sourceUuid = "aaaaaaaa-0000-4000-8000-000000000501";
  const receiptMessage = { when: 9, isDelivery: false, isRead: true, timestamps: [7, 8] };
  world.stream({ account: SIGNAL_ACCOUNT, envelope: { sourceUuid, timestamp: 9, receiptMessage } });
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([
    { kind: "receipt", messageId: "7", state: "read", person: { id: sourceUuid, assured: true } },
    { kind: "receipt", messageId: "8" },
  ]);
});

it("[CH-08] channels add asks the daemon whether it has the account", async () => {
  const { settings, vendor } = await startFakeSignal();
  const check = async (change: object) =>
    (
      await signal.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: SIGNAL_ACCOUNT });
  expect(await check({ account: "+15005550009" })).toMatchObject({
    ok: false,
    fix: expect.stringContaining("register"),
  });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, fix: expect.stringContaining("daemon") });
});
