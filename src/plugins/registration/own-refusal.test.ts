import { expect, it } from "vitest";
import { ownAnswer, ownRefusal } from "./own-refusal.ts";

const lamp = { pluginId: "lamp", english: { refused_HOT: "It is too hot.", red: "red" } };

it("[PG-02, PL-02] a refusal of a plugin from outside cannot be told in the house's words", () => {
  const said = [{ line: 0, key: "planAccepted", args: {} }];
  expect(ownRefusal({ code: "FORBIDDEN", message: "No.", said }, lamp)).toEqual({ code: "FORBIDDEN", message: "No." });
  expect(ownRefusal({ code: "APPROVAL_ALREADY_DECIDED", message: "No." }, lamp).code).toBe(
    "lamp.APPROVAL_ALREADY_DECIDED",
  );
});

it("[PG-02, UI-06] it has codes and texts of its own, which stay as they are when they are passed on", () => {
  const own = ownRefusal(
    { code: "HOT", message: "It is too hot.", said: [{ line: 0, key: "refused_HOT", args: {} }], retry: true },
    lamp,
  );
  expect(own).toEqual({
    code: "lamp.HOT",
    message: "It is too hot.",
    said: [{ line: 0, key: "lamp.refused_HOT", args: {} }],
    retry: true,
  });
  expect(ownRefusal(own, lamp)).toEqual(own);
});

it("[PG-02] an answer that is no refusal is left as it is", () => {
  const answer = { colour: "red", said: [{ line: 0, key: "planAccepted", args: {} }] };
  expect(ownAnswer(answer, lamp)).toBe(answer);
});
