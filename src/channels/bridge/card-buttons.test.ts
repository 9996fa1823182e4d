import { expect, it } from "vitest";
import type { CardAction } from "../../protocol/card/card.ts";
import { approval } from "../contract/sample-items.ts";
import { cardButtons } from "./card-buttons.ts";
import { whatsappAbout } from "../whatsapp/about.ts";

const labels = (...given: string[]): string[] => {
  const [first] = approval().actions;
  if (first === undefined) throw new Error("an action");
  const actions = given.map((text, at): CardAction => ({ ...first, id: `a${at}`, label: { text } }));
  const drawn = actions.map(({ id }) => ({ action: id, token: `h1.${id}` }));
  return cardButtons(approval({ actions }), drawn, whatsappAbout.capabilities).map(({ label }) => label);
};

it("[CH-07] a label that does not fit is cut so that no two buttons look alike", () => {
  expect(labels("Accept", "Accept, allow edits")).toEqual(["Accept", "Accept, allow edits"]);
  expect(labels("Send it back with words")).toEqual(["Send it back with w…"]);
  expect(labels("Accept nevertheless", "Accept nevertheless, allow edits")).toEqual([
    "Accept nevertheless",
    "Accept ne…llow edits",
  ]);
  const [before, after] = ["x".repeat(20), "y".repeat(20)];
  expect(labels(`${before} and ${after}`, `${before} or ${after}`, "Neither")).toEqual([
    "1) xxxxxxxx…yyyyyyyy",
    "2) xxxxxxxx…yyyyyyyy",
    "Neither",
  ]);
});
