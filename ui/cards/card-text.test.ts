import { beforeEach, expect, it } from "vitest";
import { speak, withTexts } from "../i18n/t.ts";
import { asSentence, headingText, statusText } from "./card-text.ts";

const card = { heading: { text: "A plan waits for your signature" }, status: { text: "It waits." } };

beforeEach(() => withTexts(() => speak(["de"]), "cards"));

it("[PG-03, UI-08] a card of a plugin from outside says so before anything that it says itself", () => {
  const plugin = "la\u200Bmp";
  expect(headingText({ ...card, plugin })).toBe("Vom Plugin la‹U+200B›mp: A plan waits for your signature");
  expect(statusText({ ...card, plugin }, undefined)).toBe("Vom Plugin la‹U+200B›mp: It waits.");
});

it("[UI-06] a card of the gateway says what it says", () => {
  expect([headingText(card), statusText(card, undefined)]).toEqual([card.heading.text, card.status.text]);
});

it("[UI-06] ends a sentence with the full stop of its language, once", () => {
  expect(["Sent back by Ann", "Done.", "Annが差し戻し", "Ann 已退回", "Ann 님이 반려함"].map(asSentence)).toEqual([
    "Sent back by Ann.",
    "Done.",
    "Annが差し戻し。",
    "Ann 已退回。",
    "Ann 님이 반려함.",
  ]);
});
