/** Plan mode as clients, documents and the configuration see it. */
import type { PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { PLAN_MODE_CONFIG } from "./config.ts";
import { PlanModeEvent } from "./event.ts";
import { PlanApproval } from "./command.ts";
import { facts } from "./facts.ts";
import { PLAN_PATCH_FIELDS } from "./patch-fields.ts";
import { PLAN_METHODS } from "./plan-methods.ts";
import { PlanBody, PlanRevision, PlanStep } from "./plan.ts";
import { refusals } from "./refusals.ts";
import { PlanModeState } from "./state.ts";

export const planModeProtocol = {
  id: "plan-mode",
  folder: "plan-mode",
  methods: PLAN_METHODS,
  patchFields: PLAN_PATCH_FIELDS,
  config: PLAN_MODE_CONFIG,
  commandRoots: ["plan", "approve", "permissions"],
  events: PlanModeEvent,
  onceOnly: ["plans.share", "plans.seed"],
  facts,
  refusals,
  shared: { PlanApproval, PlanBody, PlanModeState, PlanModeEvent, PlanRevision, PlanStep },
} as const satisfies PluginProtocol;
