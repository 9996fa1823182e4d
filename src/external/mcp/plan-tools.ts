/** The plan tools as an MCP client sees them, and the line that each call of one becomes (IG-01). */
import { z } from "zod";
import type { ExternalPlace } from "../../protocol/external/decisions.ts";
import { JsonObject } from "../../protocol/json.ts";

/** Clients cut a call off at five minutes; whoever wants to wait longer asks again. */
const MCP_WAIT_SECONDS_MAX = 240;
const WAIT_SECONDS = 60;

const run = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("The run that a refusal named; leave it out where none was named.");
const waitSeconds = z
  .int()
  .min(0)
  .max(MCP_WAIT_SECONDS_MAX)
  .optional()
  .describe(`How long to wait for the person in this call, at most ${MCP_WAIT_SECONDS_MAX} seconds.`);

const SubmitPlan = z.strictObject({
  title: z.string().min(1).max(200).describe("What the plan is for, in one line."),
  plan: z
    .string()
    .min(1)
    .max(200_000)
    .describe("The plan as Markdown: its steps as a list, with all that a person needs to judge them."),
  wait_seconds: waitSeconds,
  run,
});
const AskPerson = z.strictObject({
  question: z.string().min(1).max(4_000).describe("One question that only a person can answer."),
  options: z.array(z.string().min(1)).min(2).max(6),
  allow_freetext: z.boolean().optional(),
  wait_seconds: waitSeconds,
  run,
});
const WaitForDecision = z.strictObject({ wait_seconds: waitSeconds, run });
const UpdatePlan = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        step: z.string().min(1).describe("The text of the step, word for word."),
        status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
        verified_criteria: z.array(z.string()).optional(),
      }),
    )
    .min(1),
  run,
});

/** The words of one asker: which run, and what is asked. */
type Line = { run?: string | undefined; line: JsonObject };

type PlanTool = { description: string; input: z.ZodType; isReading: boolean; toLine(args: unknown): Line };

const waitMs = (seconds: number | undefined, usual: number): number => (seconds ?? usual) * 1_000;

const TOOLS: Readonly<Record<string, PlanTool>> = {
  submit_plan: {
    description:
      "Submit your plan to a person before you change anything. Answers at once with the address where it is reviewed; then call wait_for_decision until it is decided. Nothing may be changed before it is approved.",
    input: SubmitPlan,
    isReading: false,
    toLine(args) {
      const { title, plan, wait_seconds, run: named } = SubmitPlan.parse(args);
      return { run: named, line: { do: "plan", plan: { title, text: plan }, waitMs: waitMs(wait_seconds, 0) } };
    },
  },
  wait_for_decision: {
    description:
      "Wait for the decision on your plan, or for the answer to your question. While it says pending, call it again. It also says where the run stands.",
    input: WaitForDecision,
    isReading: true,
    toLine(args) {
      const { wait_seconds, run: named } = WaitForDecision.parse(args);
      return { run: named, line: { do: "wait", waitMs: waitMs(wait_seconds, WAIT_SECONDS) } };
    },
  },
  ask_person: {
    description: "Ask a person a question with two to six options. Then call wait_for_decision until it is answered.",
    input: AskPerson,
    isReading: false,
    toLine(args) {
      const { question, options, allow_freetext, wait_seconds, run: named } = AskPerson.parse(args);
      const freetext = allow_freetext === undefined ? {} : { allowFreetext: allow_freetext };
      return { run: named, line: { do: "question", question, options, ...freetext, waitMs: waitMs(wait_seconds, 0) } };
    },
  },
  update_plan: {
    description:
      "Report how far you are with an approved plan. When every step is completed or cancelled the plan is done, and nothing may be changed any more.",
    input: UpdatePlan,
    isReading: false,
    toLine(args) {
      const { steps, run: named } = UpdatePlan.parse(args);
      const plain = steps.map(({ verified_criteria, ...step }) => ({
        ...step,
        ...(verified_criteria === undefined ? {} : { verifiedCriteria: verified_criteria }),
      }));
      return { run: named, line: { do: "progress", steps: plain } };
    },
  },
};

/** As `tools/list` answers. */
export const planToolList = (): JsonObject[] =>
  Object.entries(TOOLS).map(([name, { description, input, isReading }]) => {
    const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
    const annotations = { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false };
    return { name, description, inputSchema: JsonObject.parse(inputSchema), annotations };
  });

/** A text: what is wrong with the call. */
export function planToolLine(name: string, args: unknown, place: ExternalPlace): JsonObject | string {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return `There is no tool ${name}. There are: ${Object.keys(TOOLS).join(", ")}.`;
  const parsed = tool.input.safeParse(args ?? {});
  if (!parsed.success) return `${name}: ${z.prettifyError(parsed.error).slice(0, 500)}`;
  const { run: named, line } = tool.toLine(parsed.data);
  return JsonObject.parse({ ...line, ...place, ...(named === undefined ? {} : { session: named }) });
}
