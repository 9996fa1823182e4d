/**
 * One account at a vendor, from its settings to its end. It is started again after a failure, later each time; what it
 * cannot do is told to whoever asks for the list of channels. Of several gateways on one store one serves it: the others
 * only answer requests of the vendor, and send nothing by themselves.
 *
 *   starting ─▶ running (served here) ◀──▶ standby (served by another gateway)
 *      └─ failed: given back to the others, and the vendor is asked again after a while ─▶ starting
 */
import type {
  AccountHold,
  ChannelAnswer,
  ChannelRequest,
  DeliveryBatch,
  DeliveryResult,
  Serving,
} from "../../plugins/sdk.ts";
import { createLane } from "../../lane/lane.ts";
import { MissingPackage } from "../kinds.ts";
import type { VendorPort } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";
import { ENGLISH } from "../texts/en.ts";
import { createAccountLife } from "./account-life.ts";
import { deliverItems } from "./deliver-items.ts";
import { type AccountParts, deliveringBy, followPlaces } from "./open-account.ts";

const RETRY_FIRST_MS = 2_000;
const RETRY_MS_MAX = 300_000;
/** How long delivery waits before it looks whether the account runs. */
const NOT_RUNNING_MS = 5_000;
/** A vendor sends again what was answered so. */
const NOT_NOW = { status: 503, body: "{}" };

type Now = {
  state: "starting" | "running" | "standby" | "failed" | "stopped";
  problem: string | undefined;
  fix: string | undefined;
};
/** `holder`: the gateway that serves it, where several could. */
export type AccountStatus = Now & { holder: string | undefined };

export type Account = {
  settings: ChannelSettings;
  status(): AccountStatus;
  serves(): Serving;
  deliver(batch: DeliveryBatch): Promise<DeliveryResult>;
  webhook(request: ChannelRequest): Promise<ChannelAnswer>;
  stop(): Promise<void>;
};

export function startAccount(parts: AccountParts): Account {
  const { name, settings, house, io } = parts;
  const lane = createLane();
  const life = createAccountLife(parts, (problem) => noteState("running", problem));
  let now: Now = { state: "starting", problem: undefined, fix: undefined };
  let hold: AccountHold | undefined;
  let isStopped = false;
  let callOff: (() => void) | undefined;
  let failures = 0;

  async function fail(error: unknown): Promise<void> {
    failures += 1;
    now = failedBy(error);
    tellTrouble(now, parts);
    const waitMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MS_MAX);
    const given = hold;
    hold = undefined;
    await given?.release(); // another gateway may reach the vendor
    io.resume(name);
    if (!isStopped) callOff = house.clock.wakeAt(house.clock.now() + waitMs, begin);
  }

  function noteState(state: Now["state"], problem?: string): void {
    now = { state, problem, fix: undefined };
    tellTrouble(now, parts);
  }

  async function settle(): Promise<void> {
    if (isStopped) return;
    try {
      if (hold === undefined) {
        hold = await io.hold(name);
        hold.onChange(begin);
      }
      const isServing = hold.isHere();
      const state = await life.become(isServing);
      failures = 0;
      noteState(state);
      parts.log("info", "an account of a channel runs", { account: name, kind: settings.kind, state });
      if (!isServing) return;
      io.resume(name);
      await followPlaces(parts);
    } catch (error) {
      await life.end().catch(() => undefined); // what failed to start may fail to stop
      await fail(error);
    }
  }

  const begin = (): void => void lane(settle);
  begin();

  return {
    settings,
    status: () => ({ ...now, holder: hold?.holder() }),
    serves() {
      if (now.state === "failed") return house.sharesStore() ? "elsewhere" : "here"; // here its trouble is seen
      return life.serving() !== undefined && hold?.isHere() === true ? "here" : "elsewhere";
    },
    async deliver(batch) {
      const open = life.serving();
      if (open === undefined || now.state !== "running") return notRunning(now);
      return deliverItems({ ...batch, conversation: batch.place.conversation }, deliveringBy(open, parts));
    },
    webhook: (request) => answeredBy(life.vendor(), request),
    async stop() {
      isStopped = true;
      callOff?.();
      noteState("stopped");
      await lane(async () => {
        await life.end();
        await hold?.release();
      });
    },
  };
}

function failedBy(error: unknown): Now {
  const problem = error instanceof Error ? error.message : String(error);
  return { state: "failed", problem, fix: error instanceof MissingPackage ? error.fix : undefined };
}

function tellTrouble({ state, problem, fix }: Now, { name, house, log }: AccountParts): void {
  house.trouble(name, fix === undefined ? problem : `${problem ?? ""}. Install it: ${fix}`);
  const what = state === "failed" ? "an account of a channel does not run" : "a channel has trouble";
  if (problem !== undefined) log("warn", what, { account: name, problem });
}

const notRunning = ({ problem }: Now): DeliveryResult => ({
  receipts: [],
  stopped: { why: problem ?? ENGLISH.channelNotRunning, retryAfterMs: NOT_RUNNING_MS },
});

async function answeredBy(vendor: VendorPort | undefined, request: ChannelRequest): Promise<ChannelAnswer> {
  if (vendor === undefined) return NOT_NOW;
  return (await vendor.webhook?.(request)) ?? { status: 404, body: "{}" };
}
