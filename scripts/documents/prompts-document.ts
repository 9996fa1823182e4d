/** docs/PROMPTS.md: everything that an agent is told, in the order in which it reads it, written by the code that tells it. */
import { overlaysFor } from "../../src/agent/prompt/overlays.ts";
import { RULES } from "../../src/agent/prompt/rules.ts";
import { contextTexts } from "../../src/agent/prompt/system-prompt.ts";
import { returnText, taskText } from "../../src/agent/sub-agents/texts.ts";
import { ApprovalId, CycleId, PlanId, QuestionId } from "../../src/protocol/ids.ts";
import type { By } from "../../src/protocol/actor.ts";
import type { HeldCall, PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { deniedText, grantedText } from "../../src/plan-mode/machine/text/grant-text.ts";
import { nudgeText } from "../../src/plan-mode/machine/text/nudge-text.ts";
import { preservedText, statusText } from "../../src/plan-mode/machine/text/status-text.ts";
import * as texts from "../../src/plan-mode/machine/text/texts.ts";
import { ACCEPT_EDITS_PROMPT, EXECUTING_PROMPT } from "../../src/plan-mode/prompts/executing.ts";
import { archetypePrompt } from "../../src/plan-mode/prompts/archetypes.ts";
import { Archetype } from "../../src/plan-mode/protocol/template/archetype.ts";
import { PLANNING_PROMPT } from "../../src/plan-mode/prompts/planning.ts";
import { bundledHost } from "./bundled-host.ts";

type Part = { name: string; when: string; whom: string; text: string };

const CHARS_PER_TOKEN = 4;

export const promptsDocument = (): string =>
  [
    INTRODUCTION,
    section("1. The system prompt", SYSTEM_HEAD, systemParts()),
    section("2. Notes at the start of a turn", NOTES_HEAD, noteParts()),
    section("3. Answers of the plan tools", "The last line of a result: what the agent does next.\n", answerParts()),
    section(
      "4. The tools of bundled plugins",
      "Sent with every request as the tool's description; its schema comes from the code.\n",
      toolParts(),
    ),
  ].join("\n");

const INTRODUCTION = `# What an agent is told

Made by \`npm run fix\` from the code that sends it; \`npm run check\` fails when it is out of date. The texts below hold
sample names (Alice, *Fix the reconnect*). Sizes are characters, and tokens at ${CHARS_PER_TOKEN} characters each, rounded up.

The stack, from the outside to the inside:

1. **The system prompt**: what stays the same from turn to turn stands first, so that a provider's cache holds it. The
   mode of the session comes last: entering or leaving plan mode changes only the end.
2. **The conversation**, shortened when it grows too long; the active steps of a plan return as a statement of fact.
3. **Notes at the start of a turn**, written by the gateway alone, in brackets: decisions, answers, the state of the plan.
   Whatever people, files or other agents wrote is quoted inside them and cannot end them.
4. **Descriptions and answers of tools.** An answer that refuses says what would be right, with an example.

None of these texts protects anything: the gate judges each call by the stored state ([SECURITY.md](../SECURITY.md)).
They only spare the agent refusals, and people bad plans. How to write a plan is in the skill
[plan-mode-101](guides/plan-mode-101/SKILL.md).
`;

const SYSTEM_HEAD = "In this order; a part without text is left out.\n";
const NOTES_HEAD = `Delivered once, before the person's own words: by priority (a decision first), then by age. The state of the plan
comes in each executing turn.
`;

const alice: By = { kind: "operator", id: "opr_alice", name: "Alice" };
const cycle = {
  id: CycleId.parse("cyc_1"),
  enteredAtMs: 0,
  enteredBy: alice,
  reason: "operator",
  rejectionCount: 1,
  revisionCount: 1,
};
const steps = [
  {
    step: "Retry in src/upload/connect.ts, with a growing pause",
    status: "pending" as const,
    acceptanceCriteria: ["npm test -- connect passes"],
  },
];
const submission = {
  planId: PlanId.parse("pln_1"),
  approvalId: ApprovalId.parse("apr_1"),
  revision: 1,
  digest: "",
  title: "Fix the reconnect",
  steps,
  submittedAtMs: 0,
  deadlineAtMs: 0,
};
const exploring: PlanModeState = {
  now: { phase: "exploring", mode: "plan", approval: "none", cycle, steps },
  auto: false,
  question: null,
};
const executing: PlanModeState = {
  now: {
    phase: "executing",
    mode: "executing",
    approval: "approved",
    cycle,
    steps,
    submission,
    decidedBy: alice,
    decidedAtMs: 0,
  },
  auto: false,
  question: null,
};
const call: HeldCall = {
  gate: "accept-edits",
  tool: "exec",
  kind: "bash",
  argsDigest: "",
  folder: "/work",
  rule: "removes",
  matched: "rm -r build",
};

const sampleContext = {
  files: [{ name: "AGENTS.md", text: "(the file)" }],
  skills: [{ name: "plan-mode-101", description: "How to plan." }],
};
const fence = (text: string, name: string): string => `<untrusted-… from="${name}">\n${text}\n</untrusted-…>`;

const overlay = (model: string): Part => ({
  name: `Overlay for ${model}`,
  when: "always, for a model whose id matches",
  whom: `models named like ${model}`,
  text: overlaysFor(model, []).join("\n\n"),
});

const systemParts = (): Part[] => [
  { name: "Rules", when: "always, first", whom: "every agent", text: RULES },
  ...["gpt", "gemini", "llama"].map(overlay),
  {
    name: "Workspace, files, skills",
    when: "always; files and skills where there are any",
    whom: "every agent",
    text: ["Workspace: /work", ...contextTexts(sampleContext, fence)].join("\n\n"),
  },
  { name: "Planning", when: "the session is in plan mode", whom: "the agent of the session", text: PLANNING_PROMPT },
  ...Archetype.options.map((kind) => ({
    name: `Planning: ${kind}`,
    when: "behind Planning, where this kind of plan was chosen",
    whom: "the agent of the session",
    text: archetypePrompt(kind),
  })),
  { name: "Executing", when: "a plan is approved", whom: "agents", text: EXECUTING_PROMPT },
  {
    name: "Approved with edits",
    when: "behind Executing, after an approval with edits",
    whom: "agents",
    text: ACCEPT_EDITS_PROMPT,
  },
];

const decided = { submission, decidedBy: alice, signatures: [] };
const answer = {
  type: "question.answered",
  questionId: QuestionId.parse("qst_1"),
  answer: "Keep it",
  optionId: "keep",
  by: alice,
  atMs: 0,
} as const;

const noteParts = (): Part[] => [
  note("Approved", "a plan was approved", texts.approvedText({ ...decided, approval: "approved" })),
  note("Approved with edits", "a plan was approved with edits", texts.approvedText({ ...decided, approval: "edited" })),
  note(
    "Rejected",
    "a plan was rejected",
    texts.rejectedText({ submission, feedback: "Too big.", decidedBy: alice, cycle }),
  ),
  note("Timed out", "nobody decided before the deadline", texts.timedOutText({ submission })),
  note("Complete", "every step is closed", texts.completeText(submission.title, steps)),
  note("Answer", "a question was answered", texts.answerText(answer)),
  note("No answer", "the deadline of a question passed", texts.unansweredText("qst_1")),
  note("Declined", "the person declined to answer", texts.notAnsweredText("qst_1", "declined", "")),
  note(
    "Allowed once",
    "a person let one held call pass",
    grantedText("qst_1", { id: "gra_1", call, by: alice, atMs: 0, untilMs: 0 }),
  ),
  note("Denied", "a person said no to a held call", deniedText("qst_1", call)),
  note(
    "Return",
    "a sub-agent is done",
    returnText({ id: "ses_2", title: "Look at the tests" }, { outcome: "done", text: "All green." }),
  ),
  note("Task", "a sub-agent begins", taskText("Look at the tests.")),
  note("Introduction", "the first turn in plan mode", texts.introText("operator")),
  note("Nudge while planning", "nothing came for a while", nudgeText(exploring, 10)),
  note("Nudge while executing", "no step moved for a while", nudgeText(executing, 10)),
  note("State of the plan", "each executing turn", statusText(executing).join("\n")),
  note("After a summary", "the conversation was shortened", preservedText(executing).join("\n")),
];

const note = (name: string, when: string, text: string): Part => ({
  name,
  when,
  whom: "the agent of the session",
  text,
});

const answerParts = (): Part[] => [
  note("enter_plan_mode", "plan mode was entered", texts.ENTER_INSTRUCTIONS),
  note("exit_plan_mode", "the plan waits for a person", texts.SUBMIT_INSTRUCTIONS),
  note("exit_plan_mode, by rule", "a rule approved the plan", texts.UNLOCKED_INSTRUCTIONS),
  note("ask_user_question", "the question waits for a person", texts.ASK_INSTRUCTIONS),
];

const toolParts = (): Part[] =>
  bundledHost().tools.map(({ name, description }) => note(name, "where its plugin is on", description));

const tokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

const row = ({ name, when, whom, text }: Part, index: number): string =>
  `| ${index + 1} | ${name} | ${when} | ${whom} | ${text.length} | ${tokens(text)} |`;

const block = ({ name, text }: Part): string => `### ${name}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`;

const section = (title: string, head: string, parts: readonly Part[]): string =>
  [
    `## ${title}\n`,
    head,
    "| | part | when | for whom | chars | tokens |\n| --- | --- | --- | --- | --- | --- |",
    ...parts.map(row),
    "",
    ...parts.map(block),
  ].join("\n");
