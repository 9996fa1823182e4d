/** What every channel must do, told once: each passes all of it against its fake vendor. */
import { describe, expect, it } from "vitest";
import type { VendorWorld, Way } from "./contract/fake-vendor.ts";
import { editWindowContract } from "./contract/edit-window-contract.ts";
import { receivingContract } from "./contract/receiving-contract.ts";
import { spoiledContract } from "./contract/spoiled-contract.ts";
import { sharedContract } from "./contract/shared-contract.ts";
import { sendingContract } from "./contract/sending-contract.ts";
import { threadContract } from "./contract/thread-contract.ts";
import { waysInContract } from "./contract/ways-in-contract.ts";
import type { ChannelAbout } from "./port.ts";

/** `way`: the one that is to be used, where an account has one of several. */
type Open = (way?: Way) => Promise<VendorWorld>;

export function channelContract(about: ChannelAbout, open: Open): void {
  const world = () => open();
  describe(`${about.title}: receiving`, () => {
    receivingContract(about, world);
  });
  describe(`${about.title}: sending`, () => {
    sendingContract(about, world);
  });
  describe(`${about.title}: threads`, () => {
    threadContract(about, world);
  });
  describe(`${about.title}: ways in`, () => {
    waysInContract(about, open);
  });
  describe(`${about.title}: edits`, () => {
    editWindowContract(about, world);
  });
  describe(`${about.title}: on several gateways`, () => {
    sharedContract(world);
  });
  describe(`${about.title}: wrong answers`, () => {
    spoiledContract(about, world);
  });
  it(`[CH-08] ${about.title}: 20: what is declared fits together`, () => {
    const { buttons, textMax, rate, packages } = { ...about.capabilities, packages: about.packages };
    expect(typeof buttons === "object" ? buttons.payloadMax : 25).toBeGreaterThanOrEqual(25);
    expect(textMax).toBeGreaterThan(0);
    expect(Math.min(rate.burst, rate.global, rate.perConversation)).toBeGreaterThan(0);
    for (const { version } of packages) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
}
