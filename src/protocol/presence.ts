/** What a person's passkey signs, how the signature comes in, and the proof of it that is kept (GW-10). */
import { z } from "zod";
import { lazySchema } from "./lazy-schema.ts";
import { OperatorId, SessionId } from "./ids.ts";

const bytes = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .regex(/^[A-Za-z0-9_-]+$/, "base64url");

/** Which decision on what. A decision outside any session has no sessionId. */
export const PresenceSubject = z.strictObject({
  sessionId: SessionId.nullable(),
  approvalId: z.string().max(128),
  digest: z.string().max(128),
  decision: z.string().min(1).max(64),
});
export type PresenceSubject = z.infer<typeof PresenceSubject>;

/** The digest of exactly this is the challenge that the passkey signs, so that the proof can be checked from it alone. */
export const PresenceStatement = lazySchema(() =>
  z.strictObject({
    ...PresenceSubject.shape,
    person: OperatorId,
    /** Of the server: 256 random bits. */
    nonce: bytes(64),
    atMs: z.int(),
  }),
);
export type PresenceStatement = z.infer<typeof PresenceStatement>;

/** What an authenticator gave for one challenge. */
export const PresenceResponse = z.strictObject({
  credentialId: bytes(2_048),
  authenticatorData: bytes(4_096),
  clientDataJSON: bytes(4_096),
  signature: bytes(2_048),
});
export type PresenceResponse = z.infer<typeof PresenceResponse>;

/** A signature that the server has verified. */
export const PresenceProof = lazySchema(() =>
  z.strictObject({ statement: PresenceStatement, ...PresenceResponse.shape }),
);
export type PresenceProof = z.infer<typeof PresenceProof>;
