/** Reads what is stored of a session and shows it: the end of the talk, and what waits. */
import { type Card, foremost, isWaiting } from "../../protocol/card/card.ts";
import { PlanId, type SessionId } from "../../protocol/ids.ts";
import type { PlanBody } from "../../plan-mode/protocol/plan.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";
import type { Conversation } from "./conversation.ts";
import type { Display } from "./display.ts";
import type { Link } from "./link.ts";
import { MARKS } from "../cards/marks.ts";
import { foldedSteps } from "../cards/plan-card.ts";

const RECALLED_MAX = 12;
const READ_AGAIN_MAX = 5;

export type StoredParts = {
  link: Link;
  sessionId: SessionId;
  conversation: Conversation;
  display: Display;
  look(): Look;
};

/** Takes over the stored state, read at a moment when nothing happened meanwhile, so that no event counts twice. */
export async function readState({ link, sessionId, conversation, display }: StoredParts): Promise<{ title: string }> {
  let title = "";
  for (let attempt = 1; attempt <= READ_AGAIN_MAX; attempt += 1) {
    const isQuiet = await display.undisturbed(async () => {
      const { session } = await link.call("sessions.get", { sessionId });
      conversation.adopt(session);
      title = session.title;
    });
    if (isQuiet) break;
  }
  return { title };
}

export async function recallTalk({ link, sessionId, conversation, display, look }: StoredParts): Promise<void> {
  const { items, more } = await link.call("chat.history", { sessionId, limit: RECALLED_MAX });
  const lines = conversation.recall(items.map(({ entry }) => entry));
  if (lines.length === 0) return;
  const heading = more ? "… the end of this session so far:" : "This session so far:";
  display.show(["", look().paint.quiet(heading), ...lines]);
}

/** What waits for the person, or how far the work is. What is on the screen already is not drawn again. */
export async function showState(parts: StoredParts): Promise<void> {
  const { conversation, display } = parts;
  const card = foremost(conversation.cards());
  if (card === undefined) return display.show([]);
  if (!isWaiting(card)) return display.show(standing(card, parts));
  if (!conversation.isDrawn(card)) return display.show(conversation.draw(card, await textOf(card, parts)));
  display.remark(MARKS.waiting, `The ${card.kind === "approval" ? "plan" : "question"} above still waits for you.`);
}

async function textOf(card: Card, { link }: StoredParts): Promise<PlanBody | undefined> {
  if (card.kind !== "approval" || card.planId === undefined) return undefined;
  const { plan } = await link.call("plans.get", { planId: PlanId.parse(card.planId) });
  return plan.body;
}

/** Of a plan that was decided: its steps where it is carried out, else what became of it. */
function standing(card: Card, { look }: StoredParts): string[] {
  const { paint, columns } = look();
  if (card.kind !== "approval") return [];
  const told = (mark: string): string[] =>
    hang(`${mark} `, `${sanitiseLine(card.title)}: ${sanitiseLine(card.status.text)}`, columns);
  switch (card.state) {
    case "approved":
    case "edited":
      return ["", ...foldedSteps(card.steps, look())];
    case "timed_out":
      return told(MARKS.bad).map(paint.waiting);
    case "rejected":
      return told(MARKS.back).map(paint.quiet);
    default:
      return [];
  }
}
