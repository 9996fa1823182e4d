/** What every channel does where several gateways share one store: one of them has the connection and sends, any answers requests. */
import { expect, it } from "vitest";
import { running, type VendorWorld } from "./fake-vendor.ts";
import { approval, cardItem, textItem } from "./sample-items.ts";

export function sharedContract(world: () => Promise<VendorWorld>): void {
  it("[CH-11, SC-02] 22: one gateway receives and sends; when another takes over, nothing is doubled", async () => {
    const { vendor, account, events, times, answers, beside, passTo, deliver } = await running(await world());
    answers((event) => ({ kind: "reply", text: `re: ${event.kind === "message" ? event.text : ""}` }));
    const connections = Math.max(vendor.connections(), 1); // one that polls may be between two requests
    const second = await beside();
    const connects = second.status().state === "standby";
    expect([account.serves(), second.serves()]).toEqual(["here", "elsewhere"]);
    expect(vendor.connections()).toBeLessThanOrEqual(connections);
    const here = vendor.conversation({ person: "501" });
    const answered = () =>
      vendor.messages(here).filter(({ text }) => text.includes("re: ")).length + vendor.toasts().length;
    vendor.write("one", { person: "501" });
    await expect.poll(answered).toBe(1);
    expect(await deliver(here, [textItem("t0", "from the first")])).toMatchObject({ receipts: [{ state: "sent" }] });

    passTo(1);
    await expect.poll(() => [account.serves(), second.serves()]).toEqual(["elsewhere", "here"]);
    await expect.poll(() => account.status().state).toBe(connects ? "standby" : "running");
    await expect.poll(() => vendor.connections()).toBeLessThanOrEqual(connections);
    vendor.sendAgain(1);
    vendor.write("two", { person: "501" });
    await expect.poll(answered).toBe(2);
    expect(events.map((event) => (event.kind === "message" ? event.text : ""))).toEqual(["one", "two"]);
    expect(times.size).toBe(2);
    const batch = { place: { account: "main", conversation: here }, signal: new AbortController().signal };
    expect(await account.deliver({ ...batch, items: [textItem("t1", "late")] })).toMatchObject({ receipts: [] });
    expect(await second.deliver({ ...batch, items: [textItem("t1", "from the second")] })).toMatchObject({
      receipts: [{ state: "sent" }],
    });
    const texts = vendor.messages(here).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("from the"))).toEqual(["from the first", "from the second"]);
  });

  it("[CH-07, CH-11] 22: what the vendor asks the gateway that does not serve the account is answered there", async () => {
    const { vendor, events, answers, beside, deliver } = await running(await world());
    answers(() => ({ kind: "recorded" }));
    await beside(); // requests of the vendor reach this one from now on
    const here = vendor.conversation({ person: "501" });
    await deliver(here, [cardItem(approval())]);
    const [card] = vendor.messages(here);
    if (card === undefined) throw new Error("no card");
    if (card.buttons.length > 0) vendor.press(card, 0, { person: "501" });
    else vendor.write("hello", { person: "501" });
    await expect.poll(() => events.length).toBe(1);
  });
}
