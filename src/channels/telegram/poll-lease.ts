/**
 * Of several gateways on one store one asks Telegram for updates: Telegram ends the request of whoever asked before. The lease
 * is a note of the account. Were two to hold it for a moment, an update would still be applied once: the store knows its id.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import type { VendorIo } from "../port.ts";

/** Longer than one request for updates lasts; a gateway that died elsewhere is followed after this. */
const LEASE_MS = 45_000;

const Lease = z.object({ owner: z.string(), untilMs: z.number() });

/** Names this process and where it runs, so that the next one here knows that it is gone. */
export const leaseOwner = (): string => `${hostname()} ${process.pid} ${randomUUID()}`;

/** Of a process of another machine nothing is known but its lease. */
function isDead(owner: string): boolean {
  const [host = "", pid = ""] = owner.split(" ");
  if (host !== hostname() || !/^\d{1,10}$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0); // sends nothing
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

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
      const isTaken = before !== undefined && before.owner !== owner && before.untilMs > now();
      if (isTaken && !isDead(before.owner)) return false;
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
