/**
 * What one person may do on a card now, and if not, why: the same codes as the gateway's own refusals, which have the
 * last word. Texts stand here in English with their keys, so that the page need not carry the table of all of them; a
 * test compares the two.
 */
import { hasScope, covers, type Person, samePerson } from "./person.ts";
import type { Card, CardAction, CardBlock } from "./card.ts";
import type { Json, JsonObject } from "../json.ts";
import type { LocalizedLine } from "../localized/localized-text.ts";

export type Availability = { allowed: true } | { allowed: false; why: CardBlock };

export type Beholding = { person: Person; nowMs: number };

export function availabilityOf(card: Card, action: CardAction, { person, nowMs }: Beholding): Availability {
  const why =
    lacking(action, person) ??
    late(card, nowMs) ??
    unlisted(action, person) ??
    action.blocked ??
    signed(action, person);
  return why === undefined ? { allowed: true } : { allowed: false, why };
}

export const isAllowed = (card: Card, action: CardAction, beholding: Beholding): boolean =>
  availabilityOf(card, action, beholding).allowed;

function lacking({ scope }: CardAction, { scopes }: Person): CardBlock | undefined {
  if (hasScope(scopes, scope)) return undefined;
  const text = `Your log-in may read this, but not decide. It needs the scope ${scope}.`;
  return block("FORBIDDEN", text, { key: "cardNeedsScope", args: { scope } });
}

function late({ deadline, kind }: Card, nowMs: number): CardBlock | undefined {
  if (deadline === undefined || nowMs < deadline.atMs) return undefined;
  return kind === "approval"
    ? block("APPROVAL_EXPIRED", "Time ran out before anybody decided. The agent can submit the plan again.", {
        key: "cardTimedOut",
        args: {},
      })
    : block("APPROVAL_EXPIRED", "Time ran out before anybody answered.", { key: "cardQuestionExpired", args: {} });
}

function unlisted({ approvers }: CardAction, person: Person): CardBlock | undefined {
  if (approvers === undefined || approvers.some((entry) => covers(entry, person))) return undefined;
  const names = approvers.join(", ");
  const text = `Decisions here are limited to ${names} (approvals.approvers); you are not among them.`;
  return block("APPROVER_NOT_LISTED", text, { key: "approversAre", args: { names } });
}

function signed({ signedBy }: CardAction, person: Person): CardBlock | undefined {
  if (signedBy?.some((by) => samePerson(by, person)) !== true) return undefined;
  const text = "You have signed. Others must sign too.";
  return block("APPROVAL_ALREADY_SIGNED", text, { key: "cardYouSigned", args: {} });
}

const block = (code: string, text: string, said: Omit<LocalizedLine, "line">): CardBlock => ({
  code,
  text: { text, said: [{ line: 0, ...said }] },
});

/** The field of `sessions.patch` that carries the action out, with what the person gave. */
export function patchOf({ patch, input }: CardAction, given?: Json): JsonObject {
  const { field, value } = patch;
  if (input.kind === "none" || given === undefined) return { [field]: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { [field]: given };
  return { [field]: { ...value, [input.field]: given } };
}

export const findAction = (card: Card | undefined, id: string): CardAction | undefined =>
  card?.actions.find((action) => action.id === id);
