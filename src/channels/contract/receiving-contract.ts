/** What every channel does with what people send: stored, then acknowledged; once; by whom; in groups; and silence. */
import { expect, it } from "vitest";
import type { ChannelAbout } from "../port.ts";
import { type Running, running, type RunningWith, type VendorWorld } from "./fake-vendor.ts";
import { approval, cardItem, closeItem, decided, TOKENS, wordsItem } from "./sample-items.ts";

export type Open = (change?: RunningWith) => Promise<Running>;

/** Nobody can send a file there: a line is all there is. */
const WITHOUT_FILES: ReadonlySet<string> = new Set(["irc", "xmpp", "webhook"]);

const opening =
  (world: () => Promise<VendorWorld>): Open =>
  async (change) =>
    running(await world(), change);

export function receivingContract(about: ChannelAbout, world: () => Promise<VendorWorld>): void {
  const open = opening(world);
  const { replay, identity, buttons, form, groups, filesIn } = about.capabilities;

  it("[CH-11] 1: acknowledges an event when it is stored and not before; what was not stored comes again", async () => {
    const { vendor, events, answers, acknowledged } = await open();
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    answers(async () => {
      arrived.resolve();
      await gate.promise;
      return { kind: "recorded" };
    });
    vendor.write("hello");
    await arrived.promise;
    // where nothing is ever acknowledged there is nothing to see
    const confirmed = (): number => (replay === "none" ? events.length : acknowledged());
    expect(confirmed()).toBe(0);
    gate.resolve();
    await expect.poll(confirmed).toBe(1);
    await expect.poll(() => events.length).toBe(1);
    expect(events).toMatchObject([{ kind: "message", text: "hello", account: "main" }]);
  });

  it.runIf(replay !== "none")(
    "[CH-11] 1: an event that could not be stored is sent again by the vendor, and stored once",
    async () => {
      const { vendor, events, times, answers, clock, acknowledged } = await open();
      let tries = 0;
      answers(() => {
        tries += 1;
        if (tries === 1) throw new Error("the disk is full");
        return { kind: "recorded" };
      });
      vendor.write("hello");
      await expect.poll(() => tries).toBe(1);
      expect(acknowledged()).toBe(0);
      vendor.sendAgain(0);
      await expect
        .poll(() => {
          clock.advance(1_000);
          return events.length;
        })
        .toBe(1);
      expect([...times.values()]).toEqual([2]);
    },
  );

  it.runIf(replay !== "none")(
    "[CH-11] 1: after an end between storing and acknowledging the event comes again, as the same one",
    async () => {
      const { vendor, events, times, answers, acknowledged, restart } = await open();
      answers(() => {
        throw new Error("killed when it was stored");
      });
      vendor.write("hello");
      await expect.poll(() => times.size).toBe(1);
      expect(acknowledged()).toBe(0);
      answers(() => ({ kind: "recorded" }));
      await restart();
      vendor.sendAgain(0);
      await expect.poll(() => events).toMatchObject([{ kind: "message", text: "hello" }]);
      await expect.poll(() => acknowledged()).toBe(1);
      expect(times.size).toBe(1);
    },
  );

  it("[CH-11] 2: the same event twice, and in another order, has the same id", async () => {
    const { vendor, events, answers } = await open();
    answers(() => ({ kind: "recorded" }));
    const texts = Array.from({ length: 9 }, (_, n) => `message ${n}`);
    for (const text of texts) vendor.write(text);
    await expect.poll(() => events.length).toBe(9);
    vendor.sendAgain(3);
    vendor.write("last");
    await expect.poll(() => events.length).toBe(10);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(10);
    expect(events.map((event) => (event.kind === "message" ? event.text : ""))).toEqual([...texts, "last"]);
  });

  it("[CH-09, CH-12] 3: a person is the same under a new name, and two with one name are two", async () => {
    const { vendor, events, answers } = await open();
    answers(() => ({ kind: "recorded" }));
    vendor.write("one", { person: "501", name: "Alice" });
    vendor.write("two", { person: "501", name: "Root" });
    vendor.write("three", { person: "502", name: "Alice" });
    await expect.poll(() => events.length).toBe(3);
    const ids = events.map(({ person }) => person.id);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
    expect(events.map(({ person }) => person.assured)).toEqual(Array(3).fill(identity === "assured"));
  });

  it.runIf(typeof buttons === "object")(
    "[CH-07] 6, 7: a click carries token, person and message; a late one is told that it is over",
    async () => {
      const { vendor, events, answers, deliver } = await open();
      const here = vendor.conversation({ person: "501" });
      await deliver(here, [cardItem(approval())]);
      const [card] = vendor.messages(here);
      if (card === undefined) throw new Error("no card");
      answers(() => ({ kind: "refused", refusal: { code: "APPROVAL_STALE", message: "It is already decided." } }));
      vendor.press(card, 0, { person: "501" });
      await expect
        .poll(() => events)
        .toMatchObject([{ kind: "click", token: TOKENS[0], messageId: card.id, conversation: here }]);
      await expect
        .poll(() => [...vendor.toasts(), ...vendor.messages(here).map(({ text }) => text)].join("\n"))
        .toContain("It is already decided.");
    },
  );

  it.runIf(form === "reply")(
    "[CH-07] 6: words for a button are asked for, and only that person's reply to the question counts",
    async () => {
      const place = groups === false ? {} : { group: "-600" };
      const { vendor, events, answers, deliver } = await open({ groups: { allow: ["-600"] } });
      const here = vendor.conversation({ person: "501", ...place });
      await deliver(here, [cardItem(approval())]);
      const [card] = vendor.messages(here);
      if (card === undefined) throw new Error("no card");
      answers((event) =>
        event.kind === "click" && event.text === undefined
          ? { kind: "asks", label: "What should change?", charsMax: 100 }
          : { kind: "recorded" },
      );
      vendor.press(card, 1, { person: "501", ...place });
      await expect.poll(() => vendor.messages(here).at(-1)?.text).toContain("What should change?");
      const replyTo = vendor.messages(here).at(-1)?.id ?? "";
      vendor.write("be rude", { person: "502", ...place, replyTo });
      vendor.write("be polite", { person: "501", ...place, replyTo });
      await expect.poll(() => events.length).toBe(3);
      expect(events.slice(1)).toMatchObject([
        { kind: "message", text: "be rude" },
        { kind: "click", token: TOKENS[1], messageId: card.id, text: "be polite" },
      ]);
    },
  );

  it.runIf(form === "own")(
    "[CH-07] 6: words for a button are written in the vendor's own form, and come as that person's press with words",
    async () => {
      const place = groups === false ? {} : { group: "-600" };
      const { vendor, events, answers, deliver } = await open({ groups: { allow: ["-600"] } });
      const here = vendor.conversation({ person: "501", ...place });
      await deliver(here, [wordsItem(approval())]);
      const [card] = vendor.messages(here);
      if (card === undefined) throw new Error("no card");
      answers((event) =>
        event.kind === "click" && event.text === undefined
          ? { kind: "asks", label: "What should change?", charsMax: 100 }
          : { kind: "recorded" },
      );
      await vendor.submit?.(card, 1, { person: "501", ...place, words: "be <polite> & *kind*" });
      const said = { kind: "click", token: TOKENS[1], messageId: card.id, conversation: here };
      await expect.poll(() => events.at(-1)).toMatchObject({ ...said, text: "be <polite> & *kind*" });
      expect(new Set(events.map(({ person }) => person.id)).size).toBe(1);
    },
  );

  it.runIf(typeof buttons === "object")(
    "[CH-07, CH-11] 6, 8: a whole cycle stays in one conversation with one person, and a press that comes twice is one",
    async () => {
      const { vendor, events, times, answers, deliver } = await open();
      answers(() => ({ kind: "recorded" }));
      vendor.write("please greet", { person: "501" });
      await expect.poll(() => events.length).toBe(1);
      const here = events[0]?.conversation ?? "";
      expect(here).toBe(vendor.conversation({ person: "501" }));
      await deliver(here, [cardItem(approval())]);
      const card = vendor.messages(here).at(-1);
      if (card === undefined) throw new Error("no card");
      vendor.press(card, 0, { person: "501" });
      await expect.poll(() => events.length).toBe(2);
      vendor.sendAgain(1);
      vendor.write("thank you", { person: "501" });
      await expect.poll(() => events.length).toBe(3);
      expect(new Set(events.map((event) => `${event.conversation} ${event.person.id}`)).size).toBe(1);
      expect([...times.keys()]).toEqual(events.map(({ eventId }) => eventId));
      await deliver(here, [closeItem(decided(approval()), card.id)]);
      const shown = vendor.messages(here).find(({ text }) => text.includes("Accepted by Alice."));
      expect(shown?.buttons).toEqual([]);
    },
  );

  it("[CH-03] 15: who may not is told nothing at all", async () => {
    const { vendor, events, answers } = await open();
    answers(() => ({ kind: "dropped" }));
    vendor.write("/plan accept", { person: "666" });
    await expect.poll(() => events.length).toBe(1);
    answers(() => ({ kind: "reply", text: "Nothing waits." }));
    vendor.write("/plan status", { person: "501" });
    const answered = () => [...vendor.toasts(), ...vendor.messages(vendor.conversation({ person: "501" }))].length;
    await expect.poll(answered).toBe(1);
    expect(vendor.messages(vendor.conversation({ person: "666" }))).toEqual([]);
  });

  it.runIf(filesIn === true)(
    "[UI-01, CH-03] 21: a file comes with the words of its message; a stranger's is not loaded, and one too large is named",
    async () => {
      const { vendor, events, answers } = await open();
      answers(() => ({ kind: "recorded" }));
      const big = { name: "big.md", text: "x".repeat(600_000) };
      vendor.write("look", { person: "501", file: { name: "notes.md", text: "be kind" } });
      await expect.poll(() => events.length).toBe(1);
      const attachments = [{ name: "notes.md", bytes: Buffer.from("be kind").toString("base64") }];
      expect(events).toMatchObject([{ kind: "message", text: "look", attachments }]);
      vendor.write("look", { person: "666", file: big });
      await expect.poll(() => events.length).toBe(2);
      expect(events[1]).not.toHaveProperty("attachments");
      vendor.write("look", { person: "501", file: big });
      const here = vendor.conversation({ person: "501" });
      await expect
        .poll(() =>
          vendor
            .messages(here)
            .map(({ text }) => text)
            .join("\n"),
        )
        .toContain("big.md");
      expect([events.length, vendor.messages(vendor.conversation({ person: "666" }))]).toEqual([2, []]);
    },
  );

  it.runIf(filesIn !== true && !WITHOUT_FILES.has(about.kind))(
    "[CH-11] 21: where files are not taken, whoever sends one is told so, and nothing of the message is passed on",
    async () => {
      const { vendor, events, answers } = await open();
      answers(() => ({ kind: "recorded" }));
      vendor.write("look", { person: "501", file: { name: "notes.md", text: "be kind" } });
      const here = vendor.conversation({ person: "501" });
      await expect.poll(() => vendor.messages(here)[0]?.text).toContain("Files are not taken here.");
      expect(events).toEqual([]);
    },
  );

  it.runIf(groups !== false)(
    "[CH-09] 16: in a group that is listed what is addressed counts, and nothing in any other",
    async () => {
      const { vendor, events, answers } = await open({ groups: { allow: ["-600"] } });
      answers(() => ({ kind: "recorded" }));
      vendor.write("among ourselves", { group: "-600" });
      vendor.write("elsewhere", { group: "-601", mentions: true });
      vendor.write("please plan", { group: "-600", mentions: true });
      vendor.write("/plan status", { group: "-600" });
      await expect.poll(() => events.length).toBe(2);
      expect(events).toMatchObject([{ text: "please plan" }, { text: "/plan status" }]);
      expect(events.every(({ direct }) => direct !== true)).toBe(true);
    },
  );

  it("[CH-11] 18: stops within two seconds, holds no connection and takes nothing more", async () => {
    const { vendor, events, account, answers } = await open();
    answers(() => ({ kind: "recorded" }));
    const tooLate = AbortSignal.timeout(2_000);
    await account.stop();
    expect(tooLate.aborted).toBe(false);
    await expect.poll(() => vendor.connections()).toBe(0);
    vendor.write("too late");
    expect(events).toEqual([]);
  });
}
