/**
 * Of several gateways on one store one asks Telegram for updates: Telegram ends the request of whoever asked before. The lease
 * is a note of the account. Were two to hold it for a moment, an update would still be applied once: the store knows its id.
 */
import { z } from "zod";
import type { VendorIo } from "../port.ts";

/** Longer than one request for updates lasts; a gateway that died is followed after this. */
const LEASE_MS = 60_000;

const Lease = z.object({ owner: z.string(), untilMs: z.number() });

export type PollLease = {
  /** False while another gateway holds it. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
};

export type LeaseParts = { cursor: VendorIo["cursor"]; owner: string; now(): number };

export function createPollLease({ cursor, owner, now }: LeaseParts): PollLease {
  const read = async () => leaseIn(await cursor.get());
  return {
    async hold() {
      const before = await read();
      if (before !== undefined && before.owner !== owner && before.untilMs > now()) return false;
      await cursor.set(JSON.stringify({ owner, untilMs: now() + LEASE_MS }));
      return (await read())?.owner === owner; // of two that write at once the last one has it
    },
    async release() {
      if ((await read())?.owner === owner) await cursor.set(JSON.stringify({ owner, untilMs: 0 }));
    },
  };
}

function leaseIn(noted: string | undefined): z.infer<typeof Lease> | undefined {
  try {
    return Lease.safeParse(JSON.parse(noted ?? "null")).data;
  } catch {
    return undefined;
  }
}
