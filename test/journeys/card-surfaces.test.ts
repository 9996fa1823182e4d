/** The same card on the page, in the terminal and in text: the same state, and the same things to do. */
import { beforeAll, describe, expect, it } from "vitest";
import { cardLines } from "../../src/cli/cards/card-lines.ts";
import { optionsOf } from "../../src/cli/cards/question-card.ts";
import { NO_PAINT } from "../../src/cli/text/paint.ts";
import { cardWords } from "../../src/plan-mode/render/render-card.ts";
import { type Card, isWaiting } from "../../src/protocol/card/card.ts";
import { cardText, statusText } from "../../ui/cards/card-text.ts";
import { speak, loadLocalized, withTexts } from "../../ui/i18n/t.ts";
import { CARD_WORLDS, cardsOf, CLOSINGS, closedIn } from "../kit/card-world.ts";

beforeAll(async () => {
  await speak(["en"]);
  await withTexts(loadLocalized, "cards");
});

const person = { id: "opr_x", name: "X", scopes: ["operator.admin" as const] };
const terminal = (card: Card): string =>
  cardLines(card, { look: { columns: 2_000, paint: NO_PAINT }, nowMs: 0, person }).join("\n");
const text = (card: Card): string => cardWords(card).text;

/** What waits is drawn whole, and says by itself that it waits. */
const says = (shown: string, card: Card): boolean => isWaiting(card) || shown.includes(card.status.text);

const worlds = Object.keys(CARD_WORLDS) as (keyof typeof CARD_WORLDS)[];
const cards = [
  ...worlds.flatMap((name) => cardsOf(CARD_WORLDS[name]()).map((card) => [name, card] as const)),
  ...CLOSINGS.map(([name, world, change]) => {
    const session = CARD_WORLDS[world]();
    const [closed] = closedIn(session, () => change(session));
    if (closed === undefined) throw new Error(`${name} closes nothing`);
    return [name, closed] as const;
  }),
];

describe("a card on every surface", () => {
  it.each(cards)("[CH-07, UI-02] stands the same everywhere: %s", (_name, card) => {
    const stands = card.status.text;
    expect(statusText(card, undefined)).toBe(stands);
    expect([terminal(card), text(card)].map((shown) => says(shown, card))).toEqual([true, true]);
  });

  it.each(cards.filter(([, card]) => isWaiting(card) || card.kind === "notice"))(
    "[CH-07, QU-02] offers the same everywhere: %s",
    (_name, card) => {
      for (const { label, command, input } of card.actions) {
        expect(cardText(label)).toBe(label.text); // on the page each action is a button with its label
        if (command === undefined || (card.kind !== "approval" && card.kind !== "notice")) continue;
        expect([terminal(card), text(card)].map((shown) => shown.includes(command))).toEqual([true, true]);
        expect(input.kind).not.toBe("steps"); // what takes a whole plan cannot be typed
      }
      if (card.kind !== "question" && card.kind !== "grant") return;
      for (const { label } of optionsOf(card)) {
        expect([terminal(card), text(card)].map((shown) => shown.includes(label))).toEqual([true, true]);
      }
    },
  );

  it.each(cards)("[GA-15] says everywhere that commands run without a sandbox: %s", (_name, card) => {
    const warning = "Commands run without a sandbox here.";
    const warned = { ...card, warnings: [{ text: warning }] };
    expect([terminal(warned), text(warned)].map((shown) => shown.includes(warning))).toEqual([true, true]);
  });
});
