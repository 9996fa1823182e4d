import { expect, it } from "vitest";
import { startFakeMatrix } from "../../../test/kit/channels/fake-matrix.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem, editItem, textItem, TOKENS } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { matrixAbout } from "./about.ts";

channelContract(matrixAbout, () => startFakeMatrix());

const text = (body: string, more: object = {}) => ({ msgtype: "m.text", body, ...more });

it("[CH-08] an encrypted room is refused and told so once, nothing is read or written there, and an invitation to one is declined", async () => {
  const world = await startFakeMatrix();
  const { vendor, matrix } = world;
  const room = "!d501:example.org";
  matrix.encrypted.add(room);
  const { events, answers, deliver, warnings } = await running(world);
  answers(() => ({ kind: "recorded" }));
  matrix.happen({ room, type: "m.room.encrypted", content: { algorithm: "m.megolm.v1.aes-sha2", ciphertext: "…" } });
  matrix.happen({ room, content: text("/plan accept") });
  matrix.forbidden.add("!gone:example.org");
  matrix.happen({ room: "!gone:example.org", content: text("you were put out") });
  vendor.write("hello", { person: "502" });
  await expect.poll(() => events.length).toBe(1);
  expect(events).toMatchObject([{ text: "hello", conversation: "!d502:example.org" }]);
  const said = matrix.log.filter((one) => one.room === room && one.sender === "@hold:example.org");
  expect(said.map(({ content }) => String(content["body"]).slice(0, 22))).toEqual(["This room is encrypted"]);
  expect(warnings).toContain(`The room ${room} is encrypted: nothing there is read.`);
  expect(await deliver(room, [textItem("t", "secret")])).toMatchObject({ receipts: [{ state: "failed" }] });
  const member = { type: "m.room.member", state_key: "@hold:example.org", content: { is_direct: true } };
  matrix.invites.set("!e:example.org", [member, { type: "m.room.encryption", state_key: "", content: {} }]);
  matrix.invites.set("!d9:example.org", [member]);
  matrix.invites.set("!other:example.org", [{ ...member, content: {} }]);
  vendor.write("wake", { person: "502" });
  await expect.poll(() => matrix.answered).toEqual(["leave !e:example.org", "join !d9:example.org"]);
});

it("[CH-11] more than one answer holds is read before what follows it, in its order", async () => {
  const world = await startFakeMatrix();
  const { matrix } = world;
  matrix.limit = 2;
  const { events, answers, restart } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const again = restart();
  for (let n = 0; n < 9; n += 1) matrix.happen({ room: "!d501:example.org", content: text(`number ${n}`) });
  await again;
  await expect.poll(() => events.length).toBe(9);
  expect(events.map((event) => (event.kind === "message" ? event.text : ""))).toEqual(
    Array.from({ length: 9 }, (_, n) => `number ${n}`),
  );
});

it("[CH-12] a reaction counts on our own cards alone, by the tokens of their last edit, and never by what somebody else wrote", async () => {
  const world = await startFakeMatrix();
  const { vendor, matrix } = world;
  const { events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const room = "!d501:example.org";
  const react = (id: string, key: string) =>
    matrix.happen({
      room,
      type: "m.reaction",
      content: { "m.relates_to": { rel_type: "m.annotation", event_id: id, key } },
    });
  const forged = matrix.happen({
    room,
    content: text("x", { "io.holdpoint.buttons": [{ label: "Accept", token: TOKENS[0] }] }),
  });
  react(forged, "1\uFE0F\u20E3");
  await deliver(room, [cardItem(approval())]);
  const [card] = vendor.messages(room);
  const id = card?.id ?? "";
  const own = matrix.log.filter(({ type, sender }) => type === "m.reaction" && sender === "@hold:example.org");
  expect(own.map(({ content }) => content)).toMatchObject([
    { "m.relates_to": { event_id: id, key: "1\uFE0F\u20E3" } },
    { "m.relates_to": { event_id: id, key: "2\uFE0F\u20E3" } },
  ]);
  expect(card?.text).toContain("1\uFE0F\u20E3 Accept");
  await deliver(room, [editItem(approval({ title: "Other" }), id)]);
  react(id, "👍");
  react(id, "3\uFE0F\u20E3");
  react(id, "2\u20E3"); // as some clients write it
  matrix.happen({ room, content: text("last") });
  await expect.poll(() => events.at(-1)).toMatchObject({ text: "last" });
  expect(events.slice(1)).toMatchObject([{ kind: "click", token: TOKENS[1], messageId: id }, { text: "last" }]);
});

it("[CH-07] a thread is a conversation of its own, and edits, notices and quotations of others are not taken for words", async () => {
  const world = await startFakeMatrix({ groups: { allow: ["-600"] } });
  const { vendor, matrix } = world;
  const { events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const room = "!g600:example.org";
  const relation = {
    "m.relates_to": {
      rel_type: "m.thread",
      event_id: "$root",
      is_falling_back: true,
      "m.in_reply_to": { event_id: "$x" },
    },
  };
  matrix.happen({
    room,
    content: text("* hold: edited", { "m.relates_to": { rel_type: "m.replace", event_id: "$y" } }),
  });
  matrix.happen({ room, content: { msgtype: "m.notice", body: "Hold: I am a bot" } });
  matrix.happen({ room, content: text("Hold: hello", relation) });
  matrix.happen({ room, content: text("> <@hold:example.org> /plan accept\n\n@hold:example.org please wait") });
  await expect.poll(() => events.length).toBe(2);
  const here = `${room}:thread:$root`;
  expect(events).toMatchObject([
    { conversation: here, text: "hello" },
    { conversation: room, text: "please wait" },
  ]);
  await deliver(here, [cardItem(approval())]);
  const [card] = vendor.messages(here);
  if (card === undefined) throw new Error("no card in the thread");
  vendor.press(card, 0, { group: "-600" });
  await expect.poll(() => events.at(-1)).toMatchObject({ kind: "click", conversation: here, messageId: card.id });
});

it("[CH-08] a wrong token is told apart from a server that cannot be reached", async () => {
  const { settings, vendor } = await startFakeMatrix();
  const { matrix } = await import("./matrix.ts");
  const check = async (change: object) => {
    const parts = { settings: ChannelSettings.parse({ ...settings, ...change }), webhookUrl: undefined, now: () => 0 };
    return (await matrix.open(parts)).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "@hold:example.org" });
  expect(await check({ accessToken: "wrong" })).toMatchObject({
    problem: "The Matrix server does not know this token.",
  });
  await vendor.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Matrix could not be reached." });
});
