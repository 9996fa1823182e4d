import { describe, expect, it } from "vitest";
import { type AnySlice, anySlice, type Slice } from "../core/slice.ts";
import type { CardText } from "../protocol/card/card.ts";
import { z } from "zod";
import type { Session } from "../protocol/session.ts";
import { createSessionDescriptions } from "./session-descriptions.ts";

/** Counts how often it describes, and shows the settings that it was given. */
function counting(name: string) {
  const counts = { cards: 0, controls: 0 };
  const slice: Slice<null, { type: "none" }, { type: "none" }, unknown> = {
    name,
    state: z.null(),
    command: z.strictObject({ type: z.literal("none") }),
    settings: z.unknown(),
    initial: null,
    decide: () => ({ events: [], reply: null }),
    evolve: (state) => state,
    effects: () => [],
    describe: {
      cards: () => ((counts.cards += 1), []),
      controls: (_state, { settings }) => ((counts.controls += 1), { settings: String(settings) }),
    },
  };
  return { slice: anySlice(slice), counts };
}

function described() {
  const { slice, counts } = counting("one");
  const slices = new Map<string, AnySlice>([["one", slice]]);
  const now: { settings: Record<string, unknown>; warnings: CardText[] } = { settings: { one: 1 }, warnings: [] };
  const descriptions = createSessionDescriptions({
    slices,
    settingsFor: () => now.settings,
    cardWarnings: () => now.warnings,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the descriptions look at nothing else of a session
  const session = { slices: {} } as Session;
  return { descriptions, session, slices, now, counts };
}

describe("what slices describe", () => {
  it("[CH-01] is derived once from one state", () => {
    const { descriptions, session, counts } = described();
    expect(descriptions.cards(session)).toBe(descriptions.cards(session));
    expect(descriptions.controls(session)).toBe(descriptions.controls(session));
    expect(counts).toEqual({ cards: 1, controls: 1 });
    descriptions.cards({ ...session });
    expect(counts.cards).toBe(2);
  });

  it("[CH-01] is derived anew under other settings, with other slices and with other warnings", () => {
    const { descriptions, session, slices, now, counts } = described();
    expect(descriptions.controls(session)).toEqual({ one: { settings: "1" } });
    now.settings = { one: 2 };
    expect(descriptions.controls(session)).toEqual({ one: { settings: "2" } });
    slices.set("two", counting("two").slice);
    expect(descriptions.controls(session)).toEqual({ one: { settings: "2" }, two: { settings: "undefined" } });
    slices.set("two", counting("two").slice);
    descriptions.cards(session);
    now.warnings = [{ text: "careful" }];
    descriptions.cards(session);
    expect(counts).toEqual({ cards: 2, controls: 3 });
    slices.delete("two");
    expect(descriptions.controls(session)).toEqual({ one: { settings: "2" } });
  });
});
