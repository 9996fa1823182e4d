/**
 * What the gateway saw of a criterion while the plan was carried out. Nothing here is what an agent says: it is taken
 * from the results of real calls, or given by a person.
 *
 *   none ──a call that the proof names ends · a person's word · a waiver──▶ seen ──a later change──▶ outdated
 */
import { z } from "zod";
import { By } from "../../../protocol/actor.ts";

export const EVIDENCE_MAX = 500;
export const WAIVER_CHARS_MAX = 1_000;
const TEXT_CHARS_MAX = 2_000;
export const EXCERPT_CHARS_MAX = 300;

/** `after`: how many changes had been made when it was seen; with another one it is older than the last. */
const about = {
  step: z.string().max(TEXT_CHARS_MAX),
  criterion: z.string().max(TEXT_CHARS_MAX),
  atMs: z.int(),
  after: z.int().nonnegative(),
};

export const Evidence = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("command"),
    ...about,
    callId: z.string(),
    command: z.string().max(TEXT_CHARS_MAX),
    exitCode: z.int(),
    /** Of the output as it is recorded. */
    outputDigest: z.string(),
    excerpt: z.string().max(EXCERPT_CHARS_MAX),
    passed: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("file"),
    ...about,
    callId: z.string(),
    path: z.string(),
    sha256: z.string(),
    passed: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("word"), ...about, by: By }),
  /** It cannot be had, and a person lets the step close without it. */
  z.strictObject({ kind: z.literal("waiver"), ...about, by: By, reason: z.string().min(1).max(WAIVER_CHARS_MAX) }),
]);
export type Evidence = z.infer<typeof Evidence>;
