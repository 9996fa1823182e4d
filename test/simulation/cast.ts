/** Who plays in a run besides a conversation and its people: each kind in some of the runs, because each costs time. */
import { anySlice, type SliceRegistry } from "../../src/core/slice.ts";
import { subAgentsSlice } from "../../src/agent/sub-agents/slice.ts";
import { SUB_AGENTS_SLICE } from "../../src/agent/sub-agents/protocol/sub-agents.ts";
import { PLAN_MODE_SLICE, planModeSlice } from "../../src/plan-mode/machine/slice.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import { schedulerSlice } from "../../src/scheduler/machine/slice.ts";
import { SCHEDULER_SLICE } from "../../src/scheduler/protocol/schedule.ts";
import { COURIER, courierSlice } from "./courier-slice.ts";

/**
 * `family`: the agent hands work to a sub-agent. `jobs`: people schedule runs, sign plans for them and withdraw them.
 * `asking`: people want to be asked about each change. `quorum`: two must sign. `scoped`: plans declare what they touch, and
 * less than they need, so that people amend them.
 */
export const CASTS = ["plain", "family", "jobs", "asking", "quorum", "scoped"] as const;
export type Cast = (typeof CASTS)[number];

/** One run in eight is not plain, each kind as often as the others; the seed alone says which. */
const TURN = 32;
export const castOf = (seed: number): Cast => CASTS[(Math.abs(seed) % TURN) + 1] ?? "plain";

const APPROVAL_TIMEOUT_S = 10;

const PLAIN: SliceRegistry = new Map([
  [PLAN_MODE_SLICE, anySlice(planModeSlice)],
  [COURIER, anySlice(courierSlice)],
]);
const SLICES: Readonly<Record<Cast, SliceRegistry>> = {
  plain: PLAIN,
  asking: PLAIN,
  quorum: PLAIN,
  scoped: PLAIN,
  family: new Map([...PLAIN, [SUB_AGENTS_SLICE, anySlice(subAgentsSlice)]]),
  jobs: new Map([...PLAIN, [SCHEDULER_SLICE, anySlice(schedulerSlice)]]),
};
export const slicesOf = (cast: Cast): SliceRegistry => SLICES[cast];

const settings = (cast: Cast): Readonly<Record<string, unknown>> => ({
  [PLAN_MODE_SLICE]: PlanModeSettings.parse({
    enabled: true,
    defaultActive: true,
    approvalTimeoutSeconds: APPROVAL_TIMEOUT_S,
    ...(cast === "quorum" ? { approvals: { quorum: 2 } } : {}),
    ...(cast === "scoped" ? { unlock: "scoped" } : {}),
  }),
  [SUB_AGENTS_SLICE]: { max: cast === "family" ? 2 : 0 },
});
const SETTINGS = Object.fromEntries(CASTS.map((cast) => [cast, settings(cast)])) as Record<
  Cast,
  ReturnType<typeof settings>
>;
export const settingsOf = (cast: Cast): Readonly<Record<string, unknown>> => SETTINGS[cast];
