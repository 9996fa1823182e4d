/** All accounts of one kind of channel, as one channel of the gateway: they come and go with the configuration. */
import { isDeepStrictEqual } from "node:util";
import type { Channel, ChannelIo } from "../../plugins/sdk.ts";
import type { Kind } from "../kinds.ts";
import type { ChannelKind, ChannelsSettings } from "../protocol/settings.ts";
import { ENGLISH } from "../texts/en.ts";
import type { Account, AccountStatus } from "./account.ts";
import type { ChannelsHouse } from "./house.ts";
import type { AccountParts } from "./open-account.ts";

export type KindChannel = {
  channel: Channel;
  /** Undefined: there is no such account of this kind, or it is switched off. */
  status(account: string): AccountStatus | undefined;
};

export type KindParts = { id: ChannelKind; kind: Kind; house: () => ChannelsHouse; log: AccountParts["log"] };

/** How long delivery waits for an account that is not configured, or not any more. */
const GONE_MS = 60_000;

export function createKindChannel({ id, kind, house: given, log }: KindParts): KindChannel {
  const accounts = new Map<string, Account>();
  let io: ChannelIo | undefined;
  let changes: Promise<void> = Promise.resolve();
  let stopFollowing: (() => void) | undefined;
  /** Before that nobody knows which accounts there are. */
  let isReconciled = false;

  async function reconcile(): Promise<void> {
    const wanted = io === undefined ? {} : accountsOf(given().settings(), id);
    for (const [name, account] of accounts) {
      if (isDeepStrictEqual(wanted[name], account.settings)) continue;
      accounts.delete(name);
      await account.stop();
    }
    for (const [name, settings] of Object.entries(wanted)) {
      if (accounts.has(name)) continue;
      const { startAccount } = await import("./account.ts"); // nothing of it is loaded before there is an account
      if (io !== undefined) accounts.set(name, startAccount({ name, kind, settings, house: given(), io, log }));
    }
  }
  const change = (): Promise<void> =>
    (changes = changes
      .then(reconcile)
      .catch((error: unknown) =>
        log("error", "accounts of a channel could not be brought in line", { kind: id, err: String(error) }),
      ));

  return {
    status: (name) => accounts.get(name)?.status(),
    channel: {
      id,
      async start(gateway) {
        io = gateway;
        stopFollowing = given().onSettings(() => void change());
        await change();
        isReconciled = true;
      },
      serves(name) {
        const account = accounts.get(name);
        if (account !== undefined) return account.serves();
        return given().sharesStore() || !isReconciled ? "elsewhere" : "here"; // another gateway may have it
      },
      async deliver(batch) {
        const account = accounts.get(batch.place.account);
        if (account !== undefined) return account.deliver(batch);
        return { receipts: [], stopped: { why: ENGLISH.channelNotRunning, retryAfterMs: GONE_MS } };
      },
      async webhook(name, request) {
        return accounts.get(name)?.webhook(request) ?? { status: 404, body: "{}" };
      },
      async stop() {
        stopFollowing?.();
        io = undefined;
        await change();
      },
    },
  };
}

function accountsOf(settings: ChannelsSettings, id: ChannelKind): ChannelsSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, { kind, enabled }]) => kind === id && enabled));
}
