/** `exit_plan_mode`: three ways to write a plan, one body that is hashed and submitted. */
import { z } from "zod";
import { Json } from "../../protocol/json.ts";
import { PlanBody, StepStatus } from "../protocol/plan.ts";
import { isBlank, type StateTool, type StateToolContext } from "../../plugins/sdk.ts";
import { Archetype } from "../protocol/template/archetype.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { exampleOf } from "./example-of.ts";
import { planToolsOffered } from "./offered.ts";
import { textSize } from "../machine/text/text-size.ts";
import { planDigest } from "./plan-digest.ts";
import { placeProblem } from "./scope-places.ts";
import { declaredSteps, stepInput } from "./step-input.ts";
import { readPlanFile } from "./plan-file.ts";
import { parsePlanText, PLAN_TEXT_BYTES_MAX } from "./plan-text.ts";
import { SEE_STATUS } from "./plan-mode-status.ts";

const texts = z.array(z.string());

const steps = z.array(
  z.strictObject({
    step: z.string().describe("What is done, in one sentence; steps are told apart by this text."),
    status: StepStatus.optional().describe("pending if left out; at most one in_progress."),
    ...stepInput,
  }),
);

const sections = {
  summary: z.string().optional().describe("What will be different afterwards, in a few sentences."),
  analysis: z.string().optional().describe("What you found out, with the places."),
  assumptions: texts.optional(),
  risks: z.array(z.strictObject({ risk: z.string(), mitigation: z.string() })).optional(),
  verification: texts.optional().describe("How it will be checked that the whole works."),
  references: texts.optional().describe("Files, links and issues that the plan rests on."),
  jobs: z
    .array(
      z.strictObject({
        message: z.string(),
        at: z.string().optional(),
        every_ms: z.int().optional(),
        cron: z.string().optional(),
        tz: z.string().optional(),
        isolated: z.boolean().optional(),
      }),
    )
    .optional()
    .describe(
      "Scheduled jobs that stay when the plan ends: message and one of at, every_ms, cron (with tz), exactly as you will add them with cron. Others that you add end with the plan.",
    ),
};

const NO_TITLE = "required: say in a line what the plan is for, and call exit_plan_mode again with all else as it was";

const input = z.strictObject({
  title: z.string({ error: NO_TITLE }).describe("Required. What the plan is for, in a line of at most 200 characters."),
  plan: steps.optional(),
  final_plan: z
    .string()
    .optional()
    .describe("Instead of plan: the plan as a list in plain text, at most 8 KiB; nested items are criteria."),
  plan_path: z
    .string()
    .optional()
    .describe(
      "Instead of plan: a file inside the workspace, at most 1 MiB; JSON with these fields, or text as in final_plan.",
    ),
  archetype: Archetype.optional().describe(
    "The kind of work, if it is one of these; where a person chose one, it is that one.",
  ),
  ...sections,
  addresses: texts
    .optional()
    .describe("The notes that this revision answers, as they are called in the feedback: n1, n3."),
});
type Input = z.infer<typeof input>;

/** What a plan file may hold: the list of steps alone, or the tool's own fields. */
const PlanFile = z.union([steps, z.strictObject({ plan: steps, title: z.string().optional(), ...sections })]);

type Draft = z.infer<z.ZodObject<typeof sections>> & { plan: z.infer<typeof steps> };
/** `text`: the plan as it was written, where it came as a text. */
type Drafted = { draft: Draft; text?: string } | { error: string };

const NAME = "exit_plan_mode";
const EXAMPLE = {
  title: "Fix the lost reconnect of the uploader",
  summary: "A broken connection is retried three times instead of ending the upload.",
  plan: [
    {
      step: "Retry in src/upload/connect.ts, with a growing pause",
      acceptanceCriteria: ["npm test -- connect passes"],
    },
  ],
  verification: ["an upload survives a restart of the server"],
};
const withExample = (error: string): { error: string } => ({ error: `${error} ${exampleOf(NAME, EXAMPLE)}` });

export const exitPlanMode: StateTool<Input> = {
  name: NAME,
  example: EXAMPLE,
  description:
    "Submit the plan to a person and stop: the turn ends, and you are resumed with the decision. " +
    `Give a title and one of plan (preferred), final_plan or plan_path. Steps hold only what is still to do. ${SEE_STATUS}`,
  input,
  kind: "read_only",
  effect: "state",
  slice: PLAN_MODE_SLICE,
  offered: planToolsOffered,
  async toCommand(args, context) {
    if (isBlank(args.title)) return withExample(`title: ${NO_TITLE}`);
    const drafted = await draftOf(args, context);
    if ("error" in drafted) return drafted;
    const body = bodyOf(args, drafted.draft);
    if ("error" in body) return body;
    const problem = await placeProblem(body.body.plan, context);
    if (problem !== undefined) return { error: `${problem} Correct it and submit again.` };
    const command = { type: "submit", body: Json.parse(body.body), digest: planDigest(body.body) };
    const addresses = args.addresses === undefined ? {} : { addresses: args.addresses };
    const size = drafted.text === undefined ? {} : { size: textSize(drafted.text) };
    return { command: { ...command, ...addresses, ...size } };
  },
};

async function draftOf(
  { title: _title, archetype: _kind, addresses: _notes, plan, final_plan, plan_path, ...given }: Input,
  place: Pick<StateToolContext, "workspace" | "protectedFolders">,
): Promise<Drafted> {
  const ways = [plan, final_plan, plan_path].filter((way) => way !== undefined).length;
  if (ways !== 1) return withExample("Give exactly one of plan, final_plan and plan_path.");
  if (plan !== undefined) return { draft: { ...given, plan } };
  if (final_plan !== undefined) return draftFromText(final_plan, given);
  const file = await readPlanFile(plan_path ?? "", place);
  if ("error" in file) return { error: `plan_path: ${file.error}` };
  const { text } = file;
  const read = file.isJson ? draftFromJson(text) : { draft: parsePlanText(text) };
  return "error" in read ? read : { draft: { ...read.draft, ...given }, ...(file.isJson ? {} : { text }) };
}

function draftFromText(text: string, given: Omit<Draft, "plan">): Drafted {
  if (Buffer.byteLength(text) > PLAN_TEXT_BYTES_MAX) {
    return {
      error: `final_plan may hold ${PLAN_TEXT_BYTES_MAX} bytes. Shorten it, give the steps as plan, or name a file that is already in the workspace as plan_path.`,
    };
  }
  return { draft: { ...parsePlanText(text), ...given }, text };
}

function draftFromJson(text: string): Drafted {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: "plan_path: the file is not valid JSON. Correct it, or give it another ending for plain text." };
  }
  const parsed = PlanFile.safeParse(value);
  if (!parsed.success) return { error: `plan_path: ${explain(parsed.error)}` };
  if (Array.isArray(parsed.data)) return { draft: { plan: parsed.data } };
  const { title: _title, ...draft } = parsed.data;
  return { draft };
}

/** Blank entries are dropped; what is left must be a whole plan. */
function bodyOf(
  { title, archetype }: Pick<Input, "title" | "archetype">,
  draft: Draft,
): { body: PlanBody } | { error: string } {
  const written = draft.plan.filter(({ step }) => !isBlank(step));
  const plan = declaredSteps(written).map(({ acceptanceCriteria, verifiedCriteria, ...step }) => ({
    ...step,
    status: step.status ?? "pending",
    ...list("acceptanceCriteria", acceptanceCriteria),
    ...list("verifiedCriteria", verifiedCriteria),
  }));
  const risks = draft.risks?.filter(({ risk, mitigation }) => !isBlank(risk) || !isBlank(mitigation)) ?? [];
  const parsed = PlanBody.safeParse({
    title,
    ...(archetype === undefined ? {} : { archetype }),
    plan,
    ...text("summary", draft.summary),
    ...text("analysis", draft.analysis),
    ...list("assumptions", draft.assumptions),
    ...(risks.length === 0 ? {} : { risks }),
    ...list("verification", draft.verification),
    ...list("references", draft.references),
    ...(draft.jobs === undefined || draft.jobs.length === 0 ? {} : { jobs: draft.jobs.map(jobOf) }),
  });
  if (plan.length === 0) return withExample("The plan has no steps. Give at least one, as plan[{step}].");
  return parsed.success ? { body: parsed.data } : { error: explain(parsed.error) };
}

/** As a moment, or with the time zone spelled out: what is signed must not depend on the machine that reads it. */
function jobOf({ message, at, every_ms, cron, tz, isolated = false }: NonNullable<Draft["jobs"]>[number]) {
  const when = {
    ...(at === undefined ? {} : { atMs: Date.parse(at) }),
    ...(every_ms === undefined ? {} : { everyMs: every_ms }),
    ...(cron === undefined ? {} : { cron, tz: tz ?? new Intl.DateTimeFormat().resolvedOptions().timeZone }),
  };
  return { message, when, isolated };
}

const text = (name: string, value: string | undefined) =>
  value === undefined || isBlank(value) ? {} : { [name]: value };

function list(name: string, values: readonly string[] | undefined) {
  const kept = values?.filter((value) => !isBlank(value)) ?? [];
  return kept.length === 0 ? {} : { [name]: kept };
}

function explain(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the plan" : issue.path.join(".");
  return `${where}: ${issue?.message ?? "invalid"}. Correct it and submit again.`;
}
