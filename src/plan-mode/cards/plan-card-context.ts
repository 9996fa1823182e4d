/** The context in which plan mode builds its cards. */
import type { CardContext } from "../../plugins/sdk.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";

export type PlanCardContext = CardContext<PlanModeSettings>;
