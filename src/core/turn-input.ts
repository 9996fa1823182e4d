/**
 * The input of a turn: injections by priority, then the slices' texts about the present state, then what people wrote.
 * Only the server writes envelopes: a marker in people's text is defused before it is placed beside one.
 */
import type { Injection } from "../protocol/injection.ts";
import type { Prepared, QueuedMessage, Session } from "../protocol/session.ts";
import type { EntryOf } from "../protocol/transcript-entry.ts";
import { askSlices, type World } from "./decision.ts";
import { deliveryOrder } from "./injections.ts";
import { defuse } from "./text/defuse.ts";
import { oneLine } from "./text/reveal-hidden.ts";

type Input = Omit<EntryOf<"input">, "kind" | "turnId">;

/** Undefined when nothing is queued; the slices' texts alone are no reason for a turn. */
export function turnInput(session: Session, world: World, prepared: Prepared = NOTHING): Input | undefined {
  const injections = deliveryOrder(session.injections, world.context.nowMs);
  const said = localizedTextOf(session.inbox);
  if (injections.length === 0 && said === "") return undefined;
  const sliceTexts = askSlices(
    session,
    world,
    (slice, state, at) => slice.describe?.turnText?.(state, at) ?? [],
  ).flat();
  const input = inputOf(injections, sliceTexts, session.inbox);
  return { ...input, text: joined([...prepared.before, input.text, ...prepared.after]) };
}

const NOTHING: Prepared = { before: [], after: [] };

/** Messages that people wrote while the turn ran, taken up in the middle of it. */
export const steeredInput = (inbox: Session["inbox"]): Input => inputOf([], [], inbox);

function inputOf(injections: readonly Injection[], sliceTexts: readonly string[], inbox: Session["inbox"]): Input {
  const [before, after] = [textsOf(injections.filter(isBefore)), textsOf(injections.filter((one) => !isBefore(one)))];
  return {
    text: joined([...before, ...sliceTexts, localizedTextOf(inbox), ...after]),
    injectionIds: injections.map((injection) => injection.id),
    messages: inbox.map(({ atMs: _atMs, attended: _attended, lent: _lent, ...message }) => message),
  };
}

const textsOf = (injections: readonly Injection[]): string[] => injections.map((injection) => injection.text);
const isBefore = ({ placement }: Injection): boolean => placement === undefined;

const localizedTextOf = (inbox: Session["inbox"]): string => defuse(joined(inbox.map(saidIn))).trim();

/** Names attachments in the text too, because not every model can look at them. */
const saidIn = ({ text, attachments = [] }: QueuedMessage): string =>
  [
    text,
    ...attachments.map(({ name, mediaType, size }) => `(attached: ${oneLine(name)}, ${mediaType}, ${size} bytes)`),
  ].join("\n");

export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");
