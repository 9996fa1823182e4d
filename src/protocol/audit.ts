/** The shapes of the audit chain. */
import { z } from "zod";
import type { FactType } from "./localized/fact-types.ts";
import { JsonObject } from "./json.ts";
import { LocalizedLines } from "./localized/localized-lines.ts";

/** One thing worth proving later: a transition, a decision, a refusal, a claim, a result, a change of configuration. */
export const AuditFact = z.strictObject({ type: z.string(), detail: JsonObject });
export type AuditFact = z.infer<typeof AuditFact>;
/** One that the gateway itself keeps: its name is on the list, so that every surface has words for it. */
export type OwnFact = AuditFact & { type: FactType };

/** All facts of one commit form one row, chained to the row before it. `body` is hashed as the exact text that is stored. */
export const AuditRow = z.strictObject({
  seq: z.int().positive(),
  atMs: z.int(),
  sessionId: z.string().nullable(),
  actor: z.string(),
  body: z.string(),
  prevHash: z.string(),
  hash: z.string(),
});
export type AuditRow = z.infer<typeof AuditRow>;

export const AuditVerdict = z.discriminatedUnion("intact", [
  z.strictObject({ intact: z.literal(true), rows: z.int(), headHash: z.string() }),
  z.strictObject({
    intact: z.literal(false),
    rows: z.int(),
    brokenAtSeq: z.int(),
    reason: z.string(),
    /** What the reason means, for surfaces that speak other languages. */
    said: LocalizedLines.exactOptional(),
  }),
]);
export type AuditVerdict = z.infer<typeof AuditVerdict>;
