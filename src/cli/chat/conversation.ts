/**
 * One session as the terminal shows it. Events go in; lines to print, lines that still change, and the state of the
 * prompt come out. No terminal in here, so that a test can read it.
 */
import { NO_APPROVAL_NOTICE } from "../../plan-mode/cards/notice-cards.ts";
import { followPlan } from "../../plan-mode/follow-plan.ts";
import { type Card, isWaiting } from "../../protocol/card/card.ts";
import type { SessionView } from "../../protocol/methods.ts";
import type { PlanOverview } from "../../plan-mode/protocol/plan-overview.ts";
import type { PlanBody } from "../../plan-mode/protocol/plan.ts";
import type { SessionEvent } from "../../protocol/session.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import { cardsOf } from "../cards/session-cards.ts";
import { createShownCards } from "../cards/shown-cards.ts";
import { unreadablePlan } from "../plan-state.ts";
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import { clip } from "../text/width.ts";
import { hang } from "../text/wrap.ts";
import type { ChatEvent } from "./chat-event.ts";
import { createEntryLines, echoLines, type EntryLines } from "./entry-lines.ts";
import { createMessagesElsewhere } from "./messages-elsewhere.ts";
import { MARKS } from "../cards/marks.ts";
import { progress } from "../cards/plan-card.ts";
import { planLines } from "../cards/plan-lines.ts";
import type { Beholder } from "../cards/who.ts";
import { callText } from "../cards/tool-line.ts";

export type Conversation = {
  /** A message is about to be sent from here. */
  said(text: string): void;
  /** Lines to print for an event. */
  observe(event: ChatEvent): string[];
  /** Takes over what is stored, without printing: at the beginning, and when events were missed. */
  adopt(session: SessionView): void;
  /** The transcript's entries as they were shown when they were new. */
  recall(entries: readonly Entry[]): string[];
  live(): string[];
  cards(): readonly Card[];
  /** The card as lines; from then on it counts as shown. `text` is its document, where it has been read. */
  draw(card: Card, text?: PlanBody): string[];
  isDrawn(card: Card): boolean;
  isWhole(card: Card): boolean;
  isBusy(): boolean;
  promptText(): string;
};

type Turn = "idle" | "requested" | "running" | "stopping";

export function createConversation(beholder: () => Beholder, options: { frozenLines: boolean }): Conversation {
  const entries = createEntryLines(options);
  const elsewhere = createMessagesElsewhere();
  const shown = createShownCards(beholder);
  const { cards, draw, isDrawn, isWhole } = shown;
  const plan = followPlan();
  let turn: Turn = "idle";
  let isErrorTold = false; // why this turn failed stands there already
  let waitsFor = ""; // what the gateway says while it asks a model again

  function sessionLines(event: SessionEvent, look: Look): string[] {
    turn = turnAfter(turn, event);
    switch (event.type) {
      case "message.queued":
        return elsewhere.lines(event.message, look);
      case "entry.appended":
        isErrorTold ||= event.entry.kind === "notice" && event.entry.level === "error";
        return entries.lines(event.entry, look);
      case "turn.finished": {
        entries.rest();
        const lines = [...entries.speech.interrupt(look), ...finishedLines(event.outcome, isErrorTold, look)];
        isErrorTold = false;
        return lines;
      }
      case "session.reset":
        plan.adopt({});
        shown.adopt([]);
        return ["", look.paint.quiet(`${MARKS.note} The conversation was reset.`)];
      case "session.deleted":
        return [look.paint.bad(`${MARKS.bad} This session was deleted.`)];
      default:
        return [];
    }
  }

  return {
    said: elsewhere.said,
    observe(event) {
      const { look } = beholder();
      waitsFor = waitingAfter(waitsFor, event);
      if (event.kind === "waiting") return [];
      if (event.kind === "delta") return entries.speech.receive(event.text, look);
      if (event.kind === "session") return sessionLines(event.event, look);
      if (event.kind === "cards") return shown.observe(event.cards, event.closed);
      if (event.event.type === "plan.submitted") shown.submitted(event.event);
      return planLines(event.event, plan.observe(event.event), beholder());
    },
    adopt(session) {
      if (!plan.adopt(session.slices)) throw unreadablePlan(session.id);
      shown.adopt(cardsOf(session));
      turn = session.turn.status === "running" && session.turn.aborting ? "stopping" : session.turn.status;
    },
    recall(past) {
      const { look } = beholder();
      return past.flatMap((entry) =>
        entry.kind === "input"
          ? entry.messages.flatMap(({ text }) => echoLines(text, look))
          : entries.lines(entry, look),
      );
    },
    live() {
      if (turn === "idle") return [];
      return liveLines(entries, { waitsFor, isStopping: turn === "stopping" }, beholder().look);
    },
    cards,
    draw,
    isDrawn,
    isWhole,
    isBusy: () => turn !== "idle",
    promptText: () => promptText(plan.overview(), shown.cards(), beholder().look),
  };
}

type Doing = { waitsFor: string; isStopping: boolean };

function liveLines({ speech, running }: EntryLines, { waitsFor, isStopping }: Doing, look: Look): string[] {
  if (waitsFor !== "") return hang(`${MARKS.bad} `, sanitise(waitsFor), look.columns).map(look.paint.bad);
  const speaking = speech.unfinished(look);
  if (speaking.length > 0) return speaking;
  const call = running();
  const doing = isStopping ? "stopping" : call === undefined ? "working" : callText(call);
  return [look.paint.quiet(clip(`  ${MARKS.tool} ${doing} …`, look.columns))];
}

/** What the gateway says while it asks a model again: until anything else comes but the same as a kept notice. */
function waitingAfter(before: string, event: ChatEvent): string {
  if (event.kind === "waiting") return event.text;
  const isKept =
    event.kind === "session" && event.event.type === "entry.appended" && event.event.entry.kind === "notice";
  return isKept ? before : "";
}

function turnAfter(turn: Turn, event: SessionEvent): Turn {
  switch (event.type) {
    case "turn.requested":
      return turn === "idle" ? "requested" : turn;
    case "turn.started":
    case "turn.taken-over":
      return "running";
    case "turn.aborting":
      return "stopping";
    case "turn.finished":
      return "idle";
    default:
      return turn;
  }
}

function finishedLines(outcome: string, isErrorTold: boolean, { paint }: Look): string[] {
  if (outcome === "aborted") return [paint.quiet(`${MARKS.note} Stopped.`)];
  if (outcome !== "failed") return [];
  if (isErrorTold) return [paint.quiet("  What was done so far stays; say how to go on.")];
  return [paint.bad(`${MARKS.bad} The turn failed. What was done so far stays; say how to go on.`)];
}

function promptText(plan: PlanOverview, cards: readonly Card[], { paint }: Look): string {
  const arrow = `${paint.accent("›")} `;
  const isUnasked = cards.some(({ id }) => id === NO_APPROVAL_NOTICE);
  const auto = plan.auto ? " (auto)" : isUnasked ? " (no approval)" : "";
  // plan mode comes first, so there the permission mode is not shown
  const permission = (before: string): string => (plan.permission === "default" ? "" : `${before}${plan.permission}`);
  if (cards.some(isWaiting)) {
    const planning = plan.mode === "normal" ? "" : `plan${auto} `;
    return `${paint.waiting(`${planning}${MARKS.waiting} waiting for you`)} ${arrow}`;
  }
  switch (plan.mode) {
    case "executing":
      return `${paint.accent(`executing ${progress(plan.steps)}${permission(" · ")}`)} ${arrow}`;
    case "plan":
      return `${paint.accent(`plan${auto}`)} ${arrow}`;
    case "normal":
      if (plan.held) return `${paint.waiting("held")} ${arrow}`;
      return permission("") === "" ? arrow : `${paint.accent(permission(""))} ${arrow}`;
  }
}
