/** Drafts of events, and what the parts of `decide` share. */
import { TurnId } from "../protocol/ids.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Session, SessionEvent, TurnIn } from "../protocol/session.ts";
import { type Backing, backing, isAttended } from "./held/attendance.ts";
import type { Artifact } from "./effect.ts";
import type { AnySlice, Context, SliceContext, SliceRegistry } from "./slice.ts";

export type World = { context: Context; slices: SliceRegistry };

/** A session together with its turn, which runs. */
export type Running = { session: Session; turn: TurnIn<"running"> };

/** An entry gets its number when it is folded in, because effects of earlier events may append entries before it. */
export type Draft = Exclude<SessionEvent, { type: "entry.appended" }> | EntryDraft;
type EntryDraft = Omit<Extract<SessionEvent, { type: "entry.appended" }>, "n">;
export type Decision = { events: Draft[]; reply: Json; artifacts?: Artifact[] } | Refused;

export const facts = (...events: Draft[]): Decision => ({ events, reply: null });

/** Actors are recorded by name in what people read; audit rows name them by id. */
export const authorOf = (context: Context): string =>
  context.actor.kind === "operator" ? context.actor.name : context.actor.kind;

/** Requests a turn; `evolve` keeps an earlier request, if there is one. */
export const requestTurn = (context: Context, cause: string, by: Backing): Draft => ({
  type: "turn.requested",
  turnId: TurnId.parse(`trn_${freshString(context, 3)}`),
  cause,
  ...backing(by),
});

export function applySlice(
  session: Session,
  asked: { slice: string; command: JsonObject },
  { context, slices }: World,
): Decision {
  const slice = slices.get(asked.slice);
  if (slice === undefined)
    return refuse("UNKNOWN_SLICE", `No enabled plugin owns the session extension "${asked.slice}".`);
  const decision = slice.decide(
    session.slices[slice.name] ?? slice.initial,
    asked.command,
    sliceContext(session, slice, context),
  );
  if ("refused" in decision) return decision;
  return {
    events: decision.events.map((event) => ({ type: "slice.changed", slice: slice.name, event })),
    reply: decision.reply,
  };
}

/** Asks every slice one question and collects the answers in the order of the registry. */
export function askSlices<Answer>(
  session: Session,
  { context, slices }: World,
  question: (slice: AnySlice, state: Json, at: SliceContext<unknown>) => Answer,
): Answer[] {
  return [...slices.values()].map((slice) =>
    question(slice, session.slices[slice.name] ?? slice.initial, sliceContext(session, slice, context)),
  );
}

export function sliceContext(session: Session, slice: AnySlice, context: Context): SliceContext<unknown> {
  return {
    nowMs: context.nowMs,
    actor: context.actor,
    settings: context.settings[slice.name],
    session,
    ...(context.revoked === undefined ? {} : { revoked: context.revoked }),
    get unattended() {
      return !isAttended(session, context.settings); // few slices ask for it, so the others pay nothing
    },
    freshId: (prefix, slot) => `${prefix}_${freshString(context, slot)}`,
  };
}

function freshString(context: Context, slot: number): string {
  const fresh = context.fresh[slot];
  if (fresh === undefined) throw new Error(`no fresh string in slot ${slot}`);
  return fresh;
}
