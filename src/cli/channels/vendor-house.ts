/** What asking a vendor needs, without a gateway: secrets, and the address that vendors would reach. */
import type { Checking } from "../../channels/check-account.ts";
import type { Config } from "../../config/config.ts";
import { type Environment, homePath } from "../../config/home.ts";
import { findSecret } from "../../config/secrets-file.ts";
import { systemClock } from "../../engine/clock.ts";
import { fillSettings, webhookAddress } from "../../gateway/channels/channels-house.ts";

export function vendorHouse(config: Config, env: Environment): Checking["house"] {
  const at = { home: homePath(env), env };
  return {
    clock: systemClock,
    filled: (settings) => fillSettings(settings, (name) => findSecret(name, at)),
    webhookUrl: (kind, account) => webhookAddress(config, { kind, account }),
  };
}
