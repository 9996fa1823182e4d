/**
 * Snapshots as they leave the gateway: encrypted, and bound to the run, the session, the engine and the image. The
 * process of the sandbox never has the key.
 *
 *   version u8 · nonce 12 bytes · tag 16 bytes · encrypted: length of the text u32 · text (JSON) · packed machine
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { CellIdentity } from "./sandbox.ts";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const LENGTH_BYTES = 4;
const CIPHER = "aes-256-gcm";

/** The engine and the image that a machine can be restored in. */
export type Build = { moduleHash: string; imageHash: string };
export type Sealed = { text: string; machine: Uint8Array };
export type SealPlace = CellIdentity & Build;

/** What it is good for is authenticated with it, and its names cannot run into each other. */
const boundTo = ({ runId, sessionId, moduleHash, imageHash }: SealPlace): Buffer =>
  Buffer.from(JSON.stringify(["holdpoint code snapshot", VERSION, runId, sessionId, moduleHash, imageHash]));

const ownKey = (key: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, new Uint8Array(0), "holdpoint code snapshots", KEY_BYTES));

export function seal(key: Uint8Array, place: SealPlace, { text, machine }: Sealed): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, ownKey(key), nonce).setAAD(boundTo(place));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(Buffer.byteLength(text), 0);
  const body = [cipher.update(length), cipher.update(text, "utf8"), cipher.update(machine), cipher.final()];
  return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), ...body]);
}

/** Undefined for what was not sealed with this key for this place, or was changed. */
export function unseal(key: Uint8Array, place: SealPlace, sealed: Uint8Array): Sealed | undefined {
  const whole = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (whole.length < HEAD_BYTES + LENGTH_BYTES || whole[0] !== VERSION) return undefined;
  try {
    const nonce = whole.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, ownKey(key), nonce)
      .setAAD(boundTo(place))
      .setAuthTag(whole.subarray(1 + NONCE_BYTES, HEAD_BYTES));
    const body = Buffer.concat([decipher.update(whole.subarray(HEAD_BYTES)), decipher.final()]);
    const textEnd = LENGTH_BYTES + body.readUInt32LE(0);
    return { text: body.toString("utf8", LENGTH_BYTES, textEnd), machine: body.subarray(textEnd) };
  } catch {
    return undefined;
  }
}
