/**
 * A plugin's process that comes back: it is started when it is needed, and after a crash when it is needed again, each
 * time after a longer wait. A process that registers something else than the first one did is not let in.
 */
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import { Json } from "../../protocol/json.ts";
import type { Clock } from "../sessions.ts";
import { GuestError } from "./guest-limits.ts";
import { type GuestEvents, type GuestOrder, type GuestProcess, startGuest } from "./guest-process.ts";
import type { CallOptions } from "./open-calls.ts";
import type { Registration } from "./guest-messages.ts";

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 60_000;
/** A process that has lived so long has shown that it works. */
const SETTLED_MS = 60_000;

export type SupervisedParts = {
  order: GuestOrder;
  clock: Pick<Clock, "now">;
  events: Omit<GuestEvents, "over">;
  /** It crashed, hung or broke the rules, whether or not somebody was waiting for it. */
  trouble(reason: GuestError): void;
  /** Checked before each start: why its files may not be run, or undefined. */
  refusal(): Promise<string | undefined>;
};

export type SupervisedGuest = {
  /** Starts it if need be. */
  registrations(): Promise<readonly Registration[]>;
  call(key: string, args: Json, options: CallOptions): Promise<Json | undefined>;
  end(): Promise<void>;
};

export function superviseGuest({ order, clock, events, trouble, refusal }: SupervisedParts): SupervisedGuest {
  let current: Promise<GuestProcess> | undefined;
  let first: string | undefined;
  let isEnded = false;
  let failures = 0;
  let startedAtMs = 0;
  let notBeforeMs = 0;

  function over(reason: GuestError): void {
    current = undefined;
    failures = clock.now() - startedAtMs > SETTLED_MS ? 1 : failures + 1;
    notBeforeMs = clock.now() + Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (failures - 1));
    if (!isEnded) trouble(reason);
  }

  async function start(): Promise<GuestProcess> {
    const refused = await refusal();
    if (refused !== undefined) throw new GuestError(refused);
    startedAtMs = clock.now();
    const guest = await startGuest(order, { ...events, over });
    const registered = canonicalJson(Json.parse(guest.registrations));
    first ??= registered;
    if (registered === first) return guest;
    await guest.end();
    throw new GuestError(`The plugin ${order.id} registered something else when it was started again.`);
  }

  function running(): Promise<GuestProcess> {
    if (isEnded) return Promise.reject(new GuestError(`The plugin ${order.id} is switched off.`));
    if (current !== undefined) return current;
    const waitMs = notBeforeMs - clock.now();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      return Promise.reject(
        new GuestError(`The plugin ${order.id} failed and starts again in ${seconds} s at the earliest.`),
      );
    }
    const starting = start();
    current = starting;
    starting.catch(() => {
      if (current === starting) current = undefined;
    });
    return starting;
  }

  return {
    registrations: async () => (await running()).registrations,
    call: async (key, args, options) => (await running()).call(key, args, options),
    async end() {
      isEnded = true;
      const guest = await current?.catch(() => undefined);
      await guest?.end();
    },
  };
}
