/** Describes the state of plan mode in a few lines for `/plan status`. */
import type { PlanModeState } from "../protocol/state.ts";
import { progressOf } from "../../protocol/card/card.ts";
import type { PlanStep } from "../protocol/plan.ts";
import { lines, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { numberRanges } from "../machine/stage/number-ranges.ts";
import { permissionOf } from "../machine/permission/permission.ts";
import { reasonWords, ruleWords } from "../machine/text/rule-words.ts";
import { oneLine } from "../../plugins/sdk.ts";

/** Where the session stands, in a few lines; what a rule decided is told apart from what a person did. */
export function statusWords(state: PlanModeState): LocalizedText {
  const { now, auto, question } = state;
  const stands = { mode: localized(`mode_${now.mode}`), approval: localized(`approval_${now.approval}`) };
  const mode = permissionOf(state);
  const parts = [
    auto ? localized("statusModeAuto", stands) : localized("statusMode", stands),
    now.mode === "plan" ? localized("statusPermissionsPlan", { mode }) : localized("statusPermissions", { mode }),
  ];
  parts.push(...holdLines(state));
  if (now.phase !== "off") {
    const { enteredAtMs, reason } = now.cycle;
    parts.push(localized("statusEntered", { enteredAtMs, reason: reasonWords(oneLine(reason)) }));
  }
  if (now.phase === "pending") {
    const { planId, title, deadlineAtMs } = now.submission;
    parts.push(localized("statusWaiting", { deadlineAtMs, title: oneLine(title), planId }));
  }
  parts.push(...reviewLines(state));
  if (now.phase === "executing" || now.phase === "rejected") {
    const { decidedBy } = now;
    parts.push(
      decidedBy.kind === "policy"
        ? localized("statusDecidedByRule", { rule: ruleWords(decidedBy) })
        : localized("statusDecided", { name: oneLine(decidedBy.name) }),
    );
  }
  const total = now.steps.length;
  if (total > 0) parts.push(statusSteps(now.steps));
  if (now.phase === "executing" && now.held !== undefined) {
    const steps = numberRanges(now.held);
    parts.push(localized("statusStepsHeld", { steps, command: `/plan accept ${steps.replaceAll(" ", "")}` }));
  }
  if (question !== null) parts.push(localized("statusQuestion", { deadlineAtMs: question.deadlineAtMs }));
  return lines(parts);
}

/** That it is held, and who has signed to lift it or to ask less. */
function holdLines({ held, loosening }: PlanModeState): LocalizedText[] {
  const hold = held === undefined ? [] : [localized("statusHeld", { name: oneLine(held.by.name) })];
  if (loosening === undefined) return hold;
  const { signatures, needs } = loosening;
  const names = signatures.map(({ by }) => oneLine(by.name)).join(", ");
  return [...hold, localized("statusSigned", { signed: signatures.length, quorum: needs.quorum, names })];
}

/** Who has signed, who is missing, and how many notes are open. */
function reviewLines({ now, review }: PlanModeState): LocalizedText[] {
  const open = review?.notes.filter(({ resolved }) => resolved === null).length ?? 0;
  const notes = open === 0 ? [] : [localized("statusNotes", { open })];
  if (now.phase !== "pending" && now.phase !== "rejected") return notes;
  const { needs, signatures = [] } = now;
  if (needs === undefined) return notes;
  const { quorum, missing } = needs;
  const names = signatures.map(({ by }) => oneLine(by.name)).join(", ");
  const signed = signatures.length;
  return [
    signed === 0 ? localized("statusUnsigned", { quorum }) : localized("statusSigned", { signed, quorum, names }),
    ...(missing.length === 0 ? [] : [localized("statusMaySign", { names: missing.map(oneLine).join(", ") })]),
    ...notes,
  ];
}

function statusSteps(steps: readonly PlanStep[]): LocalizedText {
  const { done, cancelled: dropped, all: total } = progressOf(steps);
  return dropped === 0
    ? localized("statusSteps", { done, total })
    : localized("statusStepsDropped", { done, dropped, total });
}
