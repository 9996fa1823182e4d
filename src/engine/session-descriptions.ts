/**
 * What a session's slices describe: what waits, its mode, cards and controls. Descriptions are pure, so cards and
 * controls are kept with the state that they were derived from until its settings, the slices or the warnings change.
 */
import { cardsIn } from "../core/cards.ts";
import { controlsIn } from "../core/controls.ts";
import type { AnySlice, SliceRegistry, Waiting } from "../core/slice.ts";
import type { Card, CardText } from "../protocol/card/card.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { modeIn, waitingIn } from "./to-commit.ts";

export type SessionDescriptions = {
  waiting(session: Session): Waiting | null;
  /** Null: the normal one. */
  mode(session: Session): string | null;
  /** The cards that its slices describe, under the present settings. Shared by all who ask: not to be changed. */
  cards(session: Session): Card[];
  /** What its slices offer by their controls, under the present settings. */
  controls(session: Session): Record<string, JsonObject>;
};

type Parts = {
  slices: SliceRegistry;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** What every card has to say besides. Absent: nothing. */
  cardWarnings?: () => readonly CardText[];
};

type From = {
  settings: Readonly<Record<string, unknown>>;
  slices: readonly AnySlice[];
  warnings: readonly CardText[];
};
type Described = { from: From; cards?: Card[]; controls?: Record<string, JsonObject> };

const NO_WARNINGS: readonly CardText[] = [];

export function createSessionDescriptions(parts: Parts): SessionDescriptions {
  const { slices, settingsFor, cardWarnings = () => NO_WARNINGS } = parts;
  const kept = new WeakMap<Session, Described>();
  let registered: readonly AnySlice[] = [];

  function registeredNow(): readonly AnySlice[] {
    if (!areSame(registered, slices)) registered = [...slices.values()];
    return registered;
  }

  function described(session: Session): Described {
    const settings = settingsFor(session);
    const warnings = cardWarnings();
    const now = registeredNow();
    const known = kept.get(session);
    if (known?.from.settings === settings && known.from.slices === now && known.from.warnings === warnings)
      return known;
    const made: Described = { from: { settings, slices: now, warnings } };
    kept.set(session, made);
    return made;
  }

  return {
    waiting: (session) => waitingIn(session, slices),
    mode: (session) => modeIn(session, slices),
    cards(session) {
      const found = described(session);
      return (found.cards ??= cardsIn(session, { ...found.from, slices }));
    },
    controls(session) {
      const found = described(session);
      return (found.controls ??= controlsIn(session, { ...found.from, slices }));
    },
  };
}

function areSame(known: readonly AnySlice[], slices: SliceRegistry): boolean {
  if (known.length !== slices.size) return false;
  let at = 0;
  for (const slice of slices.values()) if (slice !== known[at++]) return false;
  return true;
}
