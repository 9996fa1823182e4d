import { expect, it } from "vitest";
import { startFakeDiscord } from "../../../test/kit/channels/fake-discord.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { discordAbout } from "./about.ts";

channelContract(discordAbout, () => startFakeDiscord());

it("[CH-11] a session is resumed behind the last stored event, also by a new process; one that Discord forgot begins anew", async () => {
  const world = await startFakeDiscord();
  const { vendor, events, answers, restart } = await running(world);
  const { discord } = world;
  answers(() => ({ kind: "recorded" }));
  vendor.write("one");
  await expect.poll(() => events.length).toBe(1);
  discord.drop("reconnect");
  await expect.poll(() => discord.greetings).toEqual(["identify", "resume"]);
  const gone = restart();
  vendor.write("while nobody listens");
  await gone;
  await expect.poll(() => events.length).toBe(2);
  expect(discord.greetings).toEqual(["identify", "resume", "resume"]);
  discord.drop("forget");
  await expect.poll(() => discord.greetings.at(-1)).toBe("identify");
  vendor.write("three");
  await expect.poll(() => events.length).toBe(3);
  expect(events.map((event) => (event.kind === "message" ? event.text : ""))).toEqual([
    "one",
    "while nobody listens",
    "three",
  ]);
});

it("[CH-12] bots and webhooks are nobody; a reply to us and our name in a server count as addressed", async () => {
  const world = await startFakeDiscord();
  const { events, answers } = await running(world, { groups: { allow: ["-600"] } });
  const { write } = world.discord;
  answers(() => ({ kind: "recorded" }));
  const inServer = { guild_id: "30", channel_id: "20600" };
  const us = { id: "7000", username: "hold", bot: true };
  write({ author: { id: "9", username: "other", bot: true } });
  write({ webhook_id: "5" });
  write({ author: null }); // what cannot be read keeps nothing back
  write({ ...inServer, content: "to nobody" });
  write({ ...inServer, content: "to you", referenced_message: { id: "77", author: us } });
  write({ ...inServer, content: "you, <@!7000>" });
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([{ text: "to you" }, { text: "you," }]);
  expect(world.discord.greetings).toEqual(["identify"]);
});

it("[CH-01] its own commands are registered, and their answers are seen by who asked alone", async () => {
  const world = await startFakeDiscord();
  const { vendor, answers } = await running(world);
  expect(world.discord.state.commands).toMatchObject([[{ name: "plan" }, { name: "pair" }]]);
  answers(() => ({ kind: "reply", text: "Nothing waits for @everyone." }));
  vendor.write("/plan status");
  await expect.poll(() => vendor.toasts()).toEqual(["Nothing waits for ﹫everyone."]);
  expect(vendor.messages(vendor.conversation({ person: "501" }))).toEqual([]);
});

it("[CH-05] no message may mention anybody, whatever is in it, and links show no preview", async () => {
  const world = await startFakeDiscord();
  const { vendor, deliver } = await running(world);
  const { approval, cardItem, closeItem, textItem } = await import("../contract/sample-items.ts");
  const here = vendor.conversation({ person: "501" });
  await deliver(here, [textItem("t", "<@1> @everyone"), cardItem(approval())]);
  await deliver(here, [closeItem(approval(), vendor.messages(here)[1]?.id ?? "")]);
  for (const { body } of world.discord.state.messages)
    expect(body).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 });
});

it("[CH-08] a wrong token is told apart from a server that cannot be reached", async () => {
  const { settings, vendor } = await startFakeDiscord();
  const { discord } = await import("./discord.ts");
  const check = async (change: object) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl: undefined, now: () => 0 };
    return (await discord.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "@hold" });
  expect(await check({ token: "wrong" })).toMatchObject({ ok: false, problem: "Discord does not know this token." });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Discord could not be reached." });
});
