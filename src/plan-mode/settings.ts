/** Plan-mode settings of one session: the defaults, then its agent's, then its binding's; and who answers in it. */
import type { SettingsLevels } from "../protocol/plugin/plugin-protocol.ts";
import type { SettingsPlace, SettingsSource } from "../plugins/sdk.ts";
import { PLAN_MODE_CONFIG } from "./protocol/config.ts";
import { PlanModeSettings, PlanNudges } from "./protocol/settings.ts";
import { PLAN_MODE_SLICE } from "./machine/slice.ts";

type Levels = SettingsLevels<typeof PLAN_MODE_CONFIG>;

export function resolvePlanMode(levels: Levels, { model }: Pick<SettingsPlace, "model"> = {}): PlanModeSettings {
  const { root, agentDefaults, agent, binding } = levels;
  const merged = { ...agentDefaults.planMode, ...given(agent?.planMode), ...given(binding?.planMode) };
  const permissionMode = binding?.permissionMode ?? agent?.permissionMode ?? agentDefaults.permissionMode;
  const answering = model === undefined ? {} : { model };
  const asked = [agentDefaults.planMode, agent?.planMode, binding?.planMode];
  // field by field: a level that asks for a second signature does not thereby open the list of who may sign
  const approvals = Object.assign({}, root.approvals, ...asked.map((level) => given(level?.approvals)));
  const { maxPlanTemplateSteps } = root.skills.limits;
  const nudges = merged.nudges ?? PlanNudges.parse({});
  return PlanModeSettings.parse({
    ...given(merged),
    approvals,
    nudges,
    permissionMode,
    maxPlanTemplateSteps,
    ...answering,
  });
}

/** Only what was set: an `undefined` must not cover the level above. */
const given = (settings: object | undefined): object =>
  Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined));

export const planModeSettings: SettingsSource<typeof PLAN_MODE_CONFIG> = {
  key: PLAN_MODE_SLICE,
  sections: PLAN_MODE_CONFIG,
  resolve: resolvePlanMode,
};
