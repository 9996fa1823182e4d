/** How people are reached about what waits: reminders, escalation, quiet hours, and what could not be delivered. */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";
import { ApprovalId } from "../../../protocol/ids.ts";
import { isTimezone } from "../../../scheduler/protocol/schedule.ts";

const RINGS_MAX = 10;
export const UNDELIVERED_MAX = 20;
const PLACE_CHARS_MAX = 600;
const WHY_CHARS_MAX = 500;

const minutes = lazySchema(() =>
  z
    .array(z.number().min(0.1).max(1_440))
    .max(RINGS_MAX)
    .refine(
      (list) => list.every((item, n) => n === 0 || item > (list[n - 1] ?? 0)),
      "each later than the one before it",
    ),
);

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "a time such as 22:00");

export const QuietHours = lazySchema(() =>
  z.strictObject({
    from: clockTime,
    to: clockTime,
    timezone: z.string().max(64).refine(isTimezone, "a time zone such as Europe/Berlin or UTC").default("UTC"),
  }),
);
export type QuietHours = z.infer<typeof QuietHours>;

/** What happens while nobody answers. None of it decides anything. */
export const PlanReminders = lazySchema(() =>
  z.strictObject({
    remindAfterMinutes: minutes.default([]).describe("When people who were shown what waits are reminded of it."),
    escalateAfterMinutes: minutes
      .default([])
      .describe("When it is shown to the next ones as well: level 1, 2, … of channels.<name>.escalation."),
    quietHours: QuietHours.optional().describe("Neither is done between these times; it is done when they end."),
  }),
);
export type PlanReminders = z.infer<typeof PlanReminders>;

const Undelivered = z.strictObject({
  place: z.string().max(PLACE_CHARS_MAX),
  why: z.string().max(WHY_CHARS_MAX),
});
export type Undelivered = z.infer<typeof Undelivered>;

/** Of the one thing that waits, or waited last. */
export const Reach = lazySchema(() =>
  z.strictObject({
    approvalId: ApprovalId,
    reminders: z.int().nonnegative(),
    remindedAtMs: z.int().optional(),
    /** The level when the last reminder fell due: whoever is shown it only since then is not reminded. */
    remindedLevel: z.int().nonnegative().exactOptional(),
    /** Who is shown it besides: 0 is nobody. */
    level: z.int().nonnegative(),
    undelivered: z.array(Undelivered).max(UNDELIVERED_MAX),
    /** Somebody had it open. */
    seen: z.literal(true).exactOptional(),
  }),
);
export type Reach = z.infer<typeof Reach>;

export const REACH_COMMANDS = [
  /** `ring` counts reminders and escalations together, in the order of their times. */
  z.strictObject({ type: z.literal("remind"), approvalId: ApprovalId, ring: z.int().nonnegative() }),
  z.strictObject({ type: z.literal("undelivered"), approvalId: ApprovalId, ...Undelivered.shape }),
] as const;

const at = { atMs: z.int() };

export const REACH_EVENTS = [
  z.strictObject({
    type: z.literal("approval.reminded"),
    approvalId: ApprovalId,
    /** The next one. */
    ring: z.int().nonnegative(),
    /** Whether those who were shown it are reminded; otherwise only the level rises. */
    reminds: z.boolean(),
    level: z.int().nonnegative(),
    ...at,
  }),
  /** Somebody reads it, or the hours are quiet. */
  z.strictObject({
    type: z.literal("approval.put_off"),
    approvalId: ApprovalId,
    ring: z.int().nonnegative(),
    untilMs: z.int(),
    ...at,
  }),
  z.strictObject({ type: z.literal("approval.undelivered"), approvalId: ApprovalId, ...Undelivered.shape, ...at }),
] as const;
