/**
 * A code that stands for a button where somebody's identity is weak: typed in the conversation to which the card was sent,
 * it proves that the message arrived there. Made from the stored hash of the button's token, so nothing more is kept.
 */
import { hash } from "node:crypto";

/** Neither vowels nor signs that look like others: no word of a language is taken for a code. */
const SIGNS = "23456789BCDFGHJKMNPQRSTVWXZ";
const CODE_CHARS = 5;

export const BUTTON_CODE = /^[2-9BCDFGHJKMNPQRSTVWXZ]{5}$/i;

/** A code, and the words behind it where its button takes any. */
export const TYPED_CODE = /^\s*([2-9BCDFGHJKMNPQRSTVWXZ]{5})(?:\s+(\S[\s\S]*))?$/i;

/** The store keeps this of a token. */
export const tokenHash = (token: string): string => hash("sha256", token);

export function buttonCode(hashOfToken: string): string {
  const bits = hash("sha256", `code:${hashOfToken}`, "buffer");
  return Array.from({ length: CODE_CHARS }, (_, at) => SIGNS[bits.readUInt32BE(at * 4) % SIGNS.length]).join("");
}
