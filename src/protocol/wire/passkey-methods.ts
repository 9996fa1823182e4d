/** Methods about passkeys: who has which, links to add one, and taking one away. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { OperatorId } from "../ids.ts";
import { PresenceResponse } from "../presence.ts";
import { method } from "./method.ts";

const PasskeyView = lazySchema(() =>
  z.strictObject({
    credentialId: z.string(),
    operatorId: OperatorId,
    name: z.string(),
    /** The host name that it works for. */
    rpId: z.string(),
    /** Of the public key, for people to compare. */
    fingerprint: z.string(),
    createdAtMs: z.int(),
    usedAtMs: z.int().nullable(),
    state: z.enum(["usable", "revoked"]),
  }),
);
export type PasskeyView = z.infer<typeof PasskeyView>;

export const PASSKEY_METHODS = {
  "passkeys.list": method("operator.read", "Your passkeys; with operator.admin those of all operators.", () => ({
    params: z.strictObject({}),
    result: z.strictObject({ passkeys: z.array(PasskeyView) }),
  })),
  "passkeys.link": method(
    "operator.admin",
    "Makes a one-time link: whoever opens it adds a passkey for this operator. Once there was a passkey, it takes one of yours.",
    () => ({
      params: z.strictObject({
        operatorId: OperatorId.optional().describe("Absent: yourself."),
        presence: PresenceResponse.optional().describe(
          "Your passkey's signature for the challenge of the refusal before.",
        ),
      }),
      result: z.strictObject({
        operator: z.strictObject({ id: OperatorId, name: z.string() }),
        /** The whole link. */
        link: z.string(),
        expiresAtMs: z.int(),
      }),
    }),
  ),
  "passkeys.revoke": method("operator.read", "Revokes a passkey of yours; with operator.admin anybody's.", () => ({
    params: z.strictObject({ credentialId: z.string().min(1).max(2_048) }),
    result: z.strictObject({ passkey: PasskeyView }),
  })),
} as const;
