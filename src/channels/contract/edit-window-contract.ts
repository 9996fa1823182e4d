/** Whether a message can be edited for as long as is declared. */
import { expect, it } from "vitest";
import type { ChannelAbout } from "../port.ts";
import { running, type VendorWorld } from "./fake-vendor.ts";
import { approval, cardItem, closeItem, decided, editItem } from "./sample-items.ts";

const MINUTE_MS = 60_000;
/** At any time: longer than any window of a vendor. */
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

export function editWindowContract({ capabilities: { edit } }: ChannelAbout, world: () => Promise<VendorWorld>): void {
  it.runIf(edit !== false)(
    "[CH-07] 25: a card is edited for as long as is declared; what changes later is said in a new message",
    async () => {
      const { vendor, deliver, clock } = await running(await world());
      const here = vendor.conversation({ person: "501" });
      const windowMs = edit === false ? null : edit.windowMs;
      const pass = (ms: number): void => {
        clock.advance(ms);
        vendor.pass?.(ms);
      };
      await deliver(here, [cardItem(approval())]);
      const id = vendor.messages(here)[0]?.id ?? "";
      pass((windowMs ?? YEAR_MS) - MINUTE_MS);
      const signed = editItem(approval({ status: { text: "One of two has signed." } }), id);
      expect(await deliver(here, [signed])).toMatchObject({ receipts: [{ state: "edited" }] });
      expect(vendor.messages(here)).toMatchObject([{ text: expect.stringContaining("One of two has signed.") }]);
      pass(2 * MINUTE_MS);
      const state = windowMs === null ? "edited" : "sent";
      expect(await deliver(here, [closeItem(decided(approval()), id)])).toMatchObject({ receipts: [{ state }] });
      const shown = vendor.messages(here).map(({ text }) => text.includes("Accepted by Alice."));
      expect(shown).toEqual(windowMs === null ? [true] : [false, true]);
    },
  );
}
