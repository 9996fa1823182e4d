/** What the agent of the pictures in docs/screens does: a plan for a real job, sent back once, and two other things that wait. */
import type { ModelRequest } from "../../src/agent/model.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { ScriptStep } from "../../src/testing/scripted-model.ts";

const step = (text: string, ...acceptanceCriteria: string[]): JsonObject => ({
  step: text,
  status: "pending",
  acceptanceCriteria,
});

const plan = (...steps: JsonObject[]): JsonObject => ({
  title: "Move the nightly export to 02:30",
  summary:
    "The export runs at 23:00 and collides with the backup. It moves to **02:30 UTC**, retries twice, and tells the team when it fails.",
  analysis: "`jobs/export.ts` is started by the scheduler only; nothing else reads its start time.",
  plan: steps,
  assumptions: ["Nobody reads the export before 05:00."],
  risks: [
    {
      risk: "A long export could run into the morning load.",
      mitigation: "It stops by itself after 90 minutes and reports how far it came.",
    },
  ],
  verification: ["`npm test -- jobs` passes", "A dry run at 02:30 writes the same file as yesterday’s export"],
  references: ["jobs/export.ts", "config/schedule.yaml"],
});

const scoped = (one: JsonObject, scope: JsonObject): JsonObject => ({ ...one, scope });
const JOB = { paths: ["jobs/export.ts"] };

const SCHEDULE = scoped(
  step("Change the start time in `config/schedule.yaml` from 23:00 to 02:30", "The schedule names 02:30 UTC"),
  { paths: ["config/schedule.yaml"] },
);
const RETRY = scoped(
  step("Let the export retry twice, five minutes apart", "A failing export is tried three times in all"),
  JOB,
);
const TELL = scoped(step("Send a message to the team when the last try failed", "One message, with the reason in it"), {
  ...JOB,
  hosts: ["hooks.example.com"],
});
const TEST = scoped(step("Cover both with tests in `jobs/export.test.ts`", "`npm test -- jobs` passes"), {
  paths: ["jobs/export.test.ts"],
  commands: ["npm test -- jobs"],
});
const BACKUP = scoped(
  step("Check first that the backup has ended, and wait for it otherwise", "Export and backup never overlap"),
  JOB,
);

const submit = (args: JsonObject): ScriptStep => ({ calls: [{ tool: "exit_plan_mode", args }] });

const look: ScriptStep = {
  say: "I look at how the export is started before I plan anything.",
  calls: [
    { tool: "grep", args: { pattern: "export", path: "." } },
    { tool: "read", args: { path: "config/schedule.yaml" } },
  ],
};

const JOBS: Readonly<Record<string, readonly ScriptStep[]>> = {
  export: [look, submit(plan(SCHEDULE, RETRY, TELL, TEST)), submit(plan(SCHEDULE, BACKUP, RETRY, TELL, TEST))],
  invoices: [
    {
      calls: [
        {
          tool: "ask_user_question",
          args: {
            question: "Which invoices shall get the new footer?",
            options: [
              { id: "new", label: "Only new ones", description: "Those that were sent stay as they are" },
              { id: "all", label: "All of this year" },
            ],
            allowFreetext: true,
          },
        },
      ],
    },
  ],
  licences: [
    submit({
      title: "Remove two packages that nobody uses",
      plan: [step("Remove both from `package.json`", "`npm ci` passes"), step("Run all tests", "No test fails")],
    }),
  ],
};

/** Each session asks for a job by its name; the number of its answers gives its place in the story. */
export function storyAnswer({ entries }: ModelRequest): ScriptStep {
  const said = JSON.stringify(entries.filter(({ kind }) => kind === "input"));
  const job = Object.keys(JOBS).find((name) => said.includes(name)) ?? "";
  const done = entries.filter(({ kind }) => kind === "assistant").length;
  return JOBS[job]?.[done] ?? { say: "Done." };
}
