import { expect, it } from "vitest";
import { ownLines, ownText, withOwnLines } from "./own-lines.ts";

const lamp = { pluginId: "lamp", english: { lit: "The lamp is {colour}.", red: "red" } };

it("[PG-02, UI-06] what a plugin says its lines mean stands under its own id", () => {
  expect(ownLines([{ line: 2, key: "lit", args: { colour: { key: "red", args: {} } } }], lamp)).toEqual([
    { line: 2, key: "lamp.lit", args: { colour: { key: "lamp.red", args: {} } } },
  ]);
});

it("[PG-02, PL-02] no plugin speaks in the house's words, not even inside its own", () => {
  const house = { key: "planAccepted", args: {} };
  expect(ownLines([{ line: 0, ...house }], lamp)).toEqual([]);
  expect(ownLines([{ line: 0, key: "lit", args: { colour: house } }], lamp)).toEqual([]);
  expect(ownLines([{ line: 0, key: "toString", args: {} }], lamp)).toEqual([]);
});

it("[PG-02, UI-06] each text of a card is told apart by itself", () => {
  const red = { line: 0, key: "red", args: {} };
  const card = {
    heading: { text: "red", said: [red] },
    actions: [{ label: { text: "Accept", said: [{ line: 0, key: "cardAccept", args: {} }] }, at: null }],
  };
  expect(withOwnLines(card, lamp)).toEqual({
    heading: { text: "red", said: [{ ...red, key: "lamp.red" }] },
    actions: [{ label: { text: "Accept" }, at: null }],
  });
});

it("[PG-02] what is no line at all is left out", () => {
  expect(withOwnLines({ message: "x", said: [{ line: 0, key: "red" }] }, lamp)).toEqual({ message: "x" });
});

it("[PG-02, UI-06] a text that is found by its key needs no filling", () => {
  expect(["red", "lit", "none"].map((key) => ownText(key, lamp)?.said[0]?.key)).toEqual([
    "lamp.red",
    undefined,
    undefined,
  ]);
});
