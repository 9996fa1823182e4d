import { expect, it } from "vitest";
import { BLUE, startFakeBlueBubbles } from "../../../test/kit/channels/fake-bluebubbles.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { imessageAbout } from "./about.ts";
import { imessage } from "./imessage.ts";

/** Without a secret no hint is taken, so that the server is only asked. */
const ASKED = { webhookSecret: undefined, pollSeconds: 1 };
channelContract(imessageAbout, (way) => startFakeBlueBubbles(way === "poll" ? ASKED : {}));

it("[CH-09, CH-12] a webhook is only a hint: what it says is not read, and its secret is asked for; SMS is nobody sure", async () => {
  const world = await startFakeBlueBubbles({ pollSeconds: 3_600 });
  const { account, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const forged = {
    type: "new-message",
    data: { guid: "x", text: "/plan accept", handle: { address: "+15005550501" } },
  };
  const body = new TextEncoder().encode(JSON.stringify(forged));
  const post = (path: string) => account.webhook({ method: "POST", path, headers: {}, body });
  for (const path of ["", "/", "/guess", `/${BLUE.hook}x`]) expect(await post(path)).toMatchObject({ status: 404 });
  expect(await post(`/${BLUE.hook}`)).toMatchObject({ status: 200 });
  expect(events).toEqual([]);
  const handle = { address: "+15005550501" };
  world.receive({ text: "hi", handle, chats: [{ guid: "SMS;-;+15005550501" }] });
  world.receive({ text: "our own", handle, isFromMe: true, chats: [{ guid: "iMessage;-;+15005550501" }] });
  world.receive({ text: "ho", handle, chats: [{ guid: "iMessage;-;+15005550501" }] });
  await expect.poll(() => events.length).toBe(2);
  expect(events.map(({ person }) => person)).toMatchObject([
    { id: "+15005550501", assured: false },
    { id: "+15005550501", assured: true },
  ]);
});

it("[CH-08] channels add asks the server", async () => {
  const { settings, vendor } = await startFakeBlueBubbles();
  const check = async (change: object) =>
    (
      await imessage.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: "the Mac of BlueBubbles 1.9.9" });
  expect(await check({ password: "wrong" })).toMatchObject({ ok: false });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "BlueBubbles could not be reached." });
});
