/** A mailbox: SMTP for what goes out, IMAP for what comes in. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

const port = z.int().min(1).max(65_535);
const security = z.enum(["tls", "starttls", "none"]);
const host = z.string().min(1).max(253);

export const emailSettings = z.strictObject({
  kind: z.literal("email"),
  ...ACCOUNT_SETTINGS,
  address: z.email().describe("Where people write to, and what mail comes from."),
  user: z.string().min(1).max(320).optional().describe("For both servers; the address if unset."),
  password: secretSetting.optional().describe("For both servers, or ${EMAIL_PASSWORD}."),
  smtpHost: host,
  smtpPort: port.default(465),
  smtpSecurity: security.default("tls"),
  imapHost: host.optional().describe("Absent: mail only goes out, and people decide by its links."),
  imapPort: port.default(993),
  imapSecurity: security.default("tls"),
  mailbox: z.string().min(1).max(256).default("INBOX"),
  linkSecret: secretSetting.describe("Signs the links in mail: any long random text, or ${EMAIL_LINK_SECRET}."),
  trustedServers: z
    .array(z.string().min(1).max(253))
    .max(20)
    .default([])
    .describe(
      "Names under which your own mail server writes Authentication-Results. Commands by mail count only where it says dmarc=pass.",
    ),
});
export type EmailSettings = z.infer<typeof emailSettings>;
