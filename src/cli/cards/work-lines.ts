/** What people decide while a plan is carried out: single steps, amendments, their word for a criterion. */
import { never } from "../../core/never.ts";
import { PERMISSION_MEANINGS } from "../../plan-mode/machine/text/notify-lines.ts";
import { numberRanges } from "../../plan-mode/machine/stage/number-ranges.ts";
import type { PlanEventOf } from "../../plan-mode/protocol/event.ts";
import { scopeLines } from "../../plan-mode/protocol/step/step-lines.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";
import { type Beholder, who } from "./who.ts";

type WorkEvent = PlanEventOf<"plan.staged" | "plan.changed" | "evidence.captured" | "evidence.given" | "plan.amended">;

function noted(text: string, { look: { columns, paint } }: Beholder): string[] {
  return hang(`${MARKS.note} `, text, columns).map(paint.quiet);
}

/** Rules that people set for all that follows. */
export function ruleLines(event: PlanEventOf<"plan.auto_set" | "permission.set">, beholder: Beholder): string[] {
  const name = who(event.by, beholder);
  if (event.type === "permission.set")
    return noted(`${name} set permissions to ${event.mode}: ${PERMISSION_MEANINGS[event.mode]}.`, beholder);
  const how = event.enabled ? "on: plans are approved by rule" : "off";
  return noted(`${name} switched automatic approval ${how}.`, beholder);
}

export function workLines(event: WorkEvent, beholder: Beholder): string[] {
  const note = (text: string): string[] => noted(text, beholder);
  switch (event.type) {
    case "plan.changed":
    case "evidence.captured":
      return []; // the calls tell it
    case "plan.staged": {
      const { by, released, held, skipped = [] } = event;
      const what = released !== undefined ? "accepted" : held !== undefined ? "held" : "skipped";
      return note(`${who(by, beholder)} ${what} steps ${numberRanges(released ?? held ?? skipped)}.`);
    }
    case "plan.amended": {
      const { by, add } = event.amendment;
      return note(`${who(by, beholder)} amended the plan: ${scopeLines(add).map(sanitiseLine).join("; ")}.`);
    }
    case "evidence.given": {
      const { evidence } = event;
      if (evidence.kind !== "word" && evidence.kind !== "waiver") return [];
      const what = evidence.kind === "word" ? "confirmed" : "waived the proof of";
      return note(`${who(evidence.by, beholder)} ${what} "${sanitiseLine(evidence.criterion)}".`);
    }
    default:
      return never(event);
  }
}
