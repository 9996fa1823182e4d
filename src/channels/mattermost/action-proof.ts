/**
 * Mattermost signs nothing. What it sends back with a press or a form is therefore sealed by us: nobody but its server and we
 * have seen a button's seal, and the seal of a form, which a browser sees, names the one person who may hand it in.
 */
import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "../wire/same-secret.ts";

export const PressContext = z.object({ token: z.string(), conversation: z.string(), proof: z.string() });
export const FormState = z.object({
  token: z.string(),
  conversation: z.string(),
  messageId: z.string(),
  userId: z.string(),
  id: z.string(),
  proof: z.string(),
});

export type Proofs = {
  seal<About extends Record<string, string>>(about: About): About & { proof: string };
  isSealed(sealed: Record<string, string>): boolean;
};

/** `secret`: the bot's token, which is never used as a key itself. */
export function createProofs(secret: string): Proofs {
  const key = createHash("sha256").update(`holdpoint-actions\n${secret}`).digest();
  const proofOf = (about: Record<string, string>): string => {
    const sorted = Object.entries(about).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return createHmac("sha256", key).update(JSON.stringify(sorted)).digest("base64url");
  };
  return {
    seal: (about) => ({ ...about, proof: proofOf(about) }),
    isSealed({ proof = "", ...about }) {
      return isSameSecret(proof, proofOf(about));
    },
  };
}
