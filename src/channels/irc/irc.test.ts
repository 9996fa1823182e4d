import { expect, it } from "vitest";
import { startFakeIrc } from "../../../test/kit/channels/fake-irc.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { textItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { ircAbout } from "./about.ts";
import { irc } from "./irc.ts";
import { parseLine, textLines } from "./irc-line.ts";

channelContract(ircAbout, () => startFakeIrc());

it("[CH-12] who has an account that the server names is somebody; a nick alone is whoever took it", async () => {
  const world = await startFakeIrc();
  const { events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  world.send("@account=Alice;msgid=1 :al!u@h PRIVMSG holdpoint :hi");
  world.send("@msgid=2 :Alice!u@h PRIVMSG holdpoint :hi");
  world.send(":al!u@h PRIVMSG holdpoint :\u0001VERSION\u0001");
  world.send("@account=alice;msgid=3 :other!u@h PRIVMSG holdpoint :ho");
  await expect.poll(() => events.length).toBe(3);
  expect(events.map(({ person }) => [person.id, person.assured])).toEqual([
    ["account:alice", true],
    ["nick:alice", false],
    ["account:alice", true],
  ]);
});

it("[CH-05] no text begins a line of its own, and no conversation is more than a name", async () => {
  expect(textLines("one\r\nQUIT :bye\n\0\n🦊".padEnd(10))).toEqual(["one", "QUIT :bye", "🦊"]);
  expect(textLines("🦊".repeat(300)).every((line) => Buffer.byteLength(line) <= 400 && line.isWellFormed())).toBe(true);
  expect(parseLine("@a=x\\:y\\sz;b :n!u@h PRIVMSG #c :hi : there")).toMatchObject({
    source: "n",
    command: "PRIVMSG",
    params: ["#c", "hi : there"],
  });
  const { deliver } = await running(await startFakeIrc());
  for (const target of ["a b", "a\r\nQUIT", ":x", "a,b", ""])
    expect(await deliver(target, [textItem("t", "hi")])).toMatchObject({ receipts: [{ state: "failed" }] });
});

it("[CH-08] logs in by SASL, joins the channels that are listed, and channels add says what is wrong", async () => {
  const world = await startFakeIrc({ password: "s3cret" }, "s3cret");
  await running(world, { groups: { allow: ["-600"] } });
  await expect.poll(() => [...world.joined]).toEqual(["#c600"]);
  const check = async (change: object) =>
    (
      await irc.open({
        settings: ChannelSettings.parse({ ...world.settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: "holdpoint" });
  expect(await check({ password: "wrong" })).toMatchObject({ ok: false, problem: expect.stringContaining("password") });
  expect(await check({ port: 1 })).toMatchObject({ ok: false });
});
