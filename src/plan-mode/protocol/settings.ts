/** Settings of plan mode and of permissions, as the configuration gives them and as a session resolves them. */
import { z } from "zod";
import { CriticSettings } from "./lint/critic.ts";
import { LintMode } from "./lint/lint-finding.ts";
import { ApprovalRules } from "./approvals.ts";
import { PlanReminders } from "./reach/reach.ts";

/**
 * What a mutating call waits for outside plan mode, which always comes first. `ask`: a person's yes to each one;
 * `accept`: to each one that is no file edit; `default`: to what is destructive or touches the gateway's or an agent's
 * own configuration, unless an approved plan is being carried out; `bypass`: to none.
 */
export const PermissionMode = z.enum(["default", "ask", "accept", "bypass"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

const minutes = z
  .array(z.number().min(0.1).max(1_440))
  .max(10)
  .refine((list) => list.every((item, n) => n === 0 || item > (list[n - 1] ?? 0)), "each later than the one before it");

/** When an agent that has come to rest is woken; an empty list: never. */
export const PlanNudges = z.strictObject({
  exploringMinutes: minutes.default([10, 30, 60]).describe("While it should be making a plan."),
  executingMinutes: minutes.default([1, 3, 5]).describe("While it should be carrying one out and reports no progress."),
});
export type PlanNudges = z.infer<typeof PlanNudges>;

/** No model's id has these, so with them the pattern was meant as a regular expression, and would match nothing for ever. */
const ONLY_IN_EXPRESSIONS = /[\\^$()[\]{}|]|^\//;
const modelPattern = z
  .string()
  .min(1)
  .max(128)
  .refine(
    (pattern) => !ONLY_IN_EXPRESSIONS.test(pattern),
    'a glob such as "openai/*" or "*-mini"; regular expressions are not taken',
  );

/** Settings of plan mode, resolved for one session: file defaults, then agent, then binding. */
export const PlanModeSettings = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe("Offer plan mode at all. Off: no plan tools, and the gate is never consulted."),
  defaultActive: z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      "Whether a new chat session starts in plan mode; null lets the binding's role decide (coordinator: yes).",
    ),
  requireApproval: z.boolean().default(true).describe("false: a submitted plan unlocks at once, recorded as such."),
  autoEnterOnDestructive: z
    .boolean()
    .default(false)
    .describe("A destructive call in normal mode is refused and puts the session into plan mode."),
  lint: LintMode.default("warnings").describe(
    "What plan lint tells the agent and people about a submitted plan. warnings: open questions, irreversible steps without a way back, size; all: also steps without a check and changes that name no place; return: all, returned to the agent until it corrects or acknowledges them; off: nothing.",
  ),
  unknownCommands: z
    .enum(["block", "ask"])
    .default("block")
    .describe(
      "A command that is proven neither to read nor to write is blocked in plan mode; ask: a person may allow that one call, once.",
    ),
  approvalTimeoutSeconds: z
    .int()
    .min(10)
    .max(86_400)
    .default(86_400)
    .describe("How long a plan or a question waits for a person."),
  unlock: z
    .enum(["open", "scoped"])
    .default("open")
    .describe(
      "What an approval opens. open: every change; scoped: the paths, commands, hosts and tools that the plan's steps declare, and a call outside of them asks a person to amend the plan.",
    ),
  approvals: ApprovalRules.prefault({}).describe("Who must sign, where it differs from approvals at the top."),
  requireResolvedThreads: z.boolean().default(false).describe("Refuse an approval while notes on the plan are open."),
  maxPlanTemplateSteps: z
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe("Stands under skills.limits in the configuration."),
  autoEnableFor: z
    .array(modelPattern)
    .max(50)
    .default([])
    .describe('Models whose new chat sessions start in plan mode, where defaultActive is null: "openai/*", "*-mini".'),
  debug: z
    .boolean()
    .default(false)
    .describe(
      "Write a trail of plan mode's decisions to the log, as HOLDPOINT_DEBUG_PLAN_MODE=1 does for all sessions.",
    ),
  /** Absent: none. The configuration has some unless it says otherwise. */
  nudges: PlanNudges.optional(),
  /** Absent: nobody is reminded of what waits. */
  reminders: PlanReminders.optional(),
  critic: CriticSettings.optional().describe(
    "A second model that reads submitted plans and leaves notes. Absent: none.",
  ),
  /** Who answers first in this session; filled in by the gateway, not by the configuration. */
  model: z.string().max(256).optional(),
  /** Stands beside `planMode` in the configuration: it holds whether or not plan mode is enabled. */
  permissionMode: PermissionMode.default("default"),
});
export type PlanModeSettings = z.infer<typeof PlanModeSettings>;
