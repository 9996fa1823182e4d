/** Plans as agents write them for real work, by another hand: `test/corpora/plans`. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PlanBody } from "../../src/plan-mode/protocol/plan.ts";

const FOLDER = resolve(import.meta.dirname, "../corpora/plans");

export const PLANS = {
  payments: "01-payments-migration",
  incident: "02-kubernetes-incident",
  german: "03-datenschutz-loeschkonzept",
  refactor: "04-monorepo-refactor",
  hostile: "05-hostile-markdown",
} as const;

/** The arguments of the `exit_plan_mode` that submits it. */
export function realisticPlan(name: keyof typeof PLANS): PlanBody {
  const { title, plan, summary, analysis, assumptions, risks, verification, references } = JSON.parse(
    readFileSync(join(FOLDER, `${PLANS[name]}.json`), "utf8"),
  ) as PlanBody;
  return PlanBody.parse({ title, plan, summary, analysis, assumptions, risks, verification, references });
}
