/** Methods about channels: which accounts there are, whether they run, and what the vendor says of one. */
import { z } from "zod";
import { method } from "../../protocol/wire/method.ts";

const AccountView = z.strictObject({
  name: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  state: z
    .enum(["starting", "running", "standby", "failed", "stopped"])
    .describe("standby: another gateway on the same store has the connection."),
  problem: z.string().nullable(),
  fix: z.string().nullable(),
  holder: z.string().nullable().describe("The gateway that serves it, where several share one store."),
});

export const CHANNEL_METHODS = {
  "channels.list": method(
    "operator.read",
    "The accounts at vendors that are configured, and whether they run.",
    () => ({
      params: z.strictObject({}),
      result: z.strictObject({ accounts: z.array(AccountView) }),
    }),
  ),
  "channels.check": method("operator.admin", "Asks the vendor whether an account works.", () => ({
    params: z.strictObject({ name: z.string().min(1).max(32) }),
    result: z.strictObject({
      ok: z.boolean(),
      me: z.string().nullable().describe("What the vendor calls the account."),
      problem: z.string().nullable(),
      fix: z.string().nullable(),
      reach: z.string().describe("What must be reachable from where."),
    }),
  })),
} as const;
