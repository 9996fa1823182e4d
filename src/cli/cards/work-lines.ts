/** What people decide while a plan is carried out: single steps, amendments, their word for a criterion. */
import { never } from "../../core/never.ts";
import { numberRanges } from "../../plan-mode/machine/stage/number-ranges.ts";
import type { PlanEventOf } from "../../plan-mode/protocol/event.ts";
import { scopeLines } from "../../plan-mode/protocol/step/step-lines.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import { MARKS } from "./marks.ts";
import { type Beholder, who } from "./who.ts";

type WorkEvent = PlanEventOf<"plan.staged" | "plan.changed" | "evidence.captured" | "evidence.given" | "plan.amended">;

export function workLines(event: WorkEvent, beholder: Beholder): string[] {
  const { columns, paint } = beholder.look;
  const note = (text: string): string[] => hang(`${MARKS.note} `, text, columns).map(paint.quiet);
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
