/** What proves that a criterion holds. */
import { z } from "zod";

export const PROOFS_MAX = 50;
const TEXT_CHARS_MAX = 2_000;
const PATH_CHARS_MAX = 1_000;

const byCommand = z.strictObject({
  by: z.literal("command"),
  command: z.string().trim().min(1).max(TEXT_CHARS_MAX),
  exitCode: z.int().min(0).max(255).default(0),
});
const byFile = z.strictObject({
  by: z.literal("file"),
  path: z.string().trim().min(1).max(PATH_CHARS_MAX),
  contains: z.string().min(1).max(TEXT_CHARS_MAX).optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
const byPerson = z.strictObject({ by: z.literal("person") });

/** As the agent writes it, beside its criterion. */
export const ProofBy = z.discriminatedUnion("by", [byCommand, byFile, byPerson]);

const named = { criterion: z.string().trim().min(1).max(TEXT_CHARS_MAX) };

/** Names its criterion word for word. */
export const Proof = z.discriminatedUnion("by", [
  byCommand.extend(named),
  byFile.extend(named),
  byPerson.extend(named),
]);
export type Proof = z.infer<typeof Proof>;
