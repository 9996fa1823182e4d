/**
 * What a person typed → what is asked of the gateway.
 *
 * A decision typed here is about the card that was shown here: it names that card's id and digest, so that a revision
 * that arrives in the same moment is not signed unread. Words that are no command never decide about a plan.
 */
import { matchAnswer } from "../../plan-mode/machine/question/questions.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { approvalIn, askingIn, isWaiting } from "../../protocol/card/card.ts";
import { offeringWhole } from "../../protocol/card/offered-in.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { flow } from "../text/flow.ts";
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import type { Conversation } from "./conversation.ts";
import { optionsOf } from "../cards/question-card.ts";
import { patchSession } from "../cards/patch-session.ts";
import { answerTo, decisionFor, noteFor } from "./decision.ts";
import type { Display } from "./display.ts";
import { helpLines } from "./help.ts";
import { pressedOn } from "./press.ts";
import type { Link } from "./link.ts";
import { MARKS } from "../cards/marks.ts";

export type TypedParts = {
  link: Link;
  sessionId: SessionId;
  conversation: Conversation;
  display: Display;
  look(): Look;
  commands(): readonly string[];
  isPiped: boolean;
  /** Names a session after its first message, where it has no name. */
  nameAfter(text: string): Promise<void>;
};

/** False when the person wants to go. */
export async function submitTyped(text: string, parts: TypedParts): Promise<boolean> {
  if (text.startsWith("/")) return command(text.trim(), parts);
  await (askingIn(parts.conversation.cards()) === undefined ? say(text, parts) : answer(text, parts));
  return true;
}

async function command(text: string, parts: TypedParts): Promise<boolean> {
  const name = text.slice(1).split(/\s/, 1)[0] ?? "";
  const rest = text.replace(/^\S+\s*/, "");
  switch (name.toLowerCase()) {
    case "quit":
    case "exit":
      return false;
    case "help":
      if (rest === "") parts.display.show(helpLines(parts.commands(), parts.look()));
      else await say(text, parts);
      return true;
    case "abort":
      await abortTurn(parts);
      return true;
    case "say":
      if (rest === "") parts.display.remark(MARKS.note, "Say what? Write it behind /say.");
      else await say(rest, parts);
      return true;
    case "press":
      await press(rest, parts);
      return true;
    default:
      await gatewayCommand(text, parts);
      return true;
  }
}

/** Decisions about the card that was shown are bound to it; everything else is for the gateway's own parser. */
async function gatewayCommand(text: string, parts: TypedParts): Promise<void> {
  const note = noteFor(text, parts.conversation.cards());
  if (note !== undefined) {
    await parts.link.call("sessions.patch", { sessionId: parts.sessionId, planNote: note });
    return;
  }
  const decision = decisionFor(text, parts.conversation.cards(), parts);
  await (decision === undefined ? say(text, parts) : decide(decision, parts));
}

async function press(typed: string, parts: TypedParts): Promise<void> {
  const pressed = pressedOn(typed, parts.conversation.cards());
  if ("patch" in pressed) await decide(pressed.patch, parts);
  else parts.display.remark(MARKS.note, sanitise(pressed.problem));
}

/** An approval of a card that was drawn here with its whole text says so. */
async function decide(patch: JsonObject, { link, sessionId, conversation }: TypedParts): Promise<void> {
  const card = approvalIn(conversation.cards());
  const isWhole = card !== undefined && conversation.isWhole(card);
  await patchSession(link, sessionId, isWhole ? offeringWhole(patch) : patch);
}

/** What they switch is told by the fact itself, where they switched something. */
const SWITCHES = /^\/plan +(?:on|off)\s*$/i;

async function say(text: string, parts: TypedParts): Promise<void> {
  const { link, sessionId, display, look } = parts;
  if (!text.startsWith("/")) parts.conversation.said(text);
  const facts = display.planFacts();
  const sent = await link.call("chat.send", { sessionId, text });
  if (sent.kind === "command" && SWITCHES.test(text) && display.planFacts() > facts) return;
  if (sent.kind === "command") return display.show(["", ...flow(sanitise(sent.message), look().columns)]);
  await parts.nameAfter(text);
  const plan = approvalIn(parts.conversation.cards());
  if (plan !== undefined && isWaiting(plan)) {
    display.remark(MARKS.note, "Sent to the agent. The plan still waits: only /plan accept approves it.");
  }
}

async function answer(text: string, parts: TypedParts): Promise<void> {
  const card = askingIn(parts.conversation.cards());
  if (card === undefined) return say(text, parts);
  const allowFreetext = card.kind === "question" && card.freeText;
  const matched = matchAnswer({ options: optionsOf(card), allowFreetext }, text);
  if ("refused" in matched) {
    const advice = "To say something else to the agent, begin with /say.";
    return parts.display.remark(MARKS.note, `${sanitise(matched.refused.message)} ${advice}`);
  }
  const decision = answerTo(card, { typed: text, ...matched });
  await (decision === undefined ? say(text, parts) : decide(decision, parts));
}

export async function abortTurn({ link, sessionId }: Pick<TypedParts, "link" | "sessionId">): Promise<void> {
  await link.call("chat.abort", { sessionId });
}
