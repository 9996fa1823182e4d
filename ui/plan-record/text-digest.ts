/**
 * Whether a text is the one that was signed: its digest is computed here, from what is shown, and compared with the one
 * that a decision names. Where the browser computes none (a page without https), that is said instead.
 */
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { Json } from "../../src/protocol/json.ts";
import { canonicalJson } from "../../src/protocol/text/canonical-json.ts";

/** Undefined where this browser cannot compute it. */
export async function textDigest({ body }: Pick<PlanRevision, "body">): Promise<string | undefined> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came as JSON; fields that are absent stay absent
  const bytes = new TextEncoder().encode(canonicalJson(body as Json));
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type DigestStanding = "same" | "other" | "unchecked";

/** `signed`: as the decision names it. */
export function digestStanding(
  signed: string,
  { digest }: Pick<PlanRevision, "digest">,
  computed?: string,
): DigestStanding {
  if (signed !== digest || (computed !== undefined && computed !== signed)) return "other";
  return computed === undefined ? "unchecked" : "same";
}
