/** Each folder of a plugin's texts is whole: every key in every language of the page, and none that another has. */
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGLISH } from "../../src/protocol/localized/english.ts";
import type { PageLanguage, TextLoaders, TextTable } from "../../src/protocol/localized/text-loaders.ts";
import { isLocale, loadApart, LOCALES } from "../../ui/i18n/locales.ts";
import { misfits } from "../kit/text-forms.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const folders = globSync("src/**/texts/index.ts", { cwd: ROOT }).toSorted();
const languages = Object.keys(LOCALES).filter(isLocale);

async function loadersIn(path: string): Promise<TextLoaders> {
  const module = (await import(join(ROOT, path))) as Record<string, TextLoaders>;
  const [loaders, ...more] = Object.values(module);
  if (loaders === undefined || more.length > 0) throw new Error(`${path} exports its texts and nothing else`);
  return loaders;
}

const mapOf = (table: TextTable): Map<string, TextTable[string]> => new Map(Object.entries(table));
const keysOf = (table: TextTable): string[] => Object.keys(table).toSorted();

describe.each(folders)("%s", async (path) => {
  const loaders = await loadersIn(path);
  const english = await loaders.en();

  it.each(languages)("[UI-06] says in %s what it says in English, with the same placeholders", async (language) => {
    const texts = await loaders[language]();
    expect(keysOf(texts)).toEqual(keysOf(english));
    expect(misfits(mapOf(texts), mapOf(english), language)).toEqual([]);
  });
});

it("[UI-06] the page has the texts of every such folder, and no two say something under one key", async () => {
  expect(folders.length).toBeGreaterThan(3);
  const keys = async (language: PageLanguage): Promise<string[]> =>
    (await Promise.all(folders.map(async (path) => keysOf(await (await loadersIn(path))[language]())))).flat();
  const all = await keys("en");
  const core = Object.keys(ENGLISH);
  expect(keysOf(await loadApart("en", "localized"))).toEqual([...core, ...all].toSorted());
  expect(keysOf(await loadApart("de", "localized"))).toEqual([...core, ...(await keys("de"))].toSorted());
  expect([...new Set(all)]).toEqual(all);
  expect(all.filter((key) => Object.hasOwn(ENGLISH, key))).toEqual([]);
});
