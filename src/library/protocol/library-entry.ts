/** One plan revision as the library lists it. */
import { z } from "zod";
import { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";

export const TAGS_MAX = 50;
export const LINKS_MAX = 100;
export const FILES_MAX = 300;
const PEOPLE_MAX = 50;
const LINK_CHARS_MAX = 500;

/** What became of a revision. `left`: plan mode ended before it was carried out to its end. */
export const PlanOutcome = z.enum([
  "pending",
  "approved",
  "standing",
  "completed",
  "rejected",
  "expired",
  "superseded",
  "left",
]);
export type PlanOutcome = z.infer<typeof PlanOutcome>;

/** Small letters, digits and a few signs: the same tag is never written in two ways. */
export const PlanTag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,39}$/u, "letters, digits, dots, slashes and hyphens, at most 40");

/** An issue, a pull request or another page: `#12`, `owner/repo#12`, `PAY-7` or an address. */
export const PlanLink = z
  .string()
  .trim()
  .max(LINK_CHARS_MAX)
  .regex(
    /^(?:https?:\/\/[^\s<>"'`]+|(?:[\w.-]+\/[\w.-]+)?[#!]\d{1,9}|[A-Z][A-Z0-9]{1,9}-\d{1,9})$/,
    "#12, owner/repo#12, KEY-12 or an address that begins with https://",
  );

export const LibraryEntry = z.strictObject({
  planId: PlanId,
  sessionId: SessionId,
  agentId: z.string(),
  cycleId: CycleId,
  revision: z.int().positive(),
  title: z.string(),
  summary: z.string(),
  steps: z.int().nonnegative(),
  outcome: PlanOutcome,
  /** The rule that approved it, where no person did. */
  rule: z.string().exactOptional(),
  submittedAtMs: z.int(),
  /** Its session is gone: nothing can be decided, and nothing more comes of it. */
  sessionDeleted: z.literal(true).exactOptional(),
  /** Who wrote, signed, sent back or noted something: by name, and by the id that stays. */
  people: z.array(z.strictObject({ id: z.string(), name: z.string() })).max(PEOPLE_MAX),
  tags: z.array(z.string()).max(TAGS_MAX),
  /** Named in the plan, or changed while it was carried out: by file tools, or by commands as far as that was recorded. */
  files: z.array(z.string()).max(FILES_MAX),
  links: z.array(z.string()).max(LINKS_MAX),
  /** The name of its file below the agent's folder of plans; null where there is none. */
  file: z.string().nullable(),
  /** What people added, and can take away: it is kept when the rest is read anew. The others stand in the plan. */
  added: z.strictObject({ tags: z.array(z.string()), links: z.array(z.string()) }),
});
export type LibraryEntry = z.infer<typeof LibraryEntry>;
