import { expect, it } from "vitest";
import { startFakeFeishu } from "../../../test/kit/channels/fake-feishu.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { feishuAbout } from "./about.ts";
import { decodeFrame, emptyFrame, encodeFrame } from "./frame.ts";

channelContract(feishuAbout, () => startFakeFeishu());

it("[CH-08] a frame is written and read as protobuf says, numbers of 64 bits included, and what is none is refused", () => {
  const headers = { type: "event" };
  const frame = { ...emptyFrame, seqId: 1n, logId: 2n, service: 3, method: 1, headers, payload: Buffer.from("{}") };
  const bytes = Buffer.from("08011002180320012a0d0a047479706512056576656e7442027b7d", "hex");
  expect(encodeFrame(frame)).toEqual(bytes);
  expect(decodeFrame(bytes)).toEqual(frame);
  const large = { ...frame, seqId: 2n ** 64n - 1n, payloadType: "x".repeat(200), logIdNew: "ä" };
  expect(decodeFrame(encodeFrame(large))).toEqual(large);
  for (const bad of ["08", "2a0d0a04", "0d00000000", "08ffffffffffffffffffff01"])
    expect(() => decodeFrame(Buffer.from(bad, "hex"))).toThrow("a frame");
});

it("[CH-11] an event that comes in several frames is taken when it is whole", async () => {
  const world = await startFakeFeishu();
  const { events, answers, vendor } = await running(world);
  answers(() => ({ kind: "recorded" }));
  world.feishu.cuts = true;
  vendor.write(`hello ${"äöü".repeat(300)}`);
  await expect.poll(() => events).toMatchObject([{ text: `hello ${"äöü".repeat(300)}` }]);
  await expect.poll(() => vendor.acknowledged(undefined)).toBe(1);
});

it("[CH-12] other apps are nobody, a card that was passed on is worth nothing, and a thread is a conversation of its own", async () => {
  const world = await startFakeFeishu({ groups: { allow: ["-600"] } });
  const { events, answers, deliver, vendor } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { feishu } = world;
  const message = {
    message_id: "om_b",
    chat_id: "ocp501",
    chat_type: "p2p",
    message_type: "text",
    content: '{"text":"hi"}',
  };
  feishu.happen("im.message.receive_v1", { sender: { sender_id: { open_id: "ou_b" }, sender_type: "app" }, message });
  feishu.write("/plan status", { group: "-600", more: { root_id: "om_1", thread_id: "omt_1" } });
  const here = "ocg600:om_1";
  await expect
    .poll(() => events)
    .toMatchObject([{ conversation: here, text: "/plan status", person: { id: "tenant1:ou_501" } }]);
  await deliver(here, [cardItem(approval())]);
  const [card] = vendor.messages(here);
  if (card === undefined) throw new Error("no card in the thread");
  const passedOn = { token: card.buttons[0]?.data, conversation: "ocp502" };
  const context = { open_message_id: card.id, open_chat_id: "ocg600" };
  feishu.happen("card.action.trigger", { operator: { open_id: "ou_501" }, action: { value: passedOn }, context });
  vendor.press(card, 0, { group: "-600" });
  await expect.poll(() => events.length).toBe(2);
  expect(events[1]).toMatchObject({ kind: "click", conversation: here, messageId: card.id });
});

it("[CH-08] a wrong secret is told apart from a server that cannot be reached", async () => {
  const { settings, vendor } = await startFakeFeishu();
  const { feishu } = await import("./feishu.ts");
  const check = async (change: object) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl: undefined, now: () => 0 };
    return (await feishu.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "Hold" });
  expect(await check({ appSecret: "wrong" })).toMatchObject({ problem: expect.stringContaining("does not accept") });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Feishu could not be reached." });
});
