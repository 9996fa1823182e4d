/** Decisions about input in the middle of a turn, and about the turn that follows by itself. */
import { refuse } from "../protocol/refusal.ts";
import { noticeOf } from "../protocol/localized/localized-text.ts";
import type { CommandOf } from "../protocol/session.ts";
import { turnSettings } from "../protocol/settings/turn-settings.ts";
import { askSlices, type Decision, type Draft, facts, requestTurn, type Running, type World } from "./decision.ts";
import { continuationOf } from "./held/held-runs.ts";
import { AUTO_CONTINUE, queueInjection } from "./injections.ts";
import { defuse } from "./text/defuse.ts";
import { continueText, summaryText, urgeText } from "./text/server-texts.ts";
import { joined, steeredInput } from "./turn-input.ts";

const AUTO_CONTINUE_PRIORITY = 1;

/** Messages leave the inbox in the step that records them as this turn's input, so each is delivered once. */
export function decideSteer({ session, turn }: Running): Decision {
  const refused = refuseWhileCalling({ session, turn });
  if (refused !== undefined) return refused;
  // a message with less behind it does not join a turn that may write: it waits for a turn of its own
  const inbox = session.inbox.filter(
    (message) => message.attended === true || (turn.attended !== true && (turn.lent !== true || message.lent === true)),
  );
  if (inbox.length === 0) return facts();
  const { turnId } = turn;
  const events: Draft[] = [
    { type: "entry.appended", entry: { kind: "input", turnId, ...steeredInput(inbox) } },
    { type: "turn.steered", turnId, messageIds: inbox.map((message) => message.id) },
  ];
  return { events, reply: { steered: inbox.length } };
}

/** No urging where a slice answers `hold`: an agent that plans, or waits for a person, may just talk. */
export function decideUrge(running: Running, { level }: CommandOf<"turn.urge">, world: World): Decision {
  const refused = refuseWhileCalling(running);
  if (refused !== undefined) return refused;
  if (continuationOf(running.session, world) === "hold") return facts();
  const { turnId } = running.turn;
  const said = { text: urgeText(level), injectionIds: [`urge:${level}`], messages: [] };
  const events: Draft[] = [{ type: "entry.appended", entry: { kind: "input", turnId, ...said } }];
  return { events, reply: { urged: true } };
}

/** Replaces the older entries by one text: the summary and what the slices want preserved. The original request is kept. */
export function decideCompact(running: Running, command: CommandOf<"turn.compact">, world: World): Decision {
  const refused = refuseWhileCalling(running);
  if (refused !== undefined) return refused;
  const { session, turn } = running;
  const from = Math.max(session.historyFrom, session.compactedTo ?? 0);
  if (command.upTo <= from || command.upTo > session.entryCount) {
    return refuse("INVALID_REQUEST", `Entries ${from + 1} to ${session.entryCount} can be summarised.`);
  }
  const preserved = askSlices(
    session,
    world,
    (slice, state, at) => slice.describe?.preserved?.(state, at) ?? [],
  ).flat();
  const text = joined([summaryText(defuse(command.summary)), ...preserved]);
  const { upTo, asked } = command;
  return facts({ type: "entry.appended", entry: { kind: "summary", turnId: turn.turnId, upTo, text, asked } });
}

export const decideNote = ({ text, said }: CommandOf<"turn.note">): Decision =>
  facts({ type: "entry.appended", entry: { kind: "notice", ...noticeOf({ text, said: said ?? [] }) } });

function refuseWhileCalling({ turn }: Running) {
  if (turn.aborting || turn.ending) return refuse("TURN_NOT_RUNNING", "The turn is ending.");
  return turn.calls.length > 0 ? refuse("CALL_NOT_OPEN", "Calls of the last answer have no results yet.") : undefined;
}

/** Starts the next turn when one ended well with approved work left and the settings allow it. */
export function continueUnattended({ session, turn }: Running, world: World): Draft[] {
  const { enabled, maxCycles, stopOnMutation } = turnSettings(world.context.settings).autoContinue;
  const count = (session.unattendedTurns ?? 0) + 1;
  if (!enabled || count > maxCycles || turn.ending || (stopOnMutation && turn.mutated === true)) return [];
  if (continuationOf(session, world) !== "work") return [];
  const injection = {
    id: `auto-continue:${turn.turnId}`,
    kind: AUTO_CONTINUE,
    text: continueText(count, maxCycles),
    priority: AUTO_CONTINUE_PRIORITY,
    createdAtMs: world.context.nowMs,
  };
  return [
    { type: "turn.continued", unattendedTurns: count },
    ...queueInjection(session.injections, injection),
    requestTurn(world.context, AUTO_CONTINUE, { continues: true }),
  ];
}
