import { describe, expect, it } from "vitest";
import { cardsOf, CARD_WORLDS } from "../../../test/kit/card-world.ts";
import type { CardAction, NoticeCard } from "../../protocol/card/card.ts";
import { answerTo } from "./decision.ts";
import { pressedOn } from "./press.ts";

const action = (id: string, more: Partial<CardAction> = {}): CardAction => ({
  id,
  label: { text: id },
  tone: "other",
  scope: "operator.write",
  input: { kind: "none" },
  patch: { field: "lamp", value: { do: id } },
  ...more,
});
const notice = (id: string, actions: CardAction[]): NoticeCard => ({
  kind: "notice",
  id,
  slice: "lamp",
  state: "shown",
  heading: { text: "Lamp" },
  title: "",
  status: { text: "It is dark." },
  sinceMs: 0,
  level: "info",
  actions,
});
const words = action("note", {
  input: { kind: "text", field: "text", charsMin: 1, charsMax: 9, label: { text: "What?" } },
});
const colour = action("paint", {
  input: {
    kind: "option",
    field: "colour",
    options: [
      { id: "r", label: "Red" },
      { id: "g", label: "Green" },
    ],
  },
});

describe("/press", () => {
  it("[CH-07] takes an action that no command stands for, with what it needs", () => {
    const cards = [notice("n1", [action("light"), words, colour])];
    expect(pressedOn("light", cards)).toEqual({ patch: { lamp: { do: "light" } } });
    expect(pressedOn("note so dark", cards)).toEqual({ patch: { lamp: { do: "note", text: "so dark" } } });
    expect(pressedOn("paint 2", cards)).toEqual({ patch: { lamp: { do: "paint", colour: "g" } } });
    expect(pressedOn("note", cards)).toEqual({ problem: "It needs words: /press note <What?>" });
    expect(pressedOn("paint blue", cards)).toHaveProperty("problem");
  });

  it("[CH-07] asks which card is meant, and guesses nothing", () => {
    const cards = [notice("n1", [action("light")]), notice("n2", [action("light")])];
    expect(pressedOn("light", cards)).toEqual({
      problem: "Several cards have it. Type one of: /press n1 light · /press n2 light",
    });
    expect(pressedOn("n2 light", cards)).toEqual({ patch: { lamp: { do: "light" } } });
    expect(pressedOn("", [])).toEqual({ problem: "No card here has that action. Nothing can be pressed now." });
  });

  it("[PL-10] decides on no plan: what has a command is typed as that command", () => {
    expect(pressedOn("approve", cardsOf(CARD_WORLDS.pending()))).toHaveProperty("problem");
  });
});

it("[QU-02] an answer to a plugin's question names the option that was meant, or takes the action of that name", () => {
  const base = { ...notice("q", [colour]), questionId: "q", options: [], freeText: false, question: "Which?" };
  const asked = { ...base, kind: "question", state: "open" } as const;
  expect(answerTo(asked, { typed: "2", answer: "Green", optionId: "g" })).toEqual({
    lamp: { do: "paint", colour: "g" },
  });
  const call = { tool: "t", folder: "/", shown: "", rule: "r", matched: "" };
  const held = { ...asked, kind: "grant", call, why: { text: "" }, actions: [action("yes")] } as const;
  expect(answerTo({ ...held, actions: [action("yes")] }, { typed: "1", answer: "yes", optionId: "yes" })).toEqual({
    lamp: { do: "yes" },
  });
});
