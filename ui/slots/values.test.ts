import { beforeAll, expect, it } from "vitest";
import { speak, withTexts } from "../i18n/t.ts";
import { isShown, needsSession, sayValue, textOf, valueAt } from "./values.ts";

beforeAll(() => withTexts(() => speak(["en"]), "slots"));

const data = { deploy: { status: "ready", n: 3, list: [{ a: 1 }], none: null, no: false, empty: [] } };

it("[UI-09] a path leads to a field of the plugin's projection, and never into what objects inherit", () => {
  expect(valueAt(data, "deploy.status")).toBe("ready");
  expect(valueAt(data, "deploy.list.0.a")).toBe(1);
  const nowhere = ["deploy.gone", "x.y.z", "deploy.status.length", "constructor.name", "__proto__"];
  expect(nowhere.map((path) => valueAt(data, path))).toEqual(nowhere.map(() => undefined));
});

it("[UI-09] [UI-08] every value becomes a text that shows what it holds", () => {
  expect([sayValue(undefined), sayValue(null), sayValue(1234.5), sayValue(true), sayValue(false)]).toEqual([
    "–",
    "–",
    "1,234.5",
    "yes",
    "no",
  ]);
  expect(textOf("safe\u202Etxt", data)).toBe("safe‹U+202E›txt");
  expect(textOf({ path: "deploy.list" }, data)).toBe('[{"a":1}]');
  expect(textOf("x".repeat(5_000), data)).toHaveLength(2_001);
});

it("[UI-09] an element is shown while its field is true, not empty and not zero, or has the value", () => {
  const shown = (when: { path: string; equals?: string | number | boolean | null }) => isShown({ when }, data);
  expect([isShown({}, data), shown({ path: "deploy.n" }), shown({ path: "deploy.list" })]).toEqual([true, true, true]);
  expect(["none", "no", "empty", "gone"].map((name) => shown({ path: `deploy.${name}` }))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(shown({ path: "deploy.n", equals: 3 })).toBe(true);
  expect(shown({ path: "deploy.n", equals: "3" })).toBe(false);
  expect(shown({ path: "deploy.gone", equals: null })).toBe(true);
  expect(shown({ path: "deploy.no", equals: false })).toBe(true);
});

it("[UI-09] only what shows or does something of a session needs one", () => {
  expect(needsSession([{ kind: "text", text: "hello" }])).toBe(false);
  expect(needsSession([{ kind: "card", children: [{ kind: "badge", text: { path: "deploy.n" } }] }])).toBe(true);
  expect(needsSession([{ kind: "action", action: "go", label: "Go" }])).toBe(true);
});
