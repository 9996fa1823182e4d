import type { CardContext } from "../../plugins/sdk.ts";
import type { PlanModeSettings } from "../../protocol/plan-mode.ts";

export type PlanCardContext = CardContext<PlanModeSettings>;
