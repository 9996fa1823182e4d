/** What the effects of plans and of questions are written with. */
import type { JsonObject } from "../../protocol/json.ts";
import type { By } from "../../protocol/plan-mode.ts";
import type { Effect } from "../../plugins/sdk.ts";

export const APPROVAL_TIMER = "approval";
export const QUESTION_TIMER = "question";

export const notify = (text: string): Effect => ({ kind: "notify", text });
export const audit = (type: string, detail: JsonObject): Effect => ({ kind: "audit", fact: { type, detail } });
export const byKey = ({ kind, id }: By): JsonObject => ({ kind, id });
