import { expect, it } from "vitest";
import { writingKeys } from "./writing-keys.ts";

type Held = { ctrlKey?: boolean; metaKey?: boolean; isComposing?: boolean };

/** What came of a key, and whether anything around the field heard of it. */
function press(key: string, held: Held = {}): string[] {
  const came: string[] = [];
  const keys = writingKeys({ send: () => came.push("sent"), leave: () => came.push("left") });
  keys({
    key,
    ctrlKey: false,
    metaKey: false,
    isComposing: false,
    preventDefault: () => void came.push("kept from the browser"),
    stopPropagation: () => void came.push("kept from others"),
    ...held,
  });
  return came;
}

const KEPT = ["kept from the browser", "kept from others"];

it("[UI-02] Ctrl or Cmd with Enter sends, Escape leaves the text alone, Enter writes", () => {
  expect(press("Enter", { ctrlKey: true })).toEqual([...KEPT, "sent"]);
  expect(press("Enter", { metaKey: true })).toEqual([...KEPT, "sent"]);
  expect(press("Escape")).toEqual([...KEPT, "left"]);
  expect(press("Enter")).toEqual([]);
});

it("[UI-06] [UI-13] leaves both keys to whoever puts characters together", () => {
  expect(press("Escape", { isComposing: true })).toEqual([]);
  expect(press("Enter", { ctrlKey: true, isComposing: true })).toEqual([]);
});
