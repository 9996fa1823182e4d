/**
 * Makes room in a conversation that fills the model's window. The summary is recorded as an entry in one commit; until
 * then nothing has changed, and afterwards only what is sent has: the transcript stays whole in the store.
 *
 *   full · overflow ─▶ choose a cut ─▶ ask for a summary ─▶ turn.compact (with what the slices want kept) ─▶ go on
 */
import { SUMMARY_CHARS_MAX } from "../../protocol/transcript-entry.ts";
import { askModel } from "../ask-model.ts";
import type { Model } from "../model.ts";
import type { Turn } from "../turn.ts";
import type { Transcript } from "../turn-transcript.ts";
import { chooseCut, type Cut } from "./choose-cut.ts";
import { entryTokens } from "./token-estimate.ts";
import { keepFor, type Room } from "./room.ts";
import { plainSummary, summaryRequest } from "./summarise.ts";

/** A turn that needs more than this is not helped by another one. */
const COMPACTIONS_PER_TURN_MAX = 8;

export type Cramped = {
  items: Transcript;
  models: readonly Model[];
  room: Room;
  workspace: string;
  /** `overflow`: the model refused the conversation, so that going on without a summary is no choice. */
  cause: "full" | "overflow";
};

/** Whether there is more room now: then everything is computed anew. */
export async function shorten(turn: Turn, cramped: Cramped): Promise<boolean> {
  const { lease, memory } = turn;
  const { turnId, epoch } = lease;
  if (memory.compactions >= COMPACTIONS_PER_TURN_MAX) return false;
  const cut = chooseCut(cramped.items, { ...keeping(cramped, memory.compactions), turnId });
  if (cut === undefined) return false;
  memory.compactions += 1;
  const summary = await summaryOf(turn, cut, cramped);
  if (summary === undefined) return false;
  const { upTo, asked } = cut;
  const outcome = await lease.dispatch({ type: "turn.compact", turnId, epoch, upTo, summary, asked });
  if (!outcome.ok && lease.stopped() === undefined) lease.lose(); // the store did not take it
  return true;
}

/** A model that refuses has less room than was thought: then at most half of what there is stays. */
function keeping({ items, room, cause }: Cramped, compactions: number): ReturnType<typeof keepFor> {
  const keep = keepFor(room, compactions);
  if (cause === "full") return keep;
  const tokens = items.reduce((sum, { entry }) => sum + entryTokens(entry), 0);
  return { ...keep, keepTokens: Math.min(keep.keepTokens, Math.floor(tokens / 2)) };
}

/** Undefined when there is none and the conversation can do without. */
async function summaryOf({ lease, parts }: Turn, cut: Cut, cramped: Cramped): Promise<string | undefined> {
  const { sessionId, turnId } = lease;
  const { contextTokens } = cramped.room;
  const answer = await askModel({
    models: cramped.models,
    request: {
      sessionId,
      turnId,
      tools: [],
      workspace: cramped.workspace,
      ...summaryRequest(cut.covered, { turnId, contextTokens, fence: parts.fence }),
    },
    signal: lease.quiet,
    clock: parts.clock,
    onText: () => undefined,
    onNote: () => undefined,
    health: parts.health,
    report: parts.report,
  });
  const text = answer.status === "answered" ? answer.text.trim() : "";
  if (text !== "") return text.slice(0, SUMMARY_CHARS_MAX).toWellFormed();
  return cramped.cause === "overflow" && answer.status !== "stopped" ? plainSummary(cut.covered) : undefined;
}
