/** Reads what is stored of a session and shows it: the end of the talk, and what waits. */
import type { SessionId } from "../../protocol/ids.ts";
import type { PhaseOf } from "../../plan-mode/protocol/state.ts";
import type { Look } from "../text/paint.ts";
import type { Conversation } from "./conversation.ts";
import type { Display } from "./display.ts";
import type { Link } from "./link.ts";
import { MARKS } from "../cards/marks.ts";
import { type PlanCard, planCard, stepList } from "../cards/plan-card.ts";
import { questionCard } from "../cards/question-card.ts";

const RECALLED_MAX = 12;
const READ_AGAIN_MAX = 5;

export type StoredParts = {
  link: Link;
  sessionId: SessionId;
  conversation: Conversation;
  display: Display;
  look(): Look;
  nowMs(): number;
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

/** What waits for the person, or how far the work is. Returns the id of the card that is now on the screen. */
export async function showState(parts: StoredParts, alreadyShown: string): Promise<string> {
  const { conversation, display, look, nowMs } = parts;
  const { now, question } = conversation.plan();
  const waiting = question?.approvalId ?? (now.phase === "pending" ? now.submission.approvalId : "");
  if (waiting !== "" && waiting === alreadyShown) {
    display.remark(MARKS.waiting, `The ${question === null ? "plan" : "question"} above still waits for you.`);
  } else if (question !== null) {
    display.show(["", ...questionCard(question, nowMs(), look())]);
  } else {
    display.show(await phaseLines(parts));
  }
  return waiting;
}

async function phaseLines(parts: StoredParts): Promise<string[]> {
  const { conversation, look } = parts;
  const { now } = conversation.plan();
  const { paint } = look();
  switch (now.phase) {
    case "pending":
      return ["", ...planCard(await cardOf(now, parts), look())];
    case "executing":
      return ["", ...stepList(now.steps, look())];
    case "timed_out":
      return [paint.waiting(`${MARKS.bad} The last plan expired undecided. Ask the agent to submit it again.`)];
    case "rejected":
      return [paint.quiet(`${MARKS.back} The last plan was sent back; the agent is to revise it.`)];
    case "off":
    case "exploring":
      return [];
  }
}

async function cardOf(
  { submission, needs, signatures }: PhaseOf<"pending">,
  { link, nowMs }: StoredParts,
): Promise<PlanCard> {
  const { plan } = await link.call("plans.get", { planId: submission.planId });
  const { revision, deadlineAtMs } = submission;
  return { body: plan.body, revision, deadlineAtMs, nowMs: nowMs(), needs, signatures };
}
