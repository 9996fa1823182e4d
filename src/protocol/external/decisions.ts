/** What an agent outside asks of the gateway, and how it is answered: over the socket, plain HTTP and MCP alike (IG-05). */
import { z } from "zod";
import { JsonObject } from "../json.ts";

/** How long one request waits for a person at most; a client that wants to wait longer asks again. */
const EXTERNAL_WAIT_MS_MAX = 2 * 60 * 60_000;
const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 200_000;
const PATH_CHARS_MAX = 4_096;

/** Which run of which agent asks. The same names lead to the same session, also after a restart of the gateway. */
export const ExternalPlace = z.strictObject({
  agent: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, "a short name: lower-case letters, digits and -")
    .describe("The kind of agent, such as claude-code or my-bot."),
  session: z.string().min(1).max(NAME_CHARS_MAX).describe("What the agent itself calls this run; any text."),
  workspace: z
    .string()
    .max(PATH_CHARS_MAX)
    .refine((path) => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path), "an absolute path")
    .describe("The folder that the agent works in."),
  title: z.string().max(NAME_CHARS_MAX).optional().describe("How people see the session, if it is new."),
});
export type ExternalPlace = z.infer<typeof ExternalPlace>;

const waiting = {
  waitMs: z
    .int()
    .min(0)
    .max(EXTERNAL_WAIT_MS_MAX)
    .optional()
    .describe("How long to wait for a person; 0 or left out answers at once."),
};

export const CallRequest = ExternalPlace.extend({
  tool: z
    .string()
    .min(1)
    .max(NAME_CHARS_MAX)
    .describe("exec, write, edit, apply_patch or read; any other name counts as one that changes something."),
  args: JsonObject.describe("exec: command, cwd; write and edit: path; apply_patch: patch."),
  ...waiting,
});
export type CallRequest = z.infer<typeof CallRequest>;

const Step = z.strictObject({
  step: z.string(),
  acceptanceCriteria: z.array(z.string()).optional(),
});

export const PlanRequest = ExternalPlace.extend({
  plan: z.strictObject({
    title: z.string().max(NAME_CHARS_MAX).optional(),
    text: z.string().max(TEXT_CHARS_MAX).optional().describe("The plan as Markdown; list items become its steps."),
    steps: z.array(Step).optional().describe("Instead of text."),
    summary: z.string().optional(),
    verification: z.array(z.string()).optional(),
  }),
  ...waiting,
});
export type PlanRequest = z.infer<typeof PlanRequest>;

const Option = z.union([z.string(), z.strictObject({ label: z.string(), description: z.string().optional() })]);

export const QuestionRequest = ExternalPlace.extend({
  question: z.string().min(1).max(TEXT_CHARS_MAX),
  options: z.array(Option).min(2).max(6),
  allowFreetext: z.boolean().optional(),
  ...waiting,
});
export type QuestionRequest = z.infer<typeof QuestionRequest>;

/** Waits for what is before a person now; answers with the state of the run in any case. */
export const WaitRequest = ExternalPlace.extend({ ...waiting });
export type WaitRequest = z.infer<typeof WaitRequest>;

export const ProgressRequest = ExternalPlace.extend({
  steps: z
    .array(
      z.strictObject({
        step: z.string(),
        status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
        verifiedCriteria: z.array(z.string()).optional(),
      }),
    )
    .min(1)
    .describe("Steps by their exact text; those left out stay as they are."),
});
export type ProgressRequest = z.infer<typeof ProgressRequest>;

const RunStatus = z.enum(["held", "pending", "asking", "approved"]);

/** Where a run stands: `held` may only read, `approved` may change things, the other two wait for a person. */
const place = {
  status: RunStatus,
  sessionId: z.string(),
  review: z.string().describe("The address of the page on which people decide."),
};

export const CallDecision = z.object({
  decision: z.enum(["allow", "deny"]),
  reason: z.string().describe("One sentence for the agent; empty where the call is allowed."),
  rule: z.string().optional(),
  ...place,
});
export type CallDecision = z.infer<typeof CallDecision>;

export const PlanDecision = z.object({
  outcome: z.enum(["pending", "approved", "rejected", "expired", "withdrawn", "refused"]),
  /** The plan as it was approved, where a person changed its steps. */
  edited: z.string().optional(),
  /** With the accept-edits permission. */
  acceptEdits: z.boolean().optional(),
  /** What the agent should read: feedback, the reason of a refusal, what to do next. */
  message: z.string(),
  ...place,
});
export type PlanDecision = z.infer<typeof PlanDecision>;

export const QuestionAnswer = z.object({
  outcome: z.enum(["pending", "answered", "declined", "expired", "refused"]),
  answer: z.string().optional(),
  message: z.string(),
  ...place,
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

export const RunState = z.object({
  message: z.string(),
  ...place,
  /** While a plan is carried out: the hosts that it names. */
  hosts: z.array(z.string()).optional(),
});
export type RunState = z.infer<typeof RunState>;
