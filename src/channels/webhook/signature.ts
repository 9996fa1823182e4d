/**
 * Signatures of standard-webhooks: HMAC-SHA256 over id, time and body. Twenty lines of the standard, so no package is loaded
 * for them; the tests check them with the standard's own.
 */
import { createHmac } from "node:crypto";
import type { WebhookRequest } from "../port.ts";
import { isSameSecret } from "../wire/same-secret.ts";

const AGE_SECONDS_MAX = 300;
const MS = 1_000;
const PREFIX = "whsec_";
const ID_CHARS_MAX = 256;
/** While a secret is replaced a sender signs with both. */
const SIGNATURES_MAX = 10;

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");

const signed = (secret: string, { id, at, body }: { id: string; at: string; body: Uint8Array }): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${at}.`).update(body).digest("base64")}`;

export type Signing = { secret: string; id: string; nowMs: number; body: Uint8Array };

export function signatureHeaders({ secret, id, nowMs, body }: Signing): Record<string, string> {
  const at = String(Math.floor(nowMs / MS));
  return { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signed(secret, { id, at, body }) };
}

/** The id of a request that is signed and fresh; undefined for any other. Which ids came before is known to the store. */
export function provenId({ headers, body }: WebhookRequest, secret: string, nowMs: number): string | undefined {
  const [id, at, given] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers[name]);
  if (typeof id !== "string" || typeof at !== "string" || typeof given !== "string") return undefined;
  if (id === "" || id.length > ID_CHARS_MAX || !/^\d{1,12}$/.test(at)) return undefined;
  if (Math.abs(nowMs / MS - Number(at)) > AGE_SECONDS_MAX) return undefined;
  const expected = signed(secret, { id, at, body });
  const isSigned = given
    .split(" ")
    .slice(0, SIGNATURES_MAX)
    .some((one) => isSameSecret(one, expected));
  return isSigned ? id : undefined;
}
