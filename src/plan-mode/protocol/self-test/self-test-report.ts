/** What the self-test reports: one whole plan, step by step. */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";

const SELF_TEST_STEPS = [
  "store",
  "start",
  "enter",
  "hold",
  "submit",
  "approve",
  "execute",
  "complete",
  "audit",
  "clean",
] as const;

const SelfTestStep = z.enum(SELF_TEST_STEPS);
export type SelfTestStep = z.infer<typeof SelfTestStep>;

export const SelfTestReport = lazySchema(() =>
  z.strictObject({
    ok: z.boolean(),
    tookMs: z.int().nonnegative(),
    /** Those that were reached, in their order; the last one failed where `ok` is false. */
    steps: z.array(
      z.strictObject({ step: SelfTestStep, ok: z.boolean(), tookMs: z.int(), why: z.string().optional() }),
    ),
    notes: z.array(z.string()),
  }),
);
export type SelfTestReport = z.infer<typeof SelfTestReport>;

/** Plays one plan against this installation and removes everything that it made. */
export type RunSelfTest = () => Promise<SelfTestReport>;
