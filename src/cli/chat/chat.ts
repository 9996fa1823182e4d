/** A conversation over a connection: what is typed goes out, what happens comes in and is shown. */
import { isWaiting as waits } from "../../protocol/card/card.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Look } from "../text/paint.ts";
import { hang } from "../text/wrap.ts";
import { readEvent } from "./chat-event.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { type ChatView, createDisplay, type Display } from "./display.ts";
import type { Link, LinkEvent, LinkState } from "./link.ts";
import { MARKS } from "../cards/marks.ts";
import { createOfferedCommands } from "./offered-commands.ts";
import { readState, recallTalk, showState } from "./stored-state.ts";
import { abortTurn, submitTyped } from "./typed.ts";

export type ChatParts = {
  link: Link;
  sessionId: SessionId;
  view: ChatView;
  look(): Look;
  nowMs(): number;
  /** Whether the `[plan-mode] …` lines are shown beside the cards that say the same. */
  frozenLines: boolean;
  /** Lines come from a pipe: nobody has read what is printed here before they were written. */
  isPiped?: boolean;
  /** Every event of the session as it came, for whoever records them. */
  onEvent?(event: LinkEvent): void;
  /** The connection is gone for good. */
  onEnded?(): void;
};

export type Chat = {
  /** Listens, reads what is stored and shows it. */
  open(): Promise<void>;
  /** False when the person wants to go. */
  submit(text: string): Promise<boolean>;
  abort(): Promise<void>;
  isBusy(): boolean;
  settled(): Promise<void>;
  /** Something waits for the person. */
  waits(): boolean;
  complete(line: string): Promise<string[]>;
  close(): void;
};

export function createChat(parts: ChatParts): Chat {
  const { link, sessionId, view, look, nowMs } = parts;
  const conversation = createConversation(
    () => ({ look: look(), nowMs: nowMs(), person: link.operator(), folds: parts.isPiped !== true }),
    {
      frozenLines: parts.frozenLines,
    },
  );
  const display = createDisplay({ conversation, view, look });
  const stored = { link, sessionId, conversation, display, look };
  const stops: (() => void)[] = [];
  const offered = createOfferedCommands(link);
  let title = "";

  function receive(frame: LinkEvent): void {
    const event = readEvent(frame, sessionId);
    if (event === undefined) return;
    parts.onEvent?.(frame);
    display.observe(event);
  }

  async function refresh(): Promise<void> {
    ({ title } = await readState(stored));
    await showState(stored);
  }

  async function returned(): Promise<void> {
    await link.call("health", {}); // what was missed has been sent before this is answered
    await showState(stored);
  }

  function onState(state: LinkState): void {
    display.setOnline(state.connected);
    tellState(state, { conversation, display, look });
    if (state.connected) void returned().catch(display.explain);
    else if (state.ended) parts.onEnded?.();
  }

  async function nameAfter(text: string): Promise<void> {
    if (title !== "") return;
    title = titleOf(text);
    await link.call("sessions.patch", { sessionId, title });
  }

  const typed = { ...stored, commands: () => offered.known(), nameAfter, isPiped: parts.isPiped === true };

  return {
    async open() {
      stops.push(link.onEvent(receive), link.onState(onState));
      await link.follow(sessionId, () => void refresh().catch(display.explain));
      await offered.look();
      ({ title } = await readState(stored));
      await recallTalk(stored);
      await showState(stored);
    },
    submit: (text) =>
      display.isOnline() ? attempt(() => submitTyped(text, typed), display) : keep(text, view, display),
    abort: () => abortTurn(typed).catch(display.explain),
    isBusy: () => conversation.isBusy(),
    settled: () => settled(link, conversation, display),
    waits: () => isWaiting(conversation),
    complete: async (line) =>
      line.startsWith("/") ? (await offered.look()).filter((entry) => entry.startsWith(line)) : [],
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** At rest, and nothing on its way: a turn that ends may have asked for the next one in the same breath. */
async function settled(link: Link, conversation: Conversation, display: Display): Promise<void> {
  do {
    await display.settled();
    await link.call("health", {}); // whatever was sent before the answer has arrived by then
  } while (conversation.isBusy());
}

function isWaiting(conversation: Conversation): boolean {
  return conversation.cards().some(waits);
}

function tellState(
  state: LinkState,
  { conversation, display, look }: { conversation: Conversation; display: Display; look(): Look },
): void {
  if (state.connected) return display.remark(MARKS.good, "Connected again.");
  const { columns, paint } = look();
  const pending = isWaiting(conversation) ? "The approval stays pending. " : "";
  const text = state.ended
    ? `The gateway ended this connection. ${pending}Start the chat again: holdpoint chat`
    : `The gateway is out of reach. ${pending}Trying again by itself …`;
  display.show(hang(`${MARKS.bad} `, text, columns).map(paint.bad));
}

async function attempt(submit: () => Promise<boolean>, display: Display): Promise<boolean> {
  try {
    return await submit();
  } catch (error) {
    display.explain(error);
    return true;
  }
}

/** What cannot be sent now stays in the line. */
async function keep(text: string, view: ChatView, display: Display): Promise<boolean> {
  if (/^\/(?:quit|exit)\s*$/i.test(text)) return false;
  view.restore(text.replaceAll("\n", " "));
  display.remark(MARKS.bad, "Not sent: the gateway is out of reach. Your words are still in the line.");
  return true;
}

const TITLE_CHARS_MAX = 60;

function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > TITLE_CHARS_MAX ? `${line.slice(0, TITLE_CHARS_MAX - 1)}…` : line;
}
