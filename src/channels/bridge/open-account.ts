/** Opens an account at its vendor: the vendor's module with its settings, and what stands between it and the gateway. */
import type { ChannelIo } from "../../plugins/sdk.ts";
import { type Kind, loadKind } from "../kinds.ts";
import type { Capabilities, ChannelAbout, VendorPort } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";
import type { AskedWords } from "./asked-words.ts";
import type { DeliverParts } from "./deliver-items.ts";
import type { ChannelsHouse } from "./house.ts";
import { createReceiving, type Receiving } from "./receive-event.ts";
import { createSendRate, type SendRate } from "./send-rate.ts";

export type AccountParts = {
  name: string;
  kind: Kind;
  settings: ChannelSettings;
  house: ChannelsHouse;
  io: ChannelIo;
  log(level: "info" | "warn" | "error", message: string, fields?: object): void;
};

export type OpenAccount = {
  vendor: VendorPort;
  about: ChannelAbout;
  receiving: Receiving;
  rate: SendRate;
  progress: Map<string, number>;
};

export async function openAccount(parts: AccountParts, asked: AskedWords): Promise<OpenAccount> {
  const { name, kind, settings, house, io, log } = parts;
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

export async function closeAccount({ receiving, vendor }: OpenAccount): Promise<void> {
  await Promise.all([receiving.stop(), vendor.stop()]); // one may wait for the other
  await receiving.idle();
}

export const deliveringBy = (
  { vendor, about, rate, progress }: OpenAccount,
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

/** Who follows whatever waits: the conversation is the operators' choice, not one operator's. */
const INBOX = "opr_inbox";

export async function followPlaces({ name: account, settings, io }: AccountParts): Promise<void> {
  for (const conversation of settings.inbox) await io.follow({ account, conversation }, { operatorId: INBOX });
  for (const { conversation, level } of settings.escalation)
    await io.follow({ account, conversation }, { operatorId: INBOX, level });
}

const TOKEN_BYTES = 25;

/** A vendor whose buttons cannot carry a token has none. */
function checked(capabilities: Capabilities): Capabilities {
  const { buttons } = capabilities;
  if (typeof buttons === "object" && buttons.payloadMax < TOKEN_BYTES)
    throw new Error(`its buttons carry ${buttons.payloadMax} bytes, and a token has ${TOKEN_BYTES}`);
  return capabilities;
}
