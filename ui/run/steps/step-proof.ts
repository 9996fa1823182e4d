/** What an agent claims about a step, beside what is recorded of it: evidence, commands with their exit codes, changed files. */
import { html, nothing, type TemplateResult } from "lit";
import type { Proof } from "../../../src/plan-mode/protocol/step/proof.ts";
import { numberMark } from "../../../src/plan-mode/protocol/step/criterion-number.ts";
import { plainLine } from "../../../src/protocol/text/inline-markdown.ts";
import { t } from "../../i18n/t.ts";
import { toolIcon, toolName } from "../../chat/tool/tool-name.ts";
import { icon } from "../../parts/icon.ts";
import { type CallLink, proofLines } from "../../proof/proof-lines.ts";
import { inlineText } from "../../text/inline-text.ts";
import { visibly } from "../../text/visibly.ts";
import type { RunCriterion, RunStep } from "./run-of.ts";
import { evidenceFor, type StepCall } from "./step-calls.ts";

type Standing = "open" | "claimed" | "proven" | "earlier" | "failed" | "outdated" | "waived";
type Shown = {
  id: string;
  number: string;
  criterion: RunCriterion;
  standing: Standing;
  evidence: StepCall | undefined;
};

type Claimed = Pick<RunStep, "criteria" | "status">;

/** `goTo` brings another part of the view into sight, by its id; `vouch` lets a person answer for what is not proven. */
export type StepPlace = {
  number: number;
  calls: readonly StepCall[];
  goTo(id: string): void;
  vouch?(proof: Proof): TemplateResult;
};

export function stepProof(step: Claimed, place: StepPlace): TemplateResult {
  const shown = step.criteria.map((criterion, at) => ({
    ...shownCriterion(criterion, at + 1, place),
    number: numberMark(step.criteria, { step: place.number, criterion: at + 1 }),
  }));
  return html`${criteriaOf(step, shown, place)} ${callsOf(shown, place)}`;
}

/** A claim that a command contradicts is none, whatever the agent says. */
function shownCriterion(criterion: RunCriterion, at: number, { number, calls }: StepPlace): Omit<Shown, "number"> {
  const id = `criterion-${number}-${at}`;
  const { text, verified, proof } = criterion;
  const claimed = verified ? "claimed" : "open";
  if (proof !== undefined) {
    const { standing = "missing" } = proof.seen ?? {};
    return { id, criterion, standing: standing === "missing" ? claimed : standing, evidence: undefined };
  }
  const evidence = evidenceFor(text, calls);
  if (evidence === undefined || (!verified && evidence.exitCode === 0))
    return { id, criterion, standing: claimed, evidence };
  return { id, criterion, standing: evidence.exitCode === 0 ? "proven" : "failed", evidence };
}

function criteriaOf(
  { criteria, status }: Claimed,
  shown: readonly Shown[],
  place: StepPlace,
): TemplateResult | typeof nothing {
  if (criteria.length === 0) return nothing;
  const count = (standing: Standing): number => shown.filter((one) => one.standing === standing).length;
  const claimed = criteria.filter(({ verified }) => verified).length;
  const proven = count("proven") + count("earlier");
  const isProvable = criteria.some(({ proof }) => proof !== undefined); // what proves it is shown without a click
  return html`<details ?open=${status === "in_progress" || count("failed") > 0 || (isProvable && status !== "pending")}>
    <summary class="small quiet">
      ${t("run.criteria")}: ${t("run.claimedCount", { done: claimed, total: criteria.length })}
      ${proven === 0 ? nothing : html` · ${t("proof.provenCount", { count: proven })}`}
      ${(["outdated", "waived"] as const).map((one) =>
        count(one) === 0 ? nothing : html` · ${count(one)} ${t(`proof.standing_${one}`)}`,
      )}
      ${count("failed") === 0 ? nothing : html` · <span class="failing">${t("run.failedCount", { count: count("failed") })}</span>`}
    </summary>
    <ul>
      ${shown.map((one) => criterionLine(one, place))}
    </ul>
  </details>`;
}

const ICONS = {
  open: "clock",
  claimed: "note",
  proven: "check",
  earlier: "check",
  failed: "bad",
  outdated: "clock",
  waived: "sign",
} as const;

/** Where a person can still say that it holds, or let the step close without a proof. */
const UNPROVEN: ReadonlySet<Standing> = new Set(["open", "claimed", "failed", "outdated"]);

const criterionLine = ({ id, number, criterion, standing, evidence }: Shown, place: StepPlace): TemplateResult =>
  html`<li class="criterion small ${standing}" id=${id} tabindex="-1">
    ${icon(ICONS[standing], 14)}
    <div>
      ${number === "" ? nothing : html`<span class="quiet">${number}</span>`}${inlineText(criterion.text)}
      ${
        criterion.proof !== undefined
          ? html`${proofLines(criterion.proof, (callId) => toCall(callId, place))}
            ${UNPROVEN.has(standing) ? place.vouch?.(criterion.proof.proof) : nothing}`
          : html`<span class="why"
              >${
                evidence?.exitCode !== undefined
                  ? linkOr(t("run.exitCode", { code: evidence.exitCode }), toCall(evidence.callId, place))
                  : standing === "claimed"
                    ? t("run.claimed")
                    : t("run.notVerified")
              }</span
            >`
      }
    </div>
  </li>`;

/** Only to what is listed here. */
function toCall(callId: string, { calls, goTo }: StepPlace): CallLink | undefined {
  return calls.some((call) => call.callId === callId) ? link(`call-${callId}`, goTo) : undefined;
}

const link = (id: string, goTo: StepPlace["goTo"]): CallLink => ({
  href: `#${id}`,
  onGo: (event) => {
    event.preventDefault();
    goTo(id);
  },
});

const linkOr = (text: string, to: CallLink | undefined): TemplateResult | string =>
  to === undefined ? text : html`<a href=${to.href} @click=${to.onGo}>${text}</a>`;

function callsOf(shown: readonly Shown[], place: StepPlace): TemplateResult | typeof nothing {
  const { calls } = place;
  if (calls.length === 0) return nothing;
  const failed = calls.filter(({ isOk }) => !isOk).length;
  return html`<details ?open=${failed > 0}>
    <summary class="small quiet">
      ${t("run.stepCalls")}: ${calls.length}
      ${failed === 0 ? nothing : html`<span class="failing">· ${failed} ${t("chat.call_error")}</span>`}
    </summary>
    <ul class="calls">
      ${calls.map((call) => callLine(call, shown.filter(isProvenBy(call)), place))}
    </ul>
  </details>`;
}

const isProvenBy =
  ({ callId }: StepCall) =>
  ({ criterion: { proof }, evidence }: Shown): boolean => {
    const seen = proof?.seen?.evidence;
    return evidence?.callId === callId || (seen !== undefined && "callId" in seen && seen.callId === callId);
  };

const callLine = (
  { callId, tool, about, isOk, exitCode }: StepCall,
  proves: readonly Shown[],
  { goTo }: StepPlace,
): TemplateResult =>
  html`<li class="small ${isOk ? "" : "failed"}" id="call-${callId}" tabindex="-1">
    ${icon(isOk ? toolIcon(tool) : "bad", 14)}
    <span class="grow"><span>${toolName(tool) ?? visibly(tool)}</span> <code>${visibly(about)}</code></span>
    ${
      exitCode === undefined
        ? isOk
          ? nothing
          : html`<span class="failing">${t("chat.call_error")}</span>`
        : html`<span class=${isOk ? "quiet" : "failing"}>${t("run.exitCode", { code: exitCode })}</span>`
    }
    ${proves.map(({ id, criterion }) => {
      const { href, onGo } = link(id, goTo);
      return html`<a class="back" href=${href} @click=${onGo}
        >${t("proof.proves", { criterion: visibly(plainLine(criterion.text)) })}</a
      >`;
    })}
  </li>`;
