/** What every channel does with what people should see: limits, order, edits, files, doubt, and text that means nothing. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { revealHidden } from "../../plugins/sdk.ts";
import type { ChannelAbout } from "../port.ts";
import { limitOf } from "../render/render-card.ts";
import { lengthOf } from "../render/length-of.ts";
import { running, type Running, type VendorWorld } from "./fake-vendor.ts";
import { asSeen, meaningsIn, withoutOurs } from "./meanings-in.ts";
import { approval, cardItem, closeItem, decided, editItem, PLAN_FILE, sixty, step, textItem } from "./sample-items.ts";
import { untilSent } from "./until-sent.ts";

const Row = z.object({ id: z.string(), text: z.string() });
/** Text that means something to some vendor: mentions, links, marks, tags, commands. */
const MARKUP = readFileSync(new URL("../../../test/kit/channels/chat-markup.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => Row.parse(JSON.parse(line)));

const NO_BUTTONS = { max: 0, labelMax: 0, payloadMax: 0 };
/** What a step of a card may hold. */
const CARD_CHARS_MAX = 4_000;
const letters = (text: string): string => text.replace(/\s+/g, "");

export function sendingContract(about: ChannelAbout, world: () => Promise<VendorWorld>): void {
  const open = async (): Promise<Running & { here: string }> => {
    const found = await running(await world());
    return { ...found, here: found.vendor.conversation({ person: "501" }) };
  };
  const { capabilities } = about;
  const { format, unit, edit, file, buttons, idempotentSend } = capabilities;
  const limit = limitOf(capabilities);

  it("[CH-11] 4: text at the limit, beyond it, and with characters of four bytes at the cut arrives whole", async () => {
    const { vendor, deliver, here, clock } = await open();
    const texts = ["a".repeat(limit.max), "b".repeat(limit.max + 1), "🦊".repeat(limit.max), "c d ".repeat(limit.max)];
    for (const [n, text] of texts.entries()) {
      const before = vendor.messages(here).length;
      expect(await untilSent([textItem(`t${n}`, text)], here, { deliver, clock })).toMatchObject([{ state: "sent" }]);
      const parts = vendor.messages(here).slice(before);
      expect(letters(parts.map((part) => part.text).join(""))).toBe(letters(text));
      for (const { raw } of parts) expect(lengthOf(raw, unit)).toBeLessThanOrEqual(capabilities.textMax);
    }
  });

  it("[CH-05, CH-07] 5: a card shows what is asked, with its buttons where there are any and its commands anyway", async () => {
    const { vendor, deliver, here, setPlan } = await open();
    const section = (id: string, text: string) => ({ id, heading: { text: id }, text });
    setPlan({ sections: [section("summary", "Short.")], file: PLAN_FILE });
    const card = approval({ sections: [section("scope_paths", "greetings")] });
    const [first, second] = card.actions;
    if (first === undefined || second === undefined) throw new Error("two actions");
    const long = { ...card, actions: [first, { ...second, label: { text: "R".repeat(300) } }] };
    expect(await deliver(here, [cardItem(long)])).toMatchObject({
      receipts: [{ state: "sent", messageId: expect.any(String) }],
    });
    const [shown] = vendor.messages(here);
    const text = shown?.text ?? "";
    const isTyped = capabilities.identity === "assured";
    expect([
      text.includes("Greet everybody"),
      text.includes("Say hello"),
      text.includes("Short."),
      text.includes("greetings"),
      text.includes("/plan approve 1a2b3c"),
    ]).toEqual([true, true, true, true, isTyped]);
    const room = typeof buttons === "object" ? buttons : NO_BUTTONS;
    const fitting = (shown?.buttons ?? []).map(
      ({ label, data }) => label.length <= room.labelMax && Buffer.byteLength(data) <= room.payloadMax,
    );
    expect(fitting).toEqual([true, true].slice(0, room.max));
  });

  it("[CH-07] 8: a card that was decided loses its buttons in its place, or a new message says so", async () => {
    const { vendor, deliver, here } = await open();
    await deliver(here, [cardItem(approval())]);
    const [shown] = vendor.messages(here);
    const id = shown?.id ?? "";
    const close = closeItem(decided(approval()), id);
    const { receipts } = await deliver(here, [close]);
    const said = vendor.messages(here).find(({ text }) => text.includes("Accepted by Alice."));
    expect(said?.buttons ?? []).toEqual([]);
    expect(vendor.messages(here)).toHaveLength(edit === false ? 2 : 1);
    expect(receipts).toMatchObject([{ state: edit === false ? "sent" : "edited" }]);
    if (edit === false) return;
    expect(await deliver(here, [close])).toMatchObject({ receipts: [{ state: "edited" }] }); // the same again is no failure
    vendor.remove(here, id);
    const again = await deliver(here, [editItem(approval(), id)]);
    const isNew = edit.isBlind !== true;
    expect(again.receipts.map(({ state, messageId }) => [state, messageId !== undefined])).toEqual([
      [isNew ? "sent" : "edited", isNew],
    ]);
    expect(vendor.messages(here)).toHaveLength(1);
  });

  it("[CH-05, PL-18] 8: a card that changes while it waits still shows all that the plan says", async () => {
    const { vendor, deliver, here, setPlan, clock } = await open();
    setPlan({ sections: [{ id: "risks", heading: { text: "Risks" }, text: "It may rain." }], file: PLAN_FILE });
    await deliver(here, [cardItem(approval())]);
    const id = vendor.messages(here)[0]?.id ?? "";
    const signed = approval({ status: { text: "One of two has signed." } });
    await untilSent([editItem(signed, id)], here, { deliver, clock });
    const shown = vendor.messages(here).at(-1)?.text ?? "";
    expect([shown.includes("One of two has signed."), shown.includes("It may rain.")]).toEqual([true, true]);
  });

  it("[CH-06, I06] 9, 17: a plan of sixty steps goes whole, as a file or in pages, and its card is cut at a step", async () => {
    const { vendor, deliver, here, setPlan, clock } = await open();
    setPlan({ sections: [], file: PLAN_FILE });
    const receipts = await untilSent([cardItem(sixty())], here, { deliver, clock });
    expect(receipts).toMatchObject([{ offered: "whole" }]);
    const all = vendor.messages(here);
    const card = all.at(-1);
    const shown = [...(card?.text ?? "").matchAll(/Step number (\d+) x{80}/g)].map(([, n]) => Number(n));
    expect(shown).toEqual(shown.map((_, n) => n));
    expect(shown.length).toBeLessThan(60);
    expect(card?.text).toContain(`${60 - shown.length} more step`);
    const pages = all
      .slice(0, -1)
      .map(({ text }) => text)
      .join("\n");
    expect([all[0]?.file, pages.match(/Step number \d+ x{80}/g)?.length]).toEqual(
      file === false ? [undefined, 60] : [{ name: PLAN_FILE.name, text: PLAN_FILE.text }, undefined],
    );
  });

  it.runIf(file !== false)(
    "[CH-06, I06] 9: a file that is too large is not begun, and one that fails keeps no card back: pages follow",
    async () => {
      const { vendor, deliver, here, setPlan, warnings, clock } = await open();
      const text = "x".repeat((file === false ? 0 : file.bytesMax) + 1);
      setPlan({ sections: [], file: { ...PLAN_FILE, text } });
      await untilSent([cardItem(sixty())], here, { deliver, clock });
      expect(vendor.messages(here).some((one) => one.file !== undefined)).toBe(false);
      setPlan({ sections: [], file: PLAN_FILE });
      vendor.refuseFiles();
      expect(await untilSent([cardItem({ ...sixty(), id: "apr_2" })], here, { deliver, clock })).toMatchObject([
        { state: "sent", offered: "whole" },
      ]);
      expect(vendor.messages(here).some((one) => one.text.includes("Step number 59"))).toBe(true);
      expect(warnings).toContain("a plan could not be sent whole");
    },
  );

  it("[CH-11] 10, 12: a limit is waited for, order is kept, and nothing is lost while it lasts", async () => {
    const { vendor, deliver, here, clock } = await open();
    const items = Array.from({ length: 5 }, (_, n) => textItem(`t${n}`, `number ${n}`));
    vendor.limit(3_000, 2);
    const first = await deliver(here, items);
    expect(first).toMatchObject({ receipts: [], stopped: { retryAfterMs: 3_000 } });
    expect(first.stopped?.maybeSent ?? false).toBe(false);
    expect(await deliver(here, items)).toMatchObject({ receipts: [] }); // the vendor is not even asked before its time
    clock.advance(3_000);
    expect(await deliver(here, items)).toMatchObject({ stopped: { retryAfterMs: 3_000 } });
    clock.advance(3_000);
    expect((await deliver(here, items)).receipts).toHaveLength(5);
    expect(vendor.messages(here).map(({ text }) => text)).toEqual(items.map((_, n) => `number ${n}`));
  });

  it("[CH-11] 11: a connection that breaks leaves what was sent in doubt, and says so", async () => {
    const { vendor, deliver, here } = await open();
    const items = [textItem("t0", "first"), textItem("t1", "second"), textItem("t2", "third")];
    await deliver(here, items.slice(0, 1));
    vendor.cut("after");
    const { receipts, stopped } = await deliver(here, items.slice(1));
    expect([receipts.length, stopped?.maybeSent]).toEqual([0, true]);
    const [, , third] = items;
    if (third === undefined) throw new Error("three items");
    expect((await deliver(here, [textItem("t1", "second", true), third])).receipts).toHaveLength(2);
    const texts = vendor.messages(here).map(({ text }) => text);
    const seconds = texts.filter((text) => text.includes("second"));
    expect([seconds.length, seconds.at(-1)?.includes("may be a repetition"), texts.at(-1)]).toEqual(
      idempotentSend ? [1, false, "third"] : [2, true, "third"],
    );
  });

  it("[CH-05] 14: no row of foreign text mentions, links, marks or breaks anything, on a card or by itself, and all of it is shown", async () => {
    const { vendor, deliver, here, clock } = await open();
    for (const { id, text: whole } of MARKUP) {
      const text = whole.slice(0, CARD_CHARS_MAX);
      const card = approval({
        id,
        title: text,
        steps: [step(text, { status: "in_progress", activeForm: text, criteria: [{ text, verified: false }] })],
      });
      const items = text === "" ? [cardItem(card)] : [textItem(`${id}-t`, whole), cardItem(card)];
      const before = vendor.messages(here).length;
      const receipts = await untilSent(items, here, { deliver, clock });
      const shown = vendor
        .messages(here)
        .slice(before)
        .map((one) => one.text);
      expect([id, asSeen(shown.join("")).startsWith(asSeen(revealHidden(whole)))]).toEqual([id, true]);
      expect([id, receipts.map(({ state }) => state)]).toEqual([id, items.map(() => "sent")]);
    }
    const found = (raw: string): string[] => vendor.meanings?.(withoutOurs(raw, format)) ?? meaningsIn(raw, format);
    for (const { raw } of vendor.messages(here)) expect([raw, found(raw)]).toEqual([raw, []]);
  });
}
