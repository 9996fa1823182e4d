/** Puts a conversation on a view: prints what is new, and keeps the live lines and the prompt true. */
import { asCliError } from "../cli-error.ts";
import type { Look } from "../text/paint.ts";
import { sanitise } from "../text/sanitise.ts";
import { hang, wrap } from "../text/wrap.ts";
import type { ChatEvent } from "./chat-event.ts";
import type { Conversation } from "./conversation.ts";
import { MARKS } from "../cards/marks.ts";

/** Where a conversation is shown. */
export type ChatView = {
  print(lines: readonly string[]): void;
  live(lines: readonly string[]): void;
  prompt(text: string): void;
  /** Puts text back into the line being typed, when it could not be sent. */
  restore(text: string): void;
};

export type Display = {
  show(lines: readonly string[]): void;
  remark(mark: string, text: string): void;
  /** What went wrong, in its two sentences. */
  explain(error: unknown): void;
  observe(event: ChatEvent): void;
  /** How many facts about the plan were shown so far. */
  planFacts(): number;
  /** Holds events back while `work` reads the stored state; says whether any but pieces of speech came meanwhile. */
  undisturbed(work: () => Promise<void>): Promise<boolean>;
  setOnline(online: boolean): void;
  isOnline(): boolean;
  /** Resolves when the agent has nothing more to do for now. */
  settled(): Promise<void>;
};

export function createDisplay(parts: { conversation: Conversation; view: ChatView; look(): Look }): Display {
  const { conversation, view, look } = parts;
  const idlers = new Set<() => void>();
  let isHolding = false;
  let heldCount = 0;
  let online = true;
  let planFacts = 0;

  function show(lines: readonly string[]): void {
    const { paint } = look();
    if (lines.length > 0) view.print(lines);
    view.live(online ? conversation.live() : []);
    view.prompt(online ? conversation.promptText() : `${paint.bad("offline")} ${paint.accent("›")} `);
    if (!conversation.isBusy()) for (const idle of idlers) idle();
  }

  return {
    show,
    remark: (mark, text) => show(hang(`${mark} `, text, look().columns).map(look().paint.quiet)),
    explain(error) {
      const { message, advice } = asCliError(error);
      const { columns, paint } = look();
      const todo = advice === "" ? [] : wrap(`  ${advice}`, columns);
      show([...hang(`${MARKS.bad} `, sanitise(message), columns).map(paint.bad), ...todo]);
    },
    observe(event) {
      if (isHolding) {
        if (event.kind !== "delta" && event.kind !== "waiting") heldCount += 1;
        return;
      }
      const lines = conversation.observe(event);
      if (event.kind === "plan" && lines.length > 0) planFacts += 1;
      show(lines);
    },
    planFacts: () => planFacts,
    async undisturbed(work) {
      isHolding = true;
      heldCount = 0;
      try {
        await work();
      } finally {
        isHolding = false;
      }
      return heldCount === 0;
    },
    setOnline: (value) => void (online = value),
    isOnline: () => online,
    settled: () =>
      new Promise((resolve) => {
        const idle = (): void => {
          idlers.delete(idle);
          resolve();
        };
        if (conversation.isBusy()) idlers.add(idle);
        else resolve();
      }),
  };
}
