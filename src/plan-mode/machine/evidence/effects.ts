/** Effects of what was seen and of what people vouch for: audit facts, and text for the agent where a person spoke. */
import { INJECTION_PRIORITIES } from "../../../protocol/injection.ts";
import { Json } from "../../../protocol/json.ts";
import { defuseLine, type Effect } from "../../../plugins/sdk.ts";
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { localized } from "../../texts/localized.ts";
import { auditEffect, byKey, notifyEffect, presenceKey } from "../effect-parts.ts";

const LINE_CHARS_MAX = 500;

export function capturedEffects({ evidence }: PlanEventOf<"evidence.captured">): Effect[] {
  return [auditEffect("evidence.captured", { evidence: Json.parse(evidence) })];
}

export function givenEffects({ now }: PlanModeState, event: PlanEventOf<"evidence.given">): Effect[] {
  const { evidence, digest, atMs } = event;
  if (evidence.kind !== "word" && evidence.kind !== "waiver") return [];
  const { step, criterion, by } = evidence;
  const words = {
    name: by.name,
    step: defuseLine(step, LINE_CHARS_MAX),
    criterion: defuseLine(criterion, LINE_CHARS_MAX),
  };
  const line = localized(evidence.kind === "waiver" ? "proofWaived" : "proofConfirmed", words);
  return [
    {
      kind: "inject",
      injection: {
        id: `evidence:${digest}:${atMs}`,
        kind: "plan_evidence",
        text: `[PLAN_EVIDENCE]\n${line.text}\n[/PLAN_EVIDENCE]`,
        priority: INJECTION_PRIORITIES.plan_decision,
        ...(now.phase === "off" ? {} : { cycleId: now.cycle.id }),
      },
    },
    { kind: "request-turn", cause: "evidence.given" },
    notifyEffect(line),
    auditEffect("evidence.given", { evidence: Json.parse(evidence), digest, by: byKey(by), ...presenceKey(event) }),
  ];
}
