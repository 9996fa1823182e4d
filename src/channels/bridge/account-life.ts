/**
 * The vendor of an account while it is open: with its connection where this gateway serves the account, or without it, for
 * requests of the vendor alone.
 */
import type { VendorIo, VendorPort } from "../port.ts";
import { createAskedWords } from "./asked-words.ts";
import { type AccountParts, closeAccount, openAccount, type OpenAccount } from "./open-account.ts";

type Life = { open: OpenAccount; isServing: boolean };

export type AccountLife = {
  /** Opens the vendor, or opens it anew where it changes between having the connection and having none. */
  become(isServing: boolean): Promise<"running" | "standby">;
  vendor(): VendorPort | undefined;
  /** Undefined where this gateway does not send for the account. */
  serving(): OpenAccount | undefined;
  end(): Promise<void>;
};

export function createAccountLife(parts: AccountParts, report: VendorIo["report"]): AccountLife {
  const { name, io } = parts;
  const asked = createAskedWords(name, io);
  let life: Life | undefined;

  const ioFor = ({ receiving }: OpenAccount): VendorIo => ({
    deliver: receiving.deliver,
    cursor: {
      get: () => io.notes.get(name, "cursor"),
      set: (value) => io.notes.set(name, "cursor", { value }),
    },
    report,
  });

  async function opened(isServing: boolean): Promise<Life> {
    const open = await openAccount(parts, asked);
    const { vendor } = open;
    try {
      if (isServing || vendor.connects !== true) await vendor.start(ioFor(open));
      else await vendor.startHooks?.(ioFor(open));
    } catch (error) {
      await closeAccount(open).catch(() => undefined); // what failed to start may fail to stop
      throw error;
    }
    return { open, isServing };
  }

  async function end(): Promise<void> {
    const before = life;
    life = undefined;
    if (before !== undefined) await closeAccount(before.open);
  }

  return {
    async become(isServing) {
      if (life !== undefined && life.open.vendor.connects !== true) life = { ...life, isServing };
      if (life?.isServing !== isServing) {
        if (!isServing) await end(); // before another gateway connects
        const before = life;
        life = await opened(isServing);
        if (before !== undefined) await closeAccount(before.open); // requests were answered until now
      }
      return isServing || life.open.vendor.connects !== true ? "running" : "standby";
    },
    vendor: () => life?.open.vendor,
    serving: () => (life?.isServing === true ? life.open : undefined),
    end,
  };
}
