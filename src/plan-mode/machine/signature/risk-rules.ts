/**
 * Who must sign what a plan declares to touch, where the configuration names others for it (BY-05). The first rule that
 * fits counts. An agent that declares less than it needs gains nothing where approvals are scoped: the rest is asked for
 * as an amendment, and the same rules say who may sign that.
 */
import type { ApprovalRules, RiskRule } from "../../protocol/approvals.ts";
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import type { StepScope } from "../../protocol/step/scope.ts";
import { submissionOf } from "../plan/cycle.ts";
import { declaredBy } from "../scope/plan-scope.ts";
import { type Fits, isSameCommand, isSameHost, isSamePlace, isSameTool } from "./risk-fits.ts";

/** The context with the rules for what this is about; the same one where no rule fits. */
export function withRiskRules<Context extends { settings: { approvals?: ApprovalRules } }>(
  context: Context,
  state: PlanModeState,
  command?: PlanModeCommand,
): Context {
  const { approvals } = context.settings;
  if (approvals?.risks === undefined) return context;
  const rule = approvals.risks.find((one) => scopesIn(state, command).some((scope) => touches(one, scope)));
  return rule === undefined
    ? context
    : { ...context, settings: { ...context.settings, approvals: withRule(approvals, rule) } };
}

const withRule = (rules: ApprovalRules, { approvers, quorum = 1 }: RiskRule): ApprovalRules => ({
  ...rules,
  ...(approvers === undefined ? {} : { approvers }),
  quorum: Math.max(rules.quorum, quorum),
});

/** Of the plan that is decided on, of one that is being submitted or edited, and of what a yes would add. */
function scopesIn(state: PlanModeState, command: PlanModeCommand | undefined): StepScope[] {
  const steps = submissionOf(state)?.steps ?? [];
  const given =
    command?.type === "submit" ? command.body.plan : command?.type === "approve-edition" ? command.approval.steps : [];
  const added = state.question?.amendment?.add;
  return [...[...steps, ...given].flatMap(declaredBy), ...(added === undefined ? [] : [added])];
}

function touches(rule: RiskRule, scope: StepScope): boolean {
  return (
    overlap(rule.paths, scope.paths, isSamePlace) ||
    overlap(rule.commands, scope.commands, isSameCommand) ||
    overlap(rule.hosts, scope.hosts, isSameHost) ||
    overlap(rule.tools, scope.tools, isSameTool)
  );
}

const overlap = (risks: readonly string[] = [], declared: readonly string[] = [], fits: Fits): boolean =>
  risks.some((risk) => declared.some((one) => fits(risk, one)));
