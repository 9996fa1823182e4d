/** Effects that plans, questions and grants share. */
import type { JsonObject } from "../../protocol/json.ts";
import type { Offered } from "../protocol/approvals.ts";
import type { PlanFact } from "../protocol/facts.ts";
import type { By } from "../../protocol/actor.ts";
import { asIs, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { PresenceProof } from "../../protocol/presence.ts";
import type { Effect } from "../../plugins/sdk.ts";

export const APPROVAL_TIMER = "approval";
export const QUESTION_TIMER = "question";

/** A frozen line about a transition: it goes to people and to the log, and no surface translates it. */
export const lineEffect = (line: string): Effect => ({ kind: "notify", ...asIs(line), logged: true });

/** Text that is a string is frozen too: no surface translates it. */
export const notifyEffect = (words: string | LocalizedText): Effect => ({
  kind: "notify",
  ...(typeof words === "string" ? asIs(words) : words),
});
export const auditEffect = (type: PlanFact, detail: JsonObject): Effect => ({ kind: "audit", fact: { type, detail } });
export const byKey = ({ kind, id }: By): JsonObject => ({ kind, id });

/** What the surface put before the person who approved (I06); of what an earlier version wrote, nothing. */
export const offeredKey = ({ offered }: { offered?: Offered | undefined }) =>
  offered === undefined ? {} : { offered };

/** The signature of a passkey, whole: the row alone is enough to check it again. */
export const presenceKey = ({ presence }: { presence?: PresenceProof | undefined }) =>
  presence === undefined ? {} : { presence };
