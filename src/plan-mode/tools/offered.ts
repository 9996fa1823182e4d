/** Decides whether the agent sees the tools of plan mode. */
import { PlanModeSettings } from "../protocol/settings.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";

/** Where plan mode is off, the agent does not see its tools; settings that cannot be read count as off. */
export function planToolsOffered(_session: unknown, settings: Readonly<Record<string, unknown>>): boolean {
  const parsed = PlanModeSettings.safeParse(settings[PLAN_MODE_SLICE]);
  return parsed.success && parsed.data.enabled;
}
