/** Whether what people do comes in by each way that is declared, by that way alone, and by no other. */
import { expect, it } from "vitest";
import type { ChannelAbout } from "../port.ts";
import { running, type VendorWorld, type Way } from "./fake-vendor.ts";
import { approval, cardItem } from "./sample-items.ts";

export function waysInContract({ capabilities }: ChannelAbout, world: (way: Way) => Promise<VendorWorld>): void {
  const { inbound, buttons } = capabilities;

  it.each(inbound.filter((way) => way !== "webhook"))(
    "[CH-11] 24: what people write comes in by %s, without any request of the vendor",
    async (way) => {
      const { vendor, events, answers, requests } = await running(await world(way));
      answers(() => ({ kind: "recorded" }));
      vendor.write("hello", { person: "501" });
      await expect.poll(() => events).toMatchObject([{ kind: "message", text: "hello" }]);
      expect([vendor.tells, requests()]).toEqual([way, 0]);
    },
  );

  it.runIf(inbound.includes("webhook"))(
    "[CH-11] 24: what people write comes in by a request of the vendor, unless it is told on a connection",
    async () => {
      const { vendor, events, answers, requests } = await running(await world("webhook"));
      expect(vendor.attach).toBeDefined();
      answers(() => ({ kind: "recorded" }));
      vendor.write("hello", { person: "501" });
      await expect.poll(() => events).toMatchObject([{ kind: "message", text: "hello" }]);
      await expect.poll(() => requests() > 0 || vendor.tells !== undefined).toBe(true);
    },
  );

  it.runIf(inbound.includes("webhook") && typeof buttons === "object")(
    "[CH-07, CH-11] 24: what people press comes in by a request of the vendor",
    async () => {
      const { vendor, events, answers, requests, deliver } = await running(await world("webhook"));
      expect(vendor.attach).toBeDefined();
      answers(() => ({ kind: "recorded" }));
      const here = vendor.conversation({ person: "501" });
      await deliver(here, [cardItem(approval())]);
      const [card] = vendor.messages(here);
      if (card === undefined) throw new Error("no card");
      expect(requests()).toBe(0);
      vendor.press(card, 0, { person: "501" });
      await expect.poll(() => events).toMatchObject([{ kind: "click", messageId: card.id }]);
      await expect.poll(requests).toBeGreaterThan(0);
    },
  );

  it("[CH-08] 24: there is no way in that is not declared", async () => {
    const [way] = inbound;
    if (way === undefined) throw new Error("nothing comes in");
    const { vendor } = await running(await world(way));
    const offered = [vendor.tells, vendor.attach === undefined ? undefined : "webhook"];
    expect(new Set(inbound)).toEqual(new Set(offered.filter((one) => one !== undefined)));
  });
}
