/** A refusal with one of plan mode's codes, or of the gateway's. */
import type { LocalizedCode } from "../../protocol/localized/refusal-wording.ts";
import { createRefuse, type Refuse } from "../../protocol/refusal.ts";
import type { refusals } from "./refusals.ts";

type Refusals = typeof refusals;

export const refuse: Refuse<keyof Refusals, LocalizedCode<Refusals>> = createRefuse<
  keyof Refusals,
  LocalizedCode<Refusals>
>();
