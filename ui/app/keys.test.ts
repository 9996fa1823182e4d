import { expect, it } from "vitest";
import { nameOf } from "./keys.ts";

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

it.each([
  [{ key: "?", shiftKey: true }, "?"],
  [{ key: "1", ctrlKey: true }, "Ctrl+1"],
  [{ key: "1", ctrlKey: true, shiftKey: true }, undefined],
  [{ key: "1", metaKey: true }, undefined],
  [{ key: "1", altKey: true }, undefined],
  [{ key: "Escape" }, "Escape"],
])("[UI-03] %j is the shortcut %s", (event, name) => expect(nameOf({ ...NONE, ...event })).toBe(name));
