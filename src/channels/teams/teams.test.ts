import { expect, it } from "vitest";
import { startFakeTeams, TEAMS } from "../../../test/kit/channels/fake-teams.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { teamsAbout } from "./about.ts";

const NOW = Date.UTC(2026, 0, 5, 9) / 1_000;

channelContract(teamsAbout, () => startFakeTeams());

it("[CH-09] 13: a request that is not signed by Microsoft, for this bot, now, from where it says, is refused unread", async () => {
  const world = await startFakeTeams();
  const { account, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { signed, activity } = world.teams;
  const hello = activity({ text: "hello" });
  const good = await signed(hello);
  const unsigned = [
    { ...good, headers: {} },
    { ...good, headers: { authorization: "Bearer x.y.z" } },
    { ...good, headers: { authorization: `${String(good.headers["authorization"])}x` } },
    await signed(hello, { by: "other" }),
    await signed(hello, { audience: "another-bot" }),
    await signed(hello, { issuer: "https://evil.example" }),
    await signed(hello, { at: NOW - 3_600 - 301 }),
    await signed(hello, { at: NOW + 301 }),
  ];
  for (const request of unsigned) expect(await account.webhook(request)).toMatchObject({ status: 401 });
  expect(await account.webhook({ ...good, body: new TextEncoder().encode("{") })).toMatchObject({ status: 400 });
  const elsewhere = [
    await signed({ ...hello, serviceUrl: "https://evil.example" }),
    await signed({ ...hello, channelId: "directline" }),
    await signed({ ...hello, channelData: { tenant: { id: "tenant-2" } } }),
  ];
  for (const request of elsewhere) expect(await account.webhook(request)).toMatchObject({ status: 403 });
  expect(events).toEqual([]);
  expect(await account.webhook(good)).toMatchObject({ status: 200 });
  expect(await account.webhook(good)).toMatchObject({ status: 200 }); // the same again is the same message
  expect(events).toMatchObject([{ text: "hello", direct: true, person: { id: "tenant-1:aad-501", assured: true } }]);
});

it("[CH-12] who is in no directory is nobody in particular; a thread of a channel is a conversation of its own", async () => {
  const world = await startFakeTeams({ groups: { allow: ["-600"] } });
  const { account, events, answers, deliver, vendor } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { signed, activity } = world.teams;
  await account.webhook(await signed(activity({ text: "/plan accept", from: { id: "29:x", name: "Guest" } })));
  const here = "19:600@thread.tacv2;messageid=1700";
  const conversation = { id: here, conversationType: "channel", tenantId: TEAMS.tenantId };
  await account.webhook(await signed(activity({ text: "/plan status&nbsp;", conversation })));
  expect(events).toMatchObject([{ person: { assured: false } }, { conversation: here, text: "/plan status" }]);
  await deliver(here, [cardItem(approval())]);
  expect(vendor.messages(here)).toHaveLength(1);
});

it("[CH-08] what Microsoft does not accept, an address that is missing and servers that cannot be reached are told apart", async () => {
  const { settings, vendor } = await startFakeTeams();
  const { teams } = await import("./teams.ts");
  const check = async (change: object, webhookUrl = "https://gateway.example/hooks/teams/main") => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl, now: () => 0 };
    return (await teams.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: `bot ${TEAMS.appId}` });
  expect(await check({ appPassword: "wrong" })).toMatchObject({ problem: expect.stringContaining("does not accept") });
  expect(await check({}, "http://gateway.example/")).toMatchObject({
    problem: expect.stringContaining("gateway.pageAddress"),
  });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Teams could not be reached." });
});
