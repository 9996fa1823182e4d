/** A nick on a network of IRC. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const ircSettings = z.strictObject({
  kind: z.literal("irc"),
  ...ACCOUNT_SETTINGS,
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535).default(6_697),
  tls: z.boolean().default(true),
  nick: z.string().regex(/^[A-Za-z[\]\\`_^{|}][A-Za-z0-9[\]\\`_^{|}-]{0,29}$/, "a nick such as holdpoint"),
  account: z.string().min(1).max(64).optional().describe("For SASL; the nick if unset."),
  password: secretSetting.optional().describe("For SASL PLAIN, or ${IRC_PASSWORD}."),
  linesPerSecond: z
    .number()
    .min(0.1)
    .max(10_000)
    .default(1)
    .describe("After a burst of ten lines, so as not to be cut off."),
});
export type IrcSettings = z.infer<typeof ircSettings>;
