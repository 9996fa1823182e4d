/**
 * What a turn tells the model: injections by priority, then what the slices say about where things stand, then what
 * people wrote. Only the server writes envelopes: a marker in people's words is defused before it stands beside one.
 */
import type { Injection } from "../protocol/injection.ts";
import type { Session } from "../protocol/session.ts";
import type { EntryOf } from "../protocol/transcript.ts";
import { askSlices, type World } from "./decision.ts";
import { deliveryOrder } from "./injections.ts";
import { defuse } from "./text/envelope.ts";

type Input = Omit<EntryOf<"input">, "kind" | "turnId">;

/** Undefined when nobody has anything to say; where things stand is no reason for a turn. */
export function turnInput(session: Session, world: World): Input | undefined {
  const injections = deliveryOrder(session.injections, world.context.nowMs);
  const said = wordsOf(session.inbox);
  if (injections.length === 0 && said === "") return undefined;
  const standing = askSlices(session, world, (slice, state, at) => slice.turnText?.(state, at) ?? []).flat();
  return inputOf(injections, standing, session.inbox);
}

/** What people wrote while the turn ran, to be taken up in mid-turn. */
export const steeredInput = (inbox: Session["inbox"]): Input => inputOf([], [], inbox);

function inputOf(injections: readonly Injection[], standing: readonly string[], inbox: Session["inbox"]): Input {
  return {
    text: joined([...injections.map((injection) => injection.text), ...standing, wordsOf(inbox)]),
    injectionIds: injections.map((injection) => injection.id),
    messages: inbox.map(({ id, text, from }) => ({ id, text, from })),
  };
}

const wordsOf = (inbox: Session["inbox"]): string => defuse(joined(inbox.map((message) => message.text))).trim();

export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");
