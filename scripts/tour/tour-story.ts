/** What the agent of the tour does: a long plan that waits, a question, a plan in the middle of its work, and one that is done. */
import type { ModelRequest } from "../../src/agent/model.ts";
import { JsonObject } from "../../src/protocol/json.ts";
import type { ScriptStep } from "../../src/testing/scripted-model.ts";
import { realisticPlan } from "../../test/browser/realistic-plans.ts";
import { uglyPlan } from "../../test/browser/ugly-plan.ts";

const call = (tool: string, args: JsonObject): ScriptStep => ({ calls: [{ tool, args }] });
const update = (...plan: JsonObject[]): ScriptStep => call("update_plan", { merge: true, plan });

const proven = (criterion: string, command: string): JsonObject => ({ criterion, proof: { by: "command", command } });

const WRITE: JsonObject = {
  step: "Write `services/exports/src/schedule.ts` with the new start time",
  id: "write",
  scope: { paths: ["services/exports/", "config/schedule.yaml"], commands: ["sh check.sh"] },
  acceptanceCriteria: [
    proven("`sh check.sh` finds the new start time", "sh check.sh"),
    { criterion: "The file names 02:30", proof: { by: "file", path: "config/schedule.yaml", contains: "02:30" } },
  ],
};
const REVIEW: JsonObject = {
  step: "Ask the team whether nobody reads the export before 05:00",
  dependsOn: ["write"],
  acceptanceCriteria: [{ criterion: "Somebody of the team says so", proof: { by: "person" } }],
};
const NOTE: JsonObject = {
  step: "Add a line to `docs/operations/nightly-exports-and-backups.md`",
  scope: { paths: ["docs/"] },
  acceptanceCriteria: ["The line names the new time"],
};
const EXPORTS: JsonObject = {
  title: "Move the nightly export to 02:30",
  summary: "The export runs at 23:00 and collides with the backup. It moves to **02:30 UTC**.",
  plan: [WRITE, REVIEW, NOTE],
  verification: ["`sh check.sh` ends with 0"],
};

const text = ({ step }: JsonObject): string => (typeof step === "string" ? step : "");
const begun = (step: JsonObject): JsonObject => ({ step: text(step), status: "in_progress" });
const done = (step: JsonObject, ...verifiedCriteria: string[]): JsonObject => ({
  step: text(step),
  status: "completed",
  verifiedCriteria,
});

const work: readonly ScriptStep[] = [
  call("exit_plan_mode", EXPORTS),
  update(begun(WRITE)),
  call("exec", { command: "sh check.sh" }),
  call("write", { path: "config/schedule.yaml", content: 'export:\n  at: "02:30"\nbackup:\n  at: "23:00"\n' }),
  call("write", { path: "services/exports/src/schedule.ts", content: 'export const AT = "02:30";\n' }),
  call("exec", { command: "sh check.sh" }),
  call("read", { path: "config/schedule.yaml" }),
  update(done(WRITE, "`sh check.sh` finds the new start time", "The file names 02:30")),
];

const rest: readonly ScriptStep[] = [
  update(begun(REVIEW)),
  { say: "Please confirm the second step." },
  update(done(REVIEW, "Somebody of the team says so")),
  update(begun(NOTE)),
  call("write", {
    path: "docs/operations/nightly-exports-and-backups.md",
    content: "# Nightly exports\n\nThe export starts at 02:30 UTC.\n",
  }),
  update(done(NOTE, "The line names the new time")),
  { say: "Done." },
];

const QUESTION = call("ask_user_question", {
  question: "Which invoices shall get the new footer?",
  options: [
    { id: "new", label: "Only new ones", description: "Those that were sent stay as they are" },
    { id: "all", label: "All of this year" },
  ],
  allowFreetext: true,
});

const submits = (name: "payments" | "refactor"): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: JsonObject.parse(realisticPlan(name)) }],
});

const JOBS: Readonly<Record<string, readonly ScriptStep[]>> = {
  payments: [submits("payments")],
  refactor: [submits("refactor")],
  ugly: [call("exit_plan_mode", JsonObject.parse(uglyPlan()))],
  invoices: [QUESTION],
  running: [...work, { say: "The first step is done.", until: new Promise(() => undefined) }],
  finished: [...work, ...rest],
};

/** Each session asks for a job by its name; the number of its answers gives its place in the story. */
export function tourAnswer({ entries }: ModelRequest): ScriptStep {
  const asked = JSON.stringify(entries.filter(({ kind }) => kind === "input"));
  const name = Object.keys(JOBS).find((job) => asked.includes(`[${job}]`)) ?? "";
  const answers = entries.filter(({ kind }) => kind === "assistant").length;
  return JOBS[name]?.[answers] ?? { say: "All right." };
}
