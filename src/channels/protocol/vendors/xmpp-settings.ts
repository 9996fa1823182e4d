/** An account on a server of XMPP. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const xmppSettings = z.strictObject({
  kind: z.literal("xmpp"),
  ...ACCOUNT_SETTINGS,
  jid: z
    .string()
    .max(512)
    .regex(/^[^\s@/]+@[^\s@/]+$/, "an address such as holdpoint@example.org")
    .toLowerCase(),
  password: secretSetting.describe("The account's password, or ${XMPP_PASSWORD}."),
  service: z
    .string()
    .regex(/^xmpps?:\/\/[^\s/]+$/, "an address such as xmpp://host:5222, or xmpps://host:5223 for TLS from the start")
    .optional()
    .describe("Where the server is; unset: what the domain's records in the DNS say."),
  nick: z
    .string()
    .regex(/^[^\s/@]{1,64}$/, "a name without spaces")
    .default("holdpoint")
    .describe("What we are called in rooms."),
  tls: z
    .boolean()
    .default(true)
    .describe("`false`: the password and all messages may be read on the way. Only for a server on this machine."),
});
export type XmppSettings = z.infer<typeof xmppSettings>;
