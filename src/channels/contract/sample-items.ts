/** Things to be delivered, for the contract. */
import type { DeliveryItem } from "../../plugins/sdk.ts";
import type { ApprovalCard, CardStep } from "../../protocol/card/card.ts";
import { SessionId } from "../../protocol/ids.ts";
import { Json } from "../../protocol/json.ts";

const SESSION = SessionId.parse("ses_contract");
/** As long as the real ones. */
export const TOKENS = ["h1.AAAAAAAAAAAAAAAAAAAAAA", "h1.BBBBBBBBBBBBBBBBBBBBBB"] as const;

export const step = (text: string, change: Partial<CardStep> = {}): CardStep => ({
  text,
  status: "pending",
  criteria: [],
  ...change,
});

const action = (id: string, label: string, tone: "yes" | "no") => ({
  id,
  label: { text: label },
  tone,
  scope: "operator.approvals" as const,
  input: { kind: "none" as const },
  patch: { field: "planApproval", value: { action: id } },
  command: `/plan ${id} 1a2b3c`,
});

export function approval(change: Partial<ApprovalCard> = {}): ApprovalCard {
  return {
    kind: "approval",
    id: "apr_1",
    slice: "planMode",
    state: "pending",
    heading: { text: "A plan waits for you" },
    title: "Greet everybody",
    status: { text: "It waits for a decision." },
    sinceMs: 0,
    planId: "pln_1",
    revision: 1,
    digest: `sha256:${"a".repeat(64)}`,
    steps: [step("Say hello")],
    notesOpen: 0,
    actions: [action("approve", "Accept", "yes"), action("reject", "Revise", "no")],
    ...change,
  };
}

/** More steps than a card shows. */
export const sixty = (): ApprovalCard =>
  approval({ steps: Array.from({ length: 60 }, (_, n) => step(`Step number ${n} ${"x".repeat(80)}`)) });

export const PLAN_FILE = { name: "plan-greet-r1.md", mediaType: "text/markdown", text: "# Greet\n\n1. Say hello\n" };

const drawn = (card: ApprovalCard) => ({
  cardId: card.id,
  revisionHash: "r1",
  payload: Json.parse(card),
  buttons: card.actions.map(({ id }, at) => ({ action: id, token: TOKENS[at] ?? TOKENS[0] })),
});

export const textItem = (key: string, text: string, maybeSent = false): DeliveryItem => ({
  kind: "text",
  key,
  sessionId: SESSION,
  payload: { kind: "assistant", text },
  maybeSent,
});

export const cardItem = (card: ApprovalCard, maybeSent = false): DeliveryItem => ({
  kind: "card",
  op: "send",
  key: card.id,
  sessionId: SESSION,
  card: drawn(card),
  maybeSent,
});

/** With a button that needs words. */
export function wordsItem(card: ApprovalCard): DeliveryItem {
  const { buttons, ...rest } = drawn(card);
  const asking = buttons.map((one) => (one.action === "reject" ? { ...one, asksText: true as const } : one));
  return {
    kind: "card",
    op: "send",
    key: card.id,
    sessionId: SESSION,
    card: { ...rest, buttons: asking },
    maybeSent: false,
  };
}

export const editItem = (card: ApprovalCard, messageId: string): DeliveryItem => ({
  kind: "card",
  op: "edit",
  key: card.id,
  sessionId: SESSION,
  card: drawn(card),
  messageId,
});

export const closeItem = (card: ApprovalCard, messageId: string): DeliveryItem => ({
  kind: "card",
  op: "close",
  key: card.id,
  sessionId: SESSION,
  messageId,
  payload: Json.parse({ ...card, actions: [] }),
});

/** How a plan of so many steps ends: nothing can be done on it. */
export const decided = (card: ApprovalCard): ApprovalCard => ({
  ...card,
  state: "approved",
  status: { text: "Accepted by Alice." },
  actions: [],
});
