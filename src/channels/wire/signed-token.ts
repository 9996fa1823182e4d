/** Tokens that a vendor signs: its keys are fetched and kept, and asked for again when a token names one that is not known. */
import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from "jose";
import { z } from "zod";
import { answerIn, isOk, refusedBy, vendorRequest } from "./vendor-request.ts";

const KEPT_MS = 24 * 3_600_000;
/** A stranger's token names unknown keys at will: the vendor is not asked more often than this. */
const AGAIN_MS = 60_000;
const FETCH_MS_MAX = 10_000;
const SKEW_SECONDS = 300;

/** `endorsements`: for which channels a key of the Bot Framework counts. */
const Key = z.looseObject({
  kty: z.string(),
  kid: z.string().exactOptional(),
  endorsements: z.array(z.string()).exactOptional(),
});
const Keys = z.object({ keys: z.array(Key).max(100) });
type Keys = z.infer<typeof Keys>;

export type KeySource = (signal: AbortSignal) => Promise<string>;
export type SignedParts = {
  title: string;
  /** Where the keys stand now. */
  keysUrl: KeySource;
  issuer: string;
  audience: string;
  now(): number;
};
/** `key`: the one that signed it, with whatever the vendor says of it. */
export type Signed = { payload: JWTPayload; key: z.infer<typeof Key> };
/** Undefined: it is not a token of this vendor for us, now. Throws where the vendor's keys cannot be had. */
export type VerifyToken = (token: string) => Promise<Signed | undefined>;

export function createTokenCheck({ title, keysUrl, issuer, audience, now }: SignedParts): VerifyToken {
  let known: { keys: Keys; atMs: number } | undefined;

  async function fetched(): Promise<Keys> {
    const signal = AbortSignal.timeout(FETCH_MS_MAX);
    const answer = await vendorRequest(await keysUrl(signal), { title, method: "GET", signal });
    if (!isOk(answer)) throw refusedBy(title, answer, "its keys cannot be read");
    const keys = answerIn(title, answer.body, Keys);
    known = { keys, atMs: now() };
    return keys;
  }
  async function keysFor(kid: string): Promise<Keys> {
    if (known === undefined || now() - known.atMs > KEPT_MS) return fetched();
    const isKnown = known.keys.keys.some((key) => key.kid === kid);
    return isKnown || now() - known.atMs < AGAIN_MS ? known.keys : fetched();
  }

  return async (token) => {
    const kid = kidOf(token);
    if (kid === undefined) return undefined;
    const keys = await keysFor(kid);
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
        issuer,
        audience,
        algorithms: ["RS256"],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(now()),
        requiredClaims: ["exp"],
      });
      const key = keys.keys.find((one) => one.kid === kid);
      return key === undefined ? undefined : { payload, key };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/** `Authorization: Bearer …`, once. */
export function bearerIn(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const given = headers["authorization"];
  return typeof given === "string" ? /^Bearer ([\w.~+/=-]{1,8000})$/.exec(given)?.[1] : undefined;
}
