/** Passkeys of operators, and the challenges that wait to be answered with one. */
import type { OperatorId } from "../protocol/ids.ts";
import type { JsonObject } from "../protocol/json.ts";

/** A challenge lives for minutes; one that nobody answered is forgotten after this long. */
export const CHALLENGES_KEPT_MS = 24 * 3_600_000;
/** Beyond these the oldest of one operator is forgotten. */
export const CHALLENGES_OPEN_MAX = 32;

export type Passkey = {
  /** The authenticator's own name for the key, base64url. */
  credentialId: string;
  operatorId: OperatorId;
  /** What people call it. */
  name: string;
  /** COSE, base64url. */
  publicKey: string;
  /** The host name that the key was made for. */
  rpId: string;
  transports: string[];
  createdAtMs: number;
  /** Of the last signature; 0 where the authenticator does not count. */
  counter: number;
  usedAtMs: number | null;
  revokedAtMs: number | null;
};

export type StoredPasskey = { passkey: Passkey; version: number };

/** `key`: the challenge itself, or the hash of the code that stands for it. */
export type Challenge = { key: string; operatorId: OperatorId; atMs: number; doc: JsonObject };

/** `take`: conflict where it was taken before. `save`: conflict where the stored version is not `was` (0: none). */
export type PresenceChange =
  | { do: "keep"; challenge: Challenge }
  | { do: "take"; key: string }
  | { do: "save"; passkey: Passkey; was: number };
