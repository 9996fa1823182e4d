/** Two revisions of one plan, with everything in them that a review shows. */
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PlanStep } from "../../src/plan-mode/protocol/plan.ts";

export const step = (text: string, ...acceptanceCriteria: string[]): PlanStep => ({
  step: text,
  status: "pending",
  ...(acceptanceCriteria.length === 0 ? {} : { acceptanceCriteria }),
});

export const first = {
  title: "Move the export job to Sunday night",
  summary: "The export runs on **Sunday** instead of Friday, so that nobody waits for the reports on a working day.",
  analysis:
    "The schedule stands in `jobs/export.yaml`.\n\n- Two teams read the reports.\n- The old time is written down in one more place, `docs/reports.md`.",
  plan: [
    step("Read `jobs/export.yaml` and note the current schedule", "the time zone is known"),
    step("Change the schedule to Sunday 23:00", "the file is valid YAML", "one line is changed"),
    step("Update `docs/reports.md` after step 2"),
    step("Tell both teams by mail (after steps 2 and 3)"),
  ],
  assumptions: ["Nobody depends on the reports on Saturday."],
  risks: [{ risk: "The backup runs at the same time", mitigation: "Start the export half an hour later" }],
  verification: ["`cron --dry-run` names Sunday 23:00"],
  references: ["jobs/export.yaml", "docs/reports.md"],
} satisfies JsonObject;

export const second = {
  ...first,
  summary: "The export runs on **Sunday** at 23:30 instead of Friday.",
  plan: [
    first.plan[0],
    step("Change the schedule to Sunday 23:30", "the file is valid YAML", "one line is changed"),
    step("Tell both teams by mail"),
    step("Update `docs/reports.md` after step 2"),
    step("Check the first run on Monday"),
  ],
  addresses: ["n1", "n2"],
} as JsonObject;
