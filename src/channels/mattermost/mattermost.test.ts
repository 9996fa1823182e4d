import { expect, it } from "vitest";
import { MATTERMOST_TOKENS, startFakeMattermost } from "../../../test/kit/channels/fake-mattermost.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem, textItem, wordsItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { mattermostAbout } from "./about.ts";

channelContract(mattermostAbout, () => startFakeMattermost());

const contextOf = (world: Awaited<ReturnType<typeof startFakeMattermost>>, button = 0) =>
  world.mattermost.posts.at(-1)?.props.attachments?.[0]?.actions?.[button]?.integration.context ?? {};

it("[CH-12] 13: a press without our seal, with another button's, from another channel or for another account is refused unread", async () => {
  const world = await startFakeMattermost();
  const { account, events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  await deliver("direct501", [cardItem(approval())]);
  const { request, posts } = world.mattermost;
  const context = contextOf(world);
  const press = { user_id: "user501", channel_id: "direct501", post_id: posts.at(-1)?.id, trigger_id: "t1", context };
  const bad = [
    { ...press, context: { ...context, token: "h1.forged" } },
    { ...press, context: { ...context, proof: "x" } },
    { ...press, context: { ...context, conversation: "direct502" }, channel_id: "direct502" },
    { ...press, channel_id: "direct502" },
    { ...press, context: undefined },
    { ...press, user_id: "" },
  ];
  for (const body of bad) expect(await request("/action", body)).toMatchObject({ status: 401 });
  expect(await account.webhook({ method: "POST", path: "/action", headers: {}, body: Buffer.from("{") })).toMatchObject(
    { status: 401 },
  );
  expect(await request("/elsewhere", press)).toMatchObject({ status: 404 });
  const command = { token: "wrong", command: "/plan", user_id: "user501", channel_id: "direct501", trigger_id: "t2" };
  expect(await request("/command", new URLSearchParams(command))).toMatchObject({ status: 401 });
  expect(events).toEqual([]);
  expect(await request("/action", press)).toMatchObject({ status: 200 });
  expect(await request("/action", press)).toMatchObject({ status: 200 }); // the same again is the same press
  expect(events).toMatchObject([{ kind: "click", person: { id: "user501" } }]);
});

it("[CH-12] 13: a form counts for the person whom it was opened for, once, and not for who has seen it", async () => {
  const world = await startFakeMattermost();
  const { events, answers, deliver, vendor } = await running(world);
  answers((event) =>
    event.kind === "click" && event.text === undefined
      ? { kind: "asks", label: "What?", charsMax: 9 }
      : { kind: "recorded" },
  );
  await deliver("direct501", [wordsItem(approval())]);
  const [card] = vendor.messages("direct501");
  if (card === undefined) throw new Error("no card");
  await vendor.submit?.(card, 1, { person: "501", words: "be polite" });
  await expect.poll(() => events.length).toBe(2);
  const { request, dialogs } = world.mattermost;
  const { state = "" } = dialogs[0] ?? {};
  const form = {
    type: "dialog_submission",
    user_id: "user501",
    channel_id: "direct501",
    state,
    submission: { words: "accept everything" },
  };
  expect(await request("/dialog", { ...form, user_id: "user502" })).toMatchObject({ status: 401 });
  const changed = JSON.stringify({ ...(JSON.parse(state) as object), userId: "user502" });
  expect(await request("/dialog", { ...form, user_id: "user502", state: changed })).toMatchObject({ status: 401 });
  expect(await request("/dialog", { ...form, cancelled: true })).toMatchObject({ status: 200 });
  expect(events).toHaveLength(2);
});

it("[CH-11] what was written while nobody listened is asked for after the connection is back, in its order and once", async () => {
  const world = await startFakeMattermost({ groups: { allow: ["-600"] } });
  const { events, answers, restart, times } = await running(world);
  const { post, drop } = world.mattermost;
  answers(() => ({ kind: "recorded" }));
  post({ message: "one" });
  await expect.poll(() => events.length).toBe(1);
  drop();
  post({ message: "two" });
  post({ message: "@hold.bot three", channel_id: "channel600", root_id: "post9" });
  post({ message: "by a bot", props: { from_bot: "true" } });
  post({ message: "joined", type: "system_join_channel" });
  post({ message: null as never }); // what cannot be read keeps nothing back
  await expect.poll(() => events.length).toBe(3);
  const again = restart();
  post({ message: "four" });
  await again;
  await expect.poll(() => events.length).toBe(4);
  expect(events).toMatchObject([
    { text: "one" },
    { text: "two" },
    { text: "three", conversation: "channel600:post9" },
    { text: "four" },
  ]);
  expect(times.size).toBe(4);
});

it("[CH-07] a thread is a conversation of its own, and a press on its card stays there", async () => {
  const world = await startFakeMattermost({ groups: { allow: ["-600"] } });
  const { events, answers, deliver, vendor } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const here = "channel600:post9";
  await deliver(here, [textItem("t", "hello"), cardItem(approval())]);
  const [, card] = vendor.messages(here);
  if (card === undefined) throw new Error("no card");
  vendor.press(card, 0, { group: "-600" });
  await expect.poll(() => events).toMatchObject([{ kind: "click", conversation: here, messageId: card.id }]);
});

it("[CH-08] a wrong token, an address that is missing and a server that cannot be reached are told apart", async () => {
  const { settings, vendor } = await startFakeMattermost();
  const { mattermost } = await import("./mattermost.ts");
  const check = async (
    change: object,
    webhookUrl: string | undefined = "https://gateway.example/hooks/mattermost/main",
  ) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl, now: () => 0 };
    return (await mattermost.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "@hold.bot" });
  expect(await check({ token: MATTERMOST_TOKENS.command })).toMatchObject({
    problem: expect.stringContaining("Invalid or expired session"),
  });
  const parts = { settings, webhookUrl: undefined, now: () => 0 };
  const closed = await mattermost.open(parts);
  expect(await closed.check(AbortSignal.timeout(5_000))).toMatchObject({
    problem: expect.stringContaining("gateway.pageAddress"),
  });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Mattermost could not be reached." });
});
