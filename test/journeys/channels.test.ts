import { expect, it } from "vitest";
import { placeId } from "../../src/delivery/place-id.ts";
import { fakeChannel } from "../kit/fake-channel.ts";
import { type ScriptStep } from "../kit/scripted-model.ts";
import {
  submit,
  done,
  HOUR_MS,
  world,
  ALL,
  submitted,
  payloads,
  shown,
  tokenFor,
} from "../kit/channels/channel-world.ts";

it("[CH-07, CH-11, GW-09] a paired person writes, sees the plan as a card, and approves it with its button", async () => {
  const { channel, sessionId, phase, client } = await submitted([
    { say: "I will plan.", ...submit("Greet") },
    { say: "Approved, thank you.", ...done },
    { say: "Done." },
  ]);
  const { session } = await client().call("sessions.get", { sessionId });
  expect(session.surface).toBe("fake");
  const card = channel.card();
  expect(card.payload).toMatchObject({ kind: "approval", title: "Greet" });
  expect(payloads(channel)[0]).toEqual({ kind: "assistant", text: "I will plan." });

  const { token, messageId } = tokenFor(channel, "approve");
  expect(Buffer.byteLength(token)).toBe(25);
  expect(await channel.click(token, { messageId })).toMatchObject({ kind: "decision", sessionId });
  await expect.poll(() => phase(sessionId)).toBe("off");
  await expect.poll(() => payloads(channel).at(-1)).toEqual({ kind: "assistant", text: "Done." });
  const ended = {
    buttons: [],
    payload: { kind: "approval", state: "completed", outcome: { by: { kind: "operator" } } },
  };
  await expect.poll(() => shown(channel, messageId)).toMatchObject(ended);
});

it("[I06, CH-06] a plan of which only a part arrived is approved by no button; what arrived whole is recorded so", async () => {
  const partly = fakeChannel();
  partly.offers("part");
  const { channel, sessionId, client, phase, store } = await submitted(
    [submit("Greet"), submit("Greet twice"), { say: "Thank you." }],
    partly,
  );
  const subscriberId = placeId({ surface: "fake", account: "bot", conversation: "c1" });
  const recorded = async () => (await store().openDeliveries({ subscriberId, limit: 9 })).map(({ offered }) => offered);
  await expect.poll(recorded).toEqual(["part"]);
  const cut = tokenFor(channel, "approve");
  expect(await channel.click(cut.token, cut)).toMatchObject({ refusal: { code: "APPROVAL_NOT_OFFERED" } });
  expect(await phase(sessionId)).toBe("pending");
  partly.offers("whole");
  await client().call("chat.send", { sessionId, text: "/plan revise twice" });
  await expect.poll(() => channel.card().payload).toMatchObject({ title: "Greet twice", state: "pending" });
  await expect.poll(recorded).toContain("whole");
  const whole = tokenFor(channel, "approve");
  expect(await channel.click(whole.token, whole)).toMatchObject({ kind: "decision" });
  const { rows } = await client().call("audit.list", { sessionId, limit: 100 });
  const row = rows.findLast(({ body }) => body.includes('"plan.decided"'))?.body ?? "";
  expect(row).toMatch(/"digest":"(\w+)".*"offered":\{"surface":"fake","extent":"whole","digest":"\1"\}/);
});

it("[CH-07] a card that is decided elsewhere is edited in place, and its button is worth nothing any more", async () => {
  const { channel, sessionId, client } = await submitted([submit("Greet"), { say: "Sorry." }, { say: "Thank you." }]);
  const before = tokenFor(channel, "approve");
  await client().call("chat.send", { sessionId, text: "/plan revise be polite" });
  await expect
    .poll(() => shown(channel, before.messageId)?.payload)
    .toMatchObject({ state: "rejected", outcome: { words: "be polite" } });
  expect(await channel.click(before.token, before)).toMatchObject({
    kind: "refused",
    refusal: { code: "APPROVAL_STALE" },
  });
  const after = tokenFor(channel, "approve");
  expect(after.messageId).toBe(before.messageId);
  expect(await channel.click(after.token, after)).toMatchObject({ kind: "decision" });
});

it("[PL-20, CH-01] a bare accept counts for what the vendor says that this very person has read, also after a restart", async () => {
  const here = await submitted([
    submit("Greet"),
    submit("Greet twice"),
    { say: "Thank you.", ...done },
    { say: "Done." },
  ]);
  const { channel, sessionId, phase, pair, start, end } = here;
  await pair("bob-on-fake", ALL);
  const codeNeeded = { kind: "refused", refusal: { code: "APPROVAL_CODE_REQUIRED" } };
  expect(await channel.send("/plan accept")).toMatchObject(codeNeeded); // it was sent, but nobody says that it was read
  await channel.read(channel.card().id, { assured: false });
  expect(await channel.send("/plan accept")).toMatchObject(codeNeeded);
  await channel.read(channel.card().id);
  expect(await channel.send("/plan accept", { person: "bob-on-fake" })).toMatchObject(codeNeeded); // Alice has, Bob has not
  expect(await channel.send("/approve", { conversation: "c2" })).toMatchObject({ kind: "refused" }); // of another place
  expect(await channel.send("/plan revise twice, please", { person: "bob-on-fake" })).toMatchObject({ kind: "reply" });
  await expect.poll(() => channel.card().payload).toMatchObject({ title: "Greet twice", state: "pending" });
  expect(await channel.send("/plan accept")).toMatchObject(codeNeeded); // Alice has read the revision before it
  expect(await phase(sessionId)).toBe("pending");
  await channel.read(channel.card().id, { person: "bob-on-fake" });
  await end();
  await start([{ say: "Thank you.", ...done }, { say: "Done." }]);
  expect(await channel.send("/plan accept", { person: "bob-on-fake" })).toMatchObject({ kind: "reply" });
  await expect.poll(() => phase(sessionId)).toBe("off");
});

it("[PL-20, PL-10] of a press and a rejection in the same moment one wins, and the other is told so", async () => {
  const { channel, sessionId, client, phase } = await submitted([submit("Greet"), { say: "Sorry." }, { say: "ok" }]);
  const { token, messageId } = tokenFor(channel, "approve");
  const [rejected, pressed] = await Promise.allSettled([
    client().call("chat.send", { sessionId, text: "/plan revise be polite" }),
    channel.click(token, { messageId }),
  ]);
  const isApproved = pressed.status === "fulfilled" && pressed.value.kind === "decision";
  expect([rejected.status, await phase(sessionId)]).toEqual(
    isApproved ? ["rejected", "executing"] : ["fulfilled", "rejected"],
  );
});

it("[CH-10] the frozen lines of a whole cycle reach the conversation that the session came from", async () => {
  const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };
  const { channel, sessionId, client } = await submitted([
    write,
    submit("Greet"),
    submit("Greet politely"),
    done,
    { say: "Done." },
  ]);
  await channel.send("/plan revise be polite");
  await expect.poll(() => channel.card().payload).toMatchObject({ state: "pending", title: "Greet politely" });
  const { token, messageId } = tokenFor(channel, "approve");
  await channel.click(token, { messageId });
  await expect.poll(() => payloads(channel).at(-1)).toEqual({ kind: "assistant", text: "Done." });
  await channel.send("/plan on");
  const lines = () =>
    payloads(channel).flatMap((payload) => {
      const { kind, text } = payload as { kind: string; text?: string };
      return kind === "notice" && text?.startsWith("[plan-mode] ") === true ? [text] : [];
    });
  await expect.poll(() => lines().at(-1)).toContain("entered at");
  const { items } = await client().call("chat.history", { sessionId, limit: 200 });
  const stored = items.flatMap(({ entry }) =>
    entry.kind === "notice" && entry.text.startsWith("[plan-mode] ") ? [entry.text] : [],
  );
  expect(lines()).toEqual(stored.slice(1)); // the session began in plan mode before it had this conversation
  expect(lines().map((line) => line.split(" ")[1])).toEqual(
    "refused awaiting rejected awaiting approved exited entered".split(" "),
  );
});

it("[CH-07, PL-07] words are typed: a plan is sent back by command, and the next one takes the place of its card", async () => {
  const { channel } = await submitted([submit("Greet"), submit("Greet politely")]);
  const first = channel.card();
  expect(first.buttons.map(({ action }) => action)).toEqual(["approve", "approve-allowing-edits", "reject"]);
  expect(await channel.send("/plan revise be polite")).toMatchObject({ kind: "reply" });
  await expect.poll(() => channel.card().payload).toMatchObject({ state: "pending", title: "Greet politely" });
  expect(channel.card().id).not.toBe(first.id);
  await expect
    .poll(() => shown(channel, first.id))
    .toMatchObject({ buttons: [], payload: { title: "Greet", state: "superseded", actions: [] } });
});

it("[CH-07, QU-01] a question has a button for each answer, and says what was answered", async () => {
  const asks: ScriptStep = {
    calls: [{ tool: "ask_user_question", args: { question: "Which greeting?", options: ["hello", "good day"] } }],
  };
  const { channel } = await submitted([asks, asks, { say: "Good day it is." }]);
  const answered = async (action: string, ended: object) => {
    const button = tokenFor(channel, action);
    expect(await channel.click(button.token, button)).toMatchObject({ kind: "decision" });
    await expect
      .poll(() => shown(channel, button.messageId))
      .toMatchObject({ buttons: [], payload: { kind: "question", ...ended } });
  };
  const { payload, buttons } = channel.card();
  const { options } = payload as { options: { id: string; label: string }[] };
  expect(buttons.map(({ action }) => action)).toEqual([...options.map(({ id }) => `answer:${id}`), "defer", "decline"]);
  await answered(`answer:${options[1]?.id}`, { state: "answered", outcome: { words: "good day" } });
  await expect.poll(() => channel.messages().filter((one) => one.buttons.length > 0).length).toBe(1);
  await answered("decline", { state: "declined" });
});

it("[CH-07, AE-05] a held call is let pass once by its button", async () => {
  const here = world();
  const write = { tool: "write", args: { path: "notes.txt", content: "blue\n" } };
  await here.start([{ say: "Hi." }, { calls: [write] }, { calls: [write] }, { say: "Written." }]);
  await here.pair("alice-on-fake", ALL);
  const { channel } = here;
  const hello = await channel.send("Hello");
  if (hello.kind !== "message") throw new Error("not a message");
  await expect.poll(() => payloads(channel).length).toBe(1);
  await here.client().call("sessions.patch", { sessionId: hello.sessionId, planMode: "normal" });
  await here.client().call("sessions.patch", { sessionId: hello.sessionId, permissionMode: "ask" });
  await channel.send("Write it down.");
  await expect.poll(() => channel.messages().some(({ buttons }) => buttons.length > 0)).toBe(true);
  expect(channel.card().payload).toMatchObject({ kind: "grant", state: "open", call: { tool: "write" } });
  const yes = tokenFor(channel, "allow-once");
  expect(await channel.click(yes.token, yes)).toMatchObject({ kind: "decision" });
  await expect.poll(() => payloads(channel).at(-1)).toEqual({ kind: "assistant", text: "Written." });
  expect(shown(channel, yes.messageId)).toMatchObject({ buttons: [], payload: { kind: "grant", state: "given" } });
  expect(payloads(channel).filter((one) => JSON.stringify(one).includes('"grant"'))).toHaveLength(1);
});

it("[CH-07, PL-08] a card that nobody decided in time says so in its place, also where the gateway was started anew", async () => {
  const { channel, clock, end, start } = await submitted([submit("Greet")]);
  const before = tokenFor(channel, "approve");
  await end();
  clock.advance(30 * 24 * HOUR_MS);
  await start([{ say: "Too late." }]);
  await expect
    .poll(() => shown(channel, before.messageId))
    .toMatchObject({ buttons: [], payload: { kind: "approval", state: "timed_out", actions: [] } });
  expect(await channel.click(before.token, before)).toMatchObject({ kind: "refused" });
});

it("[CH-03, CH-09, CH-12] a stranger, somebody who may not, a weak identity and a button from elsewhere decide nothing", async () => {
  const { channel, sessionId, pair, phase } = await submitted([submit("Greet")]);
  await pair("reader", ["operator.read"]);
  const { token, messageId } = tokenFor(channel, "approve");
  const dropped = { kind: "dropped" };
  expect(await channel.click(token, { messageId, person: "mallory" })).toEqual(dropped);
  expect(await channel.click(token, { messageId, person: "reader" })).toEqual(dropped);
  expect(await channel.click(token, { messageId, assured: false })).toEqual(dropped);
  expect(await channel.send("/plan accept", { person: "mallory" })).toEqual(dropped);
  expect(await channel.send("/plan accept", { assured: false })).toEqual(dropped);
  const unknown = { kind: "refused", refusal: { code: "APPROVAL_UNKNOWN" } };
  expect(await channel.click(token, { messageId, conversation: "c2" })).toMatchObject(unknown);
  expect(await channel.click(token, { messageId: "copied-to-another-card" })).toMatchObject(unknown);
  expect(await channel.click("h1.AAAAAAAAAAAAAAAAAAAAAA", { messageId })).toMatchObject({
    kind: "refused",
    refusal: { code: "APPROVAL_STALE" },
  });
  expect(await phase(sessionId)).toBe("pending");
});

it("[CH-09] an empty list of paired accounts means nobody, and a revoked operator is nobody again", async () => {
  const { channel, start, pair, client } = world();
  await start([{ say: "Hello." }]);
  expect(await channel.send("hello")).toEqual({ kind: "dropped" });
  await pair("alice-on-fake", ALL);
  expect(await channel.send("hello")).toMatchObject({ kind: "message" });
  const { tokens } = await client().call("tokens.list", {});
  const alice = tokens.find(({ name }) => name === "alice-on-fake");
  await client().call("tokens.revoke", { id: alice?.id ?? "" });
  expect(await channel.send("hello again")).toEqual({ kind: "dropped" });
});

it("[CH-11, I13] an event that comes twice is applied once, also after a restart", async () => {
  const { channel, start, end, sessionId, client } = await submitted([
    submit("Greet"),
    { say: "Thank you." },
    { say: "ok" },
  ]);
  const click = { ...tokenFor(channel, "approve"), eventId: "click-1" };
  const first = await channel.click(click.token, click);
  expect(first).toMatchObject({ kind: "decision" });
  expect(await channel.click(click.token, click)).toEqual(first);
  const said = await channel.send("one more thing", { eventId: "said-1" });
  await end();
  await start([{ say: "ok" }, { say: "ok" }]);
  expect(await channel.click(click.token, click)).toEqual(first);
  expect(await channel.send("one more thing", { eventId: "said-1" })).toEqual(said);
  expect(await channel.send("something else", { eventId: "said-1" })).toMatchObject({
    kind: "refused",
    refusal: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  await expect
    .poll(async () => {
      const { items } = await client().call("chat.history", { sessionId, limit: 100 });
      const texts = items.flatMap(({ entry }) => (entry.kind === "input" ? entry.messages : []));
      return texts.filter(({ text }) => text === "one more thing").length;
    })
    .toBe(1);
});

it("[CH-11] killed between sending and recording, the card is sent again with a word that it may be a repetition", async () => {
  const { channel, start, kill, pair, phase } = world();
  await start([submit("Greet")]);
  await pair("alice-on-fake", ALL);
  const wasSent = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  channel.afterSend(async () => {
    if (!channel.messages().some(({ buttons }) => buttons.length > 0)) return;
    wasSent.resolve();
    await mayAnswer.promise;
  });
  const outcome = await channel.send("Please greet");
  if (outcome.kind !== "message") throw new Error("not a message");
  await wasSent.promise;
  const killed = kill();
  mayAnswer.resolve();
  await killed;
  channel.afterSend(undefined);
  const lost = tokenFor(channel, "approve");

  await start([{ say: "Thank you." }]);
  await expect.poll(() => channel.messages().filter(({ buttons }) => buttons.length > 0).length).toBe(2);
  expect(channel.card()).toMatchObject({ maybeSent: true });
  const again = tokenFor(channel, "approve");
  expect(again.messageId).not.toBe(lost.messageId);
  expect(await channel.click(again.token, again)).toMatchObject({ kind: "decision" });
  expect(await phase(outcome.sessionId)).toBe("executing");
});

it("[CH-11, CH-06] a channel that is down for an hour holds up nobody, is seen to be stuck, and catches up in order", async () => {
  const { channel, start, pair, client, clock, until, phase } = world();
  await start([...Array.from({ length: 6 }, (_, n) => ({ say: `answer ${n + 1}` })), submit("Greet")]);
  await pair("alice-on-fake", ALL);
  channel.stopWith({ why: "the vendor is down" });
  for (let n = 1; n <= 3; n++) {
    await channel.send(`question ${n}`);
    await channel.send(`question ${n}`, { conversation: "c2" });
    await expect.poll(() => payloads(channel, "c2")).toHaveLength(n);
  }
  const outcome = await channel.send("now a plan");
  if (outcome.kind !== "message") throw new Error("not a message");
  await expect.poll(() => phase(outcome.sessionId)).toBe("pending"); // the clock does not run ahead of a turn under way
  expect(payloads(channel)).toEqual([]);
  for (let minutes = 0; minutes < 60; minutes++) {
    clock.advance(60_000);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await until(() => channel.tries() > 3, true);
  const { notes } = await client().call("status", {});
  expect(notes).toEqual([expect.stringMatching(/^Delivery to fake:bot:c1 has failed since .*the vendor is down/)]);

  channel.stopWith(undefined);
  const isThere = (): boolean => channel.messages().some(({ buttons }) => buttons.length > 0);
  await until(isThere, true);
  const answers = payloads(channel).flatMap((payload) => /answer (\d)/.exec(JSON.stringify(payload))?.[1] ?? []);
  expect(answers).toHaveLength(3);
  expect(answers).toEqual(answers.toSorted());
  expect(channel.messages().at(-1)).toMatchObject({ payload: { kind: "approval" } });
  expect(channel.messages().filter(({ maybeSent }) => maybeSent)).toEqual([]);
  await until(async () => (await client().call("status", {})).notes, []);
  expect(clock.now()).toBeGreaterThan(Date.UTC(2026, 0, 5, 9) + HOUR_MS);
});

it("[CH-07, GW-09] a place that follows an operator is shown what waits in every session, and is no place to talk in", async () => {
  const { channel, start, pair, client, phase } = world();
  await start([submit("Greet"), { say: "Thank you." }]);
  await pair("alice-on-fake", ALL);
  const { tokens } = await client().call("tokens.list", {});
  await channel.io().follow({ account: "bot", conversation: "c1" }, { operatorId: tokens[0]?.id ?? "" });
  const { session } = await client().call("sessions.create", {});
  await client().call("chat.send", { sessionId: session.id, text: "Please greet" });
  await expect.poll(() => channel.messages().length).toBe(1);
  expect(await channel.send("hello")).toMatchObject({ kind: "refused", refusal: { code: "INVALID_REQUEST" } });
  const { token, messageId } = tokenFor(channel, "approve");
  expect(await channel.click(token, { messageId })).toMatchObject({ kind: "decision", sessionId: session.id });
  expect(await phase(session.id)).toBe("executing");
  await expect.poll(() => channel.messages()[0]).toMatchObject({ buttons: [], payload: { state: "approved" } });
});

it("[PL-14] a binding may name the account of a channel: only sessions that came in by it are bound", async () => {
  const here = world();
  await here.start([]);
  await here.pair("alice-on-fake", ALL);
  const opened = async (conversation: string) => {
    const outcome = await here.channel.send("Please greet", { conversation });
    if (outcome.kind !== "message") throw new Error(`not a message: ${JSON.stringify(outcome)}`);
    return (await here.client().call("sessions.get", { sessionId: outcome.sessionId })).session;
  };
  const bind = (instance: string) =>
    here.client().call("config.set", { path: "bindings", value: [{ surface: "fake", instance, role: "worker" }] });
  await bind("another");
  expect(await opened("one")).toMatchObject({ surface: "fake", instance: "bot" });
  await bind("bot");
  expect(await opened("two")).toMatchObject({ surface: "fake", instance: "bot", role: "worker" });
  expect((await opened("one")).role).toBeUndefined();
});
