/** Reads the plan-mode slice of a session. */
import type { SessionView } from "../../src/protocol/methods.ts";
import type { PlanModeState } from "../../src/plan-mode/protocol/state.ts";

/** The plan-mode slice of a session; undefined where the plugin is off. */
export function planOf({ slices }: Pick<SessionView, "slices">): PlanModeState | undefined {
  const slice = slices["planMode"];
  if (typeof slice !== "object" || slice === null || !("now" in slice)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it; a schema library is too large for a page
  return slice as unknown as PlanModeState;
}
