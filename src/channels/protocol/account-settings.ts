/** What every account at a vendor can be configured with. */
import { z } from "zod";

const LIST_MAX = 1_000;

/** A secret, or where it stands: ${TELEGRAM_BOT_TOKEN} is looked for in the environment, then in secrets.yaml. */
export const secretSetting = z.string().min(1).max(4_096);

/** What every kind of channel has. */
export const ACCOUNT_SETTINGS = {
  enabled: z.boolean().default(true),
  pairing: z
    .boolean()
    .default(true)
    .describe("Whether somebody unknown who writes /pair in a direct conversation gets a code for an operator."),
  operators: z
    .array(z.string().min(1).max(128))
    .max(LIST_MAX)
    .optional()
    .describe(
      "Only these operators count here, by name or id. Absent: whoever was paired. An empty list means nobody.",
    ),
  groups: z
    .strictObject({
      allow: z
        .array(z.string().min(1).max(512))
        .max(LIST_MAX)
        .default([])
        .describe("Groups, by the vendor's id, in which people are listened to. An empty list means none."),
      mention: z
        .boolean()
        .default(true)
        .describe("Only what is addressed to us counts: by a mention, a reply to us, or a command."),
    })
    .prefault({}),
  inbox: z
    .array(z.string().min(1).max(512))
    .max(LIST_MAX)
    .default([])
    .describe("Conversations, by the vendor's id, that are shown whatever waits for a person, in any session."),
  escalation: z
    .array(z.strictObject({ conversation: z.string().min(1).max(512), level: z.int().min(1).max(10).default(1) }))
    .max(LIST_MAX)
    .default([])
    .describe(
      "Conversations that are shown what waits when nobody answered: level 1 after the first of planMode.reminders.escalateAfterMinutes, and so on.",
    ),
} as const;
