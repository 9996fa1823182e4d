/** A refusal with one of the codes about changes, or of the gateway's. */
import { createRefuse, type Refuse } from "../../protocol/refusal.ts";
import type { refusals } from "./refusals.ts";

export const refuse: Refuse<keyof typeof refusals> = createRefuse<keyof typeof refusals>();
