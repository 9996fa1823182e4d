/** What a plan says besides its steps, for surfaces that have its whole text at hand. */
import type { CardSection } from "../../protocol/card/card.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import { say } from "../../protocol/said/say.ts";
import { cardText } from "./card-text.ts";

export function planSections(body: PlanBody): CardSection[] {
  const { summary = "", analysis = "", assumptions = [], risks = [], verification = [], references = [] } = body;
  const pairs = risks.map(({ risk, mitigation }) => ({ text: risk, answer: mitigation }));
  return [
    ...(summary.trim() === "" ? [] : [{ heading: cardText(say("section_summary")), text: summary }]),
    ...(analysis.trim() === "" ? [] : [{ heading: cardText(say("section_analysis")), text: analysis }]),
    ...(assumptions.length === 0 ? [] : [{ heading: cardText(say("section_assumptions")), items: assumptions }]),
    ...(pairs.length === 0 ? [] : [{ heading: cardText(say("section_risks")), pairs }]),
    ...(verification.length === 0 ? [] : [{ heading: cardText(say("section_verification")), items: verification }]),
    ...(references.length === 0 ? [] : [{ heading: cardText(say("section_references")), items: references }]),
  ];
}
