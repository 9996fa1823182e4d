/**
 * Checks one signature of a passkey: for this challenge, on a page of this name, by a person whom the authenticator
 * verified, with this key. The same check decides on a decision as it comes in, and on its audit row years later.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import type { PresenceResponse } from "../../protocol/presence.ts";

export type AssertionFault = "other" | "origin" | "unverified" | "broken";

export type Asserted = {
  response: PresenceResponse;
  challenge: string;
  rpId: string;
  isOurs(origin: string): boolean;
  /** COSE, base64url. */
  publicKey: string;
};

const ClientData = z.object({ type: z.string(), challenge: z.string(), origin: z.string(), crossOrigin: z.unknown() });

const RP_HASH_BYTES = 32;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const AUTHENTICATOR_DATA_BYTES_MIN = 37;

/** What the browser says that was signed; undefined where it cannot be read. */
export function clientDataIn({ clientDataJSON }: Pick<PresenceResponse, "clientDataJSON">) {
  try {
    const text = Buffer.from(clientDataJSON, "base64url").toString("utf8");
    return ClientData.safeParse({ crossOrigin: undefined, ...JSON.parse(text) }).data;
  } catch {
    return undefined; // no JSON: the signature answers nothing
  }
}

/** The number of signatures that the authenticator has counted, or why the signature does not hold. */
export async function checkAssertion(given: Asserted): Promise<{ counter: number } | { fault: AssertionFault }> {
  const { response, challenge, rpId, publicKey } = given;
  const client = clientDataIn(response);
  const data = Buffer.from(response.authenticatorData, "base64url");
  if (client === undefined || data.length < AUTHENTICATOR_DATA_BYTES_MIN) return { fault: "broken" };
  if (client.challenge !== challenge || client.type !== "webauthn.get") return { fault: "other" };
  const isForUs = data.subarray(0, RP_HASH_BYTES).equals(hash("sha256", rpId, "buffer"));
  if (!isForUs || !given.isOurs(client.origin) || client.crossOrigin === true) return { fault: "origin" };
  const flags = data.readUInt8(RP_HASH_BYTES);
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return { fault: "unverified" };
  const isSigned = await holds({ response, challenge, rpId, publicKey, origin: client.origin });
  return isSigned ? { counter: data.readUInt32BE(RP_HASH_BYTES + 1) } : { fault: "broken" };
}

type Signed = Omit<Asserted, "isOurs"> & { origin: string };

/** Loaded when a first signature comes: most gateways never see one. */
async function holds({ response, challenge, rpId, publicKey, origin }: Signed): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { credentialId: id, ...signed } = response;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response: signed },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: Buffer.from(publicKey, "base64url"), counter: 0 }, // counted by whoever keeps the key
      requireUserVerification: true,
    });
    return verified;
  } catch {
    return false; // the library throws for whatever does not hold
  }
}

/** Authenticators that do not count say 0, always; of one that counts, each signature has a higher number. */
export const isCounted = (counter: number, last: number): boolean => counter > last || (counter === 0 && last === 0);
