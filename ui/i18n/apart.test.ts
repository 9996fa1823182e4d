/** Texts that are loaded apart come with whatever says them: no part of the page is shown before it can speak. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { APART } from "../../test/kit/all-texts.ts";
import { PSEUDO_LOCALE } from "./locales.ts";
import { language, speak, t, withTexts } from "./t.ts";

const UI = join(import.meta.dirname, "..");
const sources = new Map(
  globSync("**/*.ts", { cwd: UI, exclude: (path) => path.startsWith("i18n") || path.endsWith(".test.ts") }).map(
    (path) => [path, readFileSync(join(UI, path), "utf8")],
  ),
);

const STATIC_IMPORT = /^(?:import|export)(?! type)[^;]*?"(\.[^"]+)";/gm;
const LOADED_WITH_TEXTS = /withTexts\(\s*\(\) => import\("([^"]+)"\)((?:,\s*"\w+")*),?\s*\)/g;
const LOADED_ALONE = /(?<!withTexts\(\s*\(\) => )\bimport\("([^"]+)"\)/g;

const at = (from: string, path: string): string => relative(UI, join(UI, from, "..", path));

/** A module with all that is loaded before it runs. */
function closureOf(entry: string): Set<string> {
  const closure = new Set([entry]);
  for (const path of closure) {
    for (const [, imported = ""] of sources.get(path)?.matchAll(STATIC_IMPORT) ?? []) closure.add(at(path, imported));
  }
  return closure;
}

/** A key with a function behind it is the name of a fact. `localized` is no matter of names in the code, and does without texts until they are there. */
function apartAreasSaidIn(entry: string): string[] {
  const code = [...closureOf(entry)].map((path) => sources.get(path) ?? "").join("\n");
  const areas = new Set([...code.matchAll(/["`](\w+)\.\w+(?:["`](?!: \()|\$\{)/g)].map(([, area = ""]) => area));
  return APART.filter((area) => areas.has(area) && area !== "localized");
}

/** Everything that is loaded by itself, with the areas that are loaded beside it. */
const loads: [string, string[]][] = [
  ["main.ts", []],
  ...[...sources].flatMap(([from, code]) => [
    ...[...code.matchAll(LOADED_WITH_TEXTS)].map(([, path = "", areas = ""]): [string, string[]] => [
      at(from, path),
      [...areas.matchAll(/\w+/g)].map(([area]) => area),
    ]),
    ...[...code.matchAll(LOADED_ALONE)].map(([, path = ""]): [string, string[]] => [at(from, path), []]),
  ]),
];

it.each(loads)("[UI-06] %s is loaded with the texts that it says: %j", (entry, areas) => {
  expect(sources.has(entry)).toBe(true);
  expect(areas.filter((area) => area !== "localized").toSorted()).toEqual(apartAreasSaidIn(entry));
});

it("[UI-06] each area apart is loaded with something", () => {
  expect([...new Set(loads.flatMap(([, areas]) => areas))].toSorted()).toEqual(APART.toSorted());
});

describe("a part of the page that is loaded later", () => {
  const nothing = async (): Promise<void> => undefined;

  it("[UI-06] brings its texts in the language in use, and keeps them in every other", async () => {
    await speak(["de"]);
    expect(t("inbox.decide")).toBe("inbox.decide");
    await withTexts(nothing, "inbox");
    expect(t("inbox.decide")).toBe("Entscheiden");
    await speak(["fr"]);
    expect(t("inbox.decide")).toBe("Décider");
    await speak([PSEUDO_LOCALE]);
    expect(t("inbox.decide")).toMatch(/^\[Ðéçíðé·+\]$/);
  });

  it("[UI-06] has its texts also when the language changes while they are on their way", async () => {
    await speak(["en"]);
    await Promise.all([speak(["de"]), withTexts(nothing, "slots"), withTexts(nothing, "settings", "slots")]);
    expect([t("slots.yes"), t("settings.theme")]).toEqual(["ja", "Farben"]);
  });

  it("[UI-06] the language that was asked for last is the one that is spoken", async () => {
    await Promise.all([speak(["de"]), speak(["fr"]), speak(["uk"])]);
    expect(language.get().locale).toBe("uk");
  });
});
