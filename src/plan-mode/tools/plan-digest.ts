/** The digest that a decision on a plan names. */
import { digestOf } from "../../plugins/sdk.ts";
import { Json } from "../../protocol/json.ts";
import type { PlanBody } from "../../protocol/plan.ts";

/** Of exactly what a person reads. */
export const planDigest = (body: PlanBody): string => digestOf(Json.parse(body));
