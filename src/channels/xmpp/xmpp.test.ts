import { type Element, xml } from "@xmpp/client";
import { expect, it } from "vitest";
import { startFakeXmpp, type XmppWorld } from "../../../test/kit/channels/fake-xmpp.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { textItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { xmppAbout } from "./about.ts";
import { xmpp } from "./xmpp.ts";

channelContract(xmppAbout, () => startFakeXmpp());

const ALICE = "p501@example.org";
const ROOM = "c600@rooms.example.org";
const ELSEWHERE = "talk@rooms.example.net";

const inRoom = ({ server }: XmppWorld, from: string, { text, with: more }: { text: string; with?: Element }): void =>
  server.send(xml("message", { from, type: "groupchat", id: text }, xml("body", {}, `holdpoint: ${text}`), more));
const direct = ({ server }: XmppWorld, from: string, ...children: Element[]): void =>
  server.send(xml("message", { from, type: "chat", id: "x" }, ...children));

it("[CH-12] who writes in a room of our own server is their address; anybody else in a room is weak", async () => {
  const world = await startFakeXmpp({ groups: { allow: [ROOM, ELSEWHERE] } });
  const { events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  world.server.presence(`${ROOM}/al`, `${ALICE}/phone`);
  inRoom(world, `${ROOM}/al`, { text: "one" });
  world.server.presence(`${ROOM}/al`, undefined, "unavailable");
  inRoom(world, `${ROOM}/al`, { text: "two" });
  world.server.presence(`${ROOM}/al`, "mallory@example.net/x"); // takes the name
  inRoom(world, `${ROOM}/al`, { text: "three" });
  inRoom(world, `${ROOM}/al`, { text: "four", with: xml("delay", { xmlns: "urn:xmpp:delay", from: ROOM }) });
  world.server.presence(`${ELSEWHERE}/al`, `${ALICE}/phone`);
  inRoom(world, `${ELSEWHERE}/al`, {
    text: "five",
    with: xml("occupant-id", { xmlns: "urn:xmpp:occupant-id:0", id: "o1" }),
  });
  await expect.poll(() => events.length).toBe(5);
  expect(events.map(({ person }) => [person.id, person.assured])).toEqual([
    [ALICE, true],
    [`${ROOM}/al`, false],
    ["mallory@example.net", true],
    [`${ROOM}/al`, false],
    [`${ELSEWHERE}/o1`, false],
  ]);
});

it("[CH-03, CH-12] a correction, a private word out of a room, an encrypted message and an echo of ours are no messages", async () => {
  const world = await startFakeXmpp({ groups: { allow: [ROOM] } });
  const { events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const body = (text: string) => xml("body", {}, text);
  direct(world, `${ALICE}/p`, body("/plan accept"), xml("replace", { xmlns: "urn:xmpp:message-correct:0", id: "m1" }));
  direct(world, `${ROOM}/al`, body("/plan accept"));
  direct(world, "other@rooms.example.org/al", body("hi"), xml("x", { xmlns: "http://jabber.org/protocol/muc#user" }));
  direct(world, `${ALICE}/p`, body("I sent you an encrypted message"), xml("encrypted", { xmlns: "urn:xmpp:omemo:2" }));
  direct(world, "holdpoint@example.org/other", body("to myself"));
  inRoom(world, `${ROOM}/holdpoint`, { text: "an echo" });
  direct(world, `${ALICE}/p`, body("the only one"));
  await expect.poll(() => events.length).toBe(1);
  expect(events).toMatchObject([{ text: "the only one", conversation: ALICE, person: { id: ALICE, assured: true } }]);
});

it("[CH-11] a stream that is resumed leaves nothing in doubt: each message is sent once", async () => {
  const world = await startFakeXmpp();
  const { deliver, vendor } = await running(world);
  world.server.due.push("cut");
  const items = ["one", "two"].map((text) => textItem(text, text));
  expect(await deliver(ALICE, items)).toMatchObject({ receipts: [{ state: "sent" }, { state: "sent" }] });
  expect(vendor.messages(ALICE).map(({ text }) => text)).toEqual(["one", "two"]);
});

it("[CH-11] a server without stream management confirms by a ping", async () => {
  const world = await startFakeXmpp({}, { isManaged: false });
  const { deliver, vendor, events, answers } = await running(world);
  answers(() => ({ kind: "recorded" }));
  expect(await deliver(ALICE, [textItem("t", "hi")])).toMatchObject({ receipts: [{ state: "sent" }] });
  vendor.write("ho");
  await expect.poll(() => events).toMatchObject([{ text: "ho" }]);
  vendor.cut("after");
  expect(await deliver(ALICE, [textItem("u", "again")])).toMatchObject({ stopped: { maybeSent: true } });
});

it("[CH-11] receipts, markers and refusals belong to the message that they name, and only its receiver can send them", async () => {
  const world = await startFakeXmpp();
  const { events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  const { receipts } = await deliver(ALICE, [textItem("t", "hi")]);
  const id = receipts[0]?.messageId ?? "";
  direct(world, `${ALICE}/p`, xml("received", { xmlns: "urn:xmpp:receipts", id }));
  direct(world, `${ALICE}/p`, xml("displayed", { xmlns: "urn:xmpp:chat-markers:0", id }));
  const error = xml("error", { type: "cancel" }, xml("service-unavailable", {}));
  world.server.send(xml("message", { from: "mallory@example.net", type: "error", id }, error));
  await expect.poll(() => events.length).toBe(3);
  expect(events).toMatchObject([
    { kind: "receipt", messageId: id, state: "delivered", conversation: ALICE },
    { kind: "receipt", messageId: id, state: "read", conversation: ALICE },
    { kind: "receipt", state: "failed", detail: "service-unavailable", conversation: "mallory@example.net" },
  ]);
});

it("[CH-05] characters that XML does not have end no stream", async () => {
  const world = await startFakeXmpp();
  const port = await xmpp.open({ settings: world.settings, webhookUrl: undefined, now: () => 0 });
  await port.start({
    deliver: async () => undefined,
    cursor: { get: async () => undefined, set: async () => undefined },
    report: () => undefined,
  });
  const body = { format: "plain" as const, text: "a\u000bb\uFFFEc\ud800d]]>&<\u0000" };
  await port.send(ALICE, { kind: "text", body }, { key: "k", signal: AbortSignal.timeout(5_000) });
  expect(world.vendor.messages(ALICE).at(-1)?.text).toBe("abc\uFFFDd]]>&<");
  await port.stop();
  await world.vendor.close();
});

it("[CH-11] a character that two packets share stays whole", async () => {
  const world = await startFakeXmpp();
  const { events, answers, deliver } = await running(world);
  answers(() => ({ kind: "recorded" }));
  await deliver(ALICE, [textItem("t", "hi")]); // now nothing is under way that could come in between
  const bytes = Buffer.from(`<message from='${ALICE}/p' type='chat' id='s'><body>🦊 fox</body></message>`);
  const [socket] = world.server.sockets;
  world.server.current?.sent.push(bytes.toString("utf8"));
  const at = bytes.indexOf(0xf0) + 2;
  await new Promise((resolve) => socket?.setNoDelay(true).write(bytes.subarray(0, at), resolve));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  socket?.write(bytes.subarray(at));
  await expect.poll(() => events).toMatchObject([{ text: "🦊 fox" }]);
});

it("[CH-08] channels add says what is wrong: the password, TLS that is not offered, a server that is not there", async () => {
  const world = await startFakeXmpp();
  const check = async (change: object) => {
    const settings = ChannelSettings.parse({ ...world.settings, ...change });
    return (await xmpp.open({ settings, webhookUrl: undefined, now: () => 0 })).check(AbortSignal.timeout(5_000));
  };
  expect(await check({})).toEqual({ ok: true, me: "holdpoint@example.org" });
  expect(await check({ password: "wrong" })).toMatchObject({ ok: false, problem: expect.stringContaining("password") });
  expect(await check({ tls: true })).toMatchObject({ ok: false, problem: "the server offers no TLS" });
  expect(await check({ service: "xmpp://127.0.0.1:1" })).toMatchObject({ ok: false });
  await world.vendor.close();
});
