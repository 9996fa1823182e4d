/**
 * `sessions.patch` takes exactly one change. Title and archive are the session's own; every other field is registered by
 * the plugin that it belongs to, so the whole shape is put together from what is registered at the moment.
 */
import { z } from "zod";
import { SessionId } from "../ids.ts";
import { Json } from "../json.ts";
import { PresenceResponse } from "../presence.ts";
import { TITLE_CHARS_MAX } from "../session.ts";

export type PatchShape = { field: string; schema: z.ZodType };

const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .describe("The same key with the same request gets the first answer again.");

/** What every patch has beside its one change. */
export const patchPlace = {
  sessionId: SessionId,
  idempotencyKey,
  presence: PresenceResponse.optional().describe(
    "Your passkey's signature, where the request before was refused with PRESENCE_REQUIRED.",
  ),
  withoutSession: z
    .literal(true)
    .optional()
    .describe("The answer leaves the session out: for clients that follow its events, where a plan may be long."),
};

/** The session's own fields. */
export const OWN_PATCH_FIELDS = {
  title: z.string().trim().min(1).max(TITLE_CHARS_MAX),
  archived: z.boolean(),
} as const;

const FIELD_CHARS_MAX = 64;

/** The change named by a text: for clients that learn of a field while they run. */
export const NamedChange = z.strictObject({
  ...patchPlace,
  field: z.string().min(1).max(FIELD_CHARS_MAX),
  value: Json,
});

/** Names that no plugin can give to a field. */
export const RESERVED_PATCH_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(patchPlace),
  ...Object.keys(OWN_PATCH_FIELDS),
  ...Object.keys(NamedChange.shape),
]);

/** Every patch that is taken while these fields are registered. */
export function sessionPatch(shapes: Iterable<PatchShape>): z.ZodType {
  const own = Object.entries(OWN_PATCH_FIELDS).map(([field, schema]) => ({ field, schema }));
  const named = [...shapes, ...own].map(({ field, schema }) => z.strictObject({ ...patchPlace, [field]: schema }));
  return z.union([...named, NamedChange]);
}
