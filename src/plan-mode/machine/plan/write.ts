/**
 * A person writes the plan of an agent outside that knows nothing of plans. It waits like any other: writing it signs
 * nothing.
 */
import { Json } from "../../../protocol/json.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import { PlanBody } from "../../protocol/plan.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { refuse } from "../../protocol/refuse.ts";
import { localized } from "../../texts/localized.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { byOf, type PlanContext } from "../actors.ts";
import type { PlanDecision } from "../decision.ts";
import { parsePlanText } from "../../tools/plan-text.ts";
import { beginCycle } from "./cycle.ts";
import { evolvePlan } from "./evolve.ts";
import { submit } from "./submit.ts";

const TITLE_CHARS_MAX = 200;

export function write(
  state: PlanModeState,
  { text, title }: Extract<PlanModeCommand, { type: "write" }>,
  context: PlanContext,
): PlanDecision {
  if (context.session.kind !== "external") return NOT_OUTSIDE;
  if (state.now.phase === "executing") return UNDER_WAY;
  const body = PlanBody.safeParse(bodyOf(text, title));
  if (!body.success) return refuse("PLAN_INVALID", localized("writtenInvalid"));
  const by = byOf(context.actor);
  const opening = state.now.phase === "off" ? beginCycle(state, { by, reason: "" }, context) : [];
  const begun = opening.reduce((now, event) => (event.type === "plan.entered" ? evolvePlan(now, event) : now), state);
  const digest = digestOf(Json.parse(body.data));
  const decision = submit(begun, { type: "submit", body: body.data, digest, writtenBy: by }, context);
  return "refused" in decision ? decision : { ...decision, events: [...opening, ...decision.events] };
}

const NOT_OUTSIDE = refuse("PLAN_INVALID", localized("writtenOnlyOutside"));
const UNDER_WAY = refuse("PLAN_INVALID", localized("writtenUnderWay"));

/** Its heading is its title, else its first step. */
function bodyOf(text: string, title: string | undefined): unknown {
  const { plan, ...sections } = parsePlanText(text);
  const heading = /^#{1,6}[ \t]+(?<title>\S.*)$/m.exec(text)?.groups?.["title"];
  const steps = plan.filter(({ step }) => step !== heading && step !== `# ${heading}`);
  const named = title?.trim() || heading?.trim() || steps[0]?.step || "";
  return { title: named.slice(0, TITLE_CHARS_MAX), plan: steps, ...sections };
}
