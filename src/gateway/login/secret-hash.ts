/** Hashes secrets such as tokens, and compares them in constant time. */
import { hash, timingSafeEqual } from "node:crypto";

export const hashOf = (secret: string): string => hash("sha256", secret);

export function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
