/** What an agent claims about a step, beside what is recorded of it: commands with their exit codes, changed files. */
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../i18n/t.ts";
import { toolIcon, toolName } from "../../chat/tool/tool-name.ts";
import { icon } from "../../parts/icon.ts";
import { inlineText } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";
import type { RunStep } from "./run-of.ts";
import { evidenceFor, type StepCall } from "./step-calls.ts";

type Standing = "open" | "claimed" | "proven" | "failed";
type Shown = { text: string; standing: Standing; evidence: StepCall | undefined };

type Claimed = Pick<RunStep, "criteria" | "status">;

export const stepProof = (step: Claimed, calls: readonly StepCall[]): TemplateResult =>
  html`${criteriaOf(step, calls)} ${callsOf(calls)}`;

/** A claim that a command contradicts is none, whatever the agent says. */
function shownCriterion({ text, verified }: RunStep["criteria"][number], calls: readonly StepCall[]): Shown {
  const evidence = evidenceFor(text, calls);
  const hasFailed = evidence !== undefined && evidence.exitCode !== 0;
  const standing = hasFailed ? "failed" : !verified ? "open" : evidence === undefined ? "claimed" : "proven";
  return { text, standing, evidence };
}

function criteriaOf({ criteria, status }: Claimed, calls: readonly StepCall[]): TemplateResult | typeof nothing {
  if (criteria.length === 0) return nothing;
  const shown = criteria.map((one) => shownCriterion(one, calls));
  const count = (standing: Standing): number => shown.filter((one) => one.standing === standing).length;
  const claimed = criteria.filter(({ verified }) => verified).length;
  return html`<details ?open=${status === "in_progress" || count("failed") > 0}>
    <summary class="small quiet">
      ${t("run.criteria")}: ${t("run.claimedCount", { done: claimed, total: criteria.length })}
      ${count("proven") === 0 ? nothing : html` · ${t("run.provenCount", { count: count("proven") })}`}
      ${count("failed") === 0 ? nothing : html` · <span class="failing">${t("run.failedCount", { count: count("failed") })}</span>`}
    </summary>
    <ul>
      ${shown.map(criterionLine)}
    </ul>
  </details>`;
}

const ICONS = { open: "clock", claimed: "note", proven: "check", failed: "bad" } as const;

const criterionLine = ({ text, standing, evidence }: Shown): TemplateResult =>
  html`<li class="criterion small ${standing}">
    ${icon(ICONS[standing], 14)}
    <span
      >${inlineText(text)}
      <span class="why"
        >${
          evidence?.exitCode !== undefined
            ? t("run.exitCode", { code: evidence.exitCode })
            : standing === "claimed"
              ? t("run.claimed")
              : t("run.notVerified")
        }</span
      ></span
    >
  </li>`;

function callsOf(calls: readonly StepCall[]): TemplateResult | typeof nothing {
  if (calls.length === 0) return nothing;
  const failed = calls.filter(({ isOk }) => !isOk).length;
  return html`<details ?open=${failed > 0}>
    <summary class="small quiet">
      ${t("run.stepCalls")}: ${calls.length}
      ${failed === 0 ? nothing : html`<span class="failing">· ${failed} ${t("chat.call_error")}</span>`}
    </summary>
    <ul class="calls">
      ${calls.map(callLine)}
    </ul>
  </details>`;
}

const callLine = ({ tool, about, isOk, exitCode }: StepCall): TemplateResult =>
  html`<li class="small ${isOk ? "" : "failed"}">
    ${icon(isOk ? toolIcon(tool) : "bad", 14)}
    <span class="grow"><span>${toolName(tool) ?? visibly(tool)}</span> <code>${visibly(about)}</code></span>
    ${
      exitCode === undefined
        ? isOk
          ? nothing
          : html`<span class="failing">${t("chat.call_error")}</span>`
        : html`<span class=${isOk ? "quiet" : "failing"}>${t("run.exitCode", { code: exitCode })}</span>`
    }
  </li>`;
