/** Compares what somebody sent with what only the vendor can know, in a time that says nothing about it. */
import { timingSafeEqual } from "node:crypto";

export function isSameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
