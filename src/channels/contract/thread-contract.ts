/** Whether what is declared of threads is so: what comes of one stays in it, named as the vendor's own wire names it. */
import { expect, it } from "vitest";
import type { ChannelAbout } from "../port.ts";
import { running, type VendorWorld } from "./fake-vendor.ts";
import { approval, cardItem, closeItem, decided, PLAN_FILE, sixty, textItem, TOKENS } from "./sample-items.ts";
import { untilSent } from "./until-sent.ts";

const GROUP = "-600";

export function threadContract(about: ChannelAbout, world: () => Promise<VendorWorld>): void {
  const { thread: isDeclared, buttons, groups } = about.capabilities;

  /** Somebody wrote in the group and in two of its threads, and was answered. */
  async function written() {
    const opened = await world();
    const { threads } = opened.vendor;
    if ("none" in threads) throw new Error(`${about.title} has no threads: ${threads.none}`);
    // where a thread is a group by itself it is listed by itself
    const here = await running(opened, { groups: { allow: [GROUP, ...threads.names] } });
    const { vendor, events, answers } = here;
    answers((event) =>
      event.kind === "message" ? { kind: "reply", text: `re: ${event.text}` } : { kind: "recorded" },
    );
    const [thread, other] = threads.names;
    for (const [text, place] of [
      ["inside", { thread }],
      ["beside", { thread: other }],
      ["outside", {}],
    ] as const) {
      const before = threads.sent().length;
      vendor.write(text, { person: "501", group: GROUP, mentions: true, ...place });
      await expect.poll(() => threads.sent().length).toBe(before + 1);
    }
    const conversations = events.map(({ conversation }) => conversation);
    const [conversation = ""] = conversations;
    return { ...here, threads, thread, other, conversations, conversation };
  }

  it.runIf(isDeclared)(
    "[CH-11] 23: what is written in a thread is answered in that thread, and in no other",
    async () => {
      const { threads, thread, other, conversations } = await written();
      expect(new Set(conversations).size).toBe(3);
      expect(threads.sent()).toEqual([
        { text: expect.stringContaining("re: inside"), thread },
        { text: expect.stringContaining("re: beside"), thread: other },
        { text: expect.stringContaining("re: outside"), thread: undefined },
      ]);
    },
  );

  it.runIf(isDeclared)(
    "[CH-06, CH-07] 23: words, a card and a whole plan of its session stay in the thread",
    async () => {
      const { threads, thread, conversation, deliver, setPlan, clock } = await written();
      const before = threads.sent().length;
      setPlan({ sections: [], file: PLAN_FILE });
      const items = [textItem("t1", "working"), cardItem(approval()), cardItem({ ...sixty(), id: "apr_2" })];
      await untilSent(items, conversation, { deliver, clock });
      const sent = threads.sent().slice(before);
      expect(sent.length).toBeGreaterThanOrEqual(4); // the plan of sixty steps takes its file or its pages besides its card
      expect(sent.map((one) => one.thread)).toEqual(sent.map(() => thread));
    },
  );

  it.runIf(isDeclared && typeof buttons === "object")(
    "[CH-07] 23: a press on a card of a thread comes from that thread, and what was decided is said there",
    async () => {
      const { vendor, events, threads, thread, conversation, deliver } = await written();
      await deliver(conversation, [cardItem(approval())]);
      const card = vendor.messages(conversation).at(-1);
      if (card === undefined) throw new Error("no card in the thread");
      vendor.press(card, 0, { person: "501", group: GROUP, thread });
      await expect.poll(() => events.at(-1)).toMatchObject({ kind: "click", token: TOKENS[0], conversation });
      await deliver(conversation, [closeItem(decided(approval()), card.id)]);
      const said = threads.sent().find(({ text }) => text.includes("Accepted by Alice."));
      expect(said).toMatchObject({ thread });
    },
  );

  it.runIf(!isDeclared)("[CH-11] 23: without threads a reply is answered where everything else is", async () => {
    const opened = await world();
    expect(opened.vendor.threads).toEqual({ none: expect.stringMatching(/\w+ \w+/) });
    const group = groups === false ? {} : { group: GROUP };
    const { vendor, events, answers, deliver } = await running(opened, { groups: { allow: [GROUP] } });
    const here = vendor.conversation({ person: "501", ...group });
    await deliver(here, [textItem("t1", "something to reply to")]);
    const [replied] = vendor.messages(here);
    answers((event) => ({ kind: "reply", text: `re: ${event.kind === "message" ? event.text : ""}` }));
    vendor.write("inside", { person: "501", ...group, mentions: true, replyTo: replied?.id ?? "" });
    await expect.poll(() => vendor.messages(here).at(-1)?.text).toContain("re: inside");
    expect(events).toMatchObject([{ conversation: here }]);
  });
}
