/**
 * One account at a vendor, from its settings to its end. It is started again after a failure, later each time; what it
 * cannot do is told to whoever asks for the list of channels.
 *
 *   opening ─▶ running ─▶ stopped
 *      └─ failed: the vendor is asked again after a while ─▶ opening
 */
import type { ChannelAnswer, ChannelIo, ChannelRequest, DeliveryBatch, DeliveryResult } from "../../plugins/sdk.ts";
import { type Kind, loadKind, MissingPackage } from "../kinds.ts";
import type { Capabilities, ChannelAbout, VendorPort, VendorIo } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";
import { ENGLISH } from "../texts/en.ts";
import { type AskedWords, createAskedWords } from "./asked-words.ts";
import { deliverItems, type DeliverParts } from "./deliver-items.ts";
import type { ChannelsHouse } from "./house.ts";
import { createReceiving, type Receiving } from "./receive-event.ts";
import { createSendRate, type SendRate } from "./send-rate.ts";

const RETRY_FIRST_MS = 2_000;
const RETRY_MS_MAX = 300_000;
/** How long delivery waits before it looks whether the account runs. */
const NOT_RUNNING_MS = 5_000;

export type AccountStatus = {
  state: "starting" | "running" | "failed" | "stopped";
  problem: string | undefined;
  fix: string | undefined;
};

export type AccountParts = {
  name: string;
  kind: Kind;
  settings: ChannelSettings;
  house: ChannelsHouse;
  io: ChannelIo;
  log(level: "info" | "warn" | "error", message: string, fields?: object): void;
};

export type Account = {
  settings: ChannelSettings;
  status(): AccountStatus;
  deliver(batch: DeliveryBatch): Promise<DeliveryResult>;
  webhook(request: ChannelRequest): Promise<ChannelAnswer>;
  stop(): Promise<void>;
};

type Open = {
  vendor: VendorPort;
  about: ChannelAbout;
  receiving: Receiving;
  rate: SendRate;
  progress: Map<string, number>;
};

export function startAccount(parts: AccountParts): Account {
  const { name, settings, house, io, log } = parts;
  const asked = createAskedWords(name, io);
  let status: AccountStatus = { state: "starting", problem: undefined, fix: undefined };
  let open: Open | undefined;
  let isStopped = false;
  let callOff: (() => void) | undefined;
  let failures = 0;

  function fail(error: unknown): void {
    failures += 1;
    status = failedBy(error);
    tellTrouble(status, parts);
    const waitMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MS_MAX);
    if (!isStopped) callOff = house.clock.wakeAt(house.clock.now() + waitMs, begin);
  }

  async function run(): Promise<void> {
    const opened = await openAccount(parts, asked);
    open = opened;
    await opened.vendor.start({
      deliver: opened.receiving.deliver,
      cursor: cursorOf(name, io),
      report(problem) {
        status = { state: "running", problem, fix: undefined };
        house.trouble(name, problem);
        if (problem !== undefined) log("warn", "a channel has trouble", { account: name, problem });
      },
    });
    failures = 0;
    status = { state: "running", problem: undefined, fix: undefined };
    house.trouble(name, undefined);
    log("info", "an account of a channel runs", { account: name, kind: settings.kind });
    await followPlaces(parts);
  }

  let starting: Promise<void> = Promise.resolve();
  function begin(): void {
    starting = run().catch(async (error: unknown) => {
      const half = open;
      open = undefined;
      await half?.vendor.stop().catch(() => undefined); // what failed to start may fail to stop
      fail(error);
    });
  }
  begin();

  return {
    settings,
    status: () => status,
    async deliver({ place: { conversation }, items, signal }) {
      if (open === undefined || status.state !== "running")
        return {
          receipts: [],
          stopped: { why: status.problem ?? ENGLISH.channelNotRunning, retryAfterMs: NOT_RUNNING_MS },
        };
      return deliverItems({ conversation, items, signal }, deliveringBy(open, parts));
    },
    async webhook(request) {
      const answer = await open?.vendor.webhook?.(request);
      return answer ?? { status: 404, body: "{}" };
    },
    async stop() {
      isStopped = true;
      callOff?.();
      status = { state: "stopped", problem: undefined, fix: undefined };
      house.trouble(name, undefined);
      await starting;
      await Promise.all([open?.receiving.stop(), open?.vendor.stop()]); // one may wait for the other
      await open?.receiving.idle();
    },
  };
}

function failedBy(error: unknown): AccountStatus {
  const problem = error instanceof Error ? error.message : String(error);
  return { state: "failed", problem, fix: error instanceof MissingPackage ? error.fix : undefined };
}

function tellTrouble({ problem, fix }: AccountStatus, { name, house, log }: AccountParts): void {
  house.trouble(name, fix === undefined ? problem : `${problem ?? ""}. Install it: ${fix}`);
  log("warn", "an account of a channel does not run", { account: name, problem });
}

const deliveringBy = (
  { vendor, about, rate, progress }: Open,
  { name, house, io, log }: AccountParts,
): DeliverParts => ({
  vendor,
  capabilities: about.capabilities,
  rate,
  progress,
  now: () => house.clock.now(),
  plan: (planId) => house.plan(planId),
  link: ({ sessionId }) => io.pageOf(sessionId),
  report: (error) => log("warn", "a plan could not be sent whole", { account: name, err: String(error) }),
});

const cursorOf = (name: string, { notes }: Pick<ChannelIo, "notes">): VendorIo["cursor"] => ({
  get: () => notes.get(name, "cursor"),
  set: (value) => notes.set(name, "cursor", { value }),
});

/** Who follows whatever waits: the conversation is the operators' choice, not one operator's. */
const INBOX = "opr_inbox";

async function followPlaces({ name: account, settings, io }: AccountParts): Promise<void> {
  for (const conversation of settings.inbox) await io.follow({ account, conversation }, { operatorId: INBOX });
  for (const { conversation, level } of settings.escalation)
    await io.follow({ account, conversation }, { operatorId: INBOX, level });
}

async function openAccount({ name, kind, settings, house, io, log }: AccountParts, asked: AskedWords): Promise<Open> {
  const [module, about] = [await loadKind(kind), await kind.about()];
  const { capabilities } = about;
  const vendor = await module.open({
    settings: await house.filled(settings),
    webhookUrl: house.webhookUrl(settings.kind, name),
    now: () => house.clock.now(),
  });
  const report = (error: unknown): void =>
    log("warn", "somebody could not be answered", { account: name, err: String(error) });
  const receiving = createReceiving({
    account: name,
    settings,
    vendor,
    capabilities: checked(capabilities),
    io,
    asked,
    clock: house.clock,
    report,
  });
  return { vendor, about, receiving, rate: createSendRate(capabilities.rate), progress: new Map() };
}

const TOKEN_BYTES = 25;

/** A vendor whose buttons cannot carry a token has none. */
function checked(capabilities: Capabilities): Capabilities {
  const { buttons } = capabilities;
  if (typeof buttons === "object" && buttons.payloadMax < TOKEN_BYTES)
    throw new Error(`its buttons carry ${buttons.payloadMax} bytes, and a token has ${TOKEN_BYTES}`);
  return capabilities;
}
