/** One thing has one word in each language; sentences of East Asian languages have their own punctuation. */
import { describe, expect, it } from "vitest";
import { allTexts, word } from "../../test/kit/all-texts.ts";
import { GLOSSARIES, IDEAS, type Idea, proseOf } from "../../test/kit/language-glossary.ts";
import { formsOf } from "../../test/kit/text-forms.ts";
import { fitParticles } from "./ko/particles.ts";
import { isLocale, LOCALES } from "./locales.ts";
import { fillText, speak } from "./t.ts";
import type { Texts } from "./text-types.ts";

const prose = (texts: Texts): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([area, names]) =>
      Object.entries(names).map(([name, text]): [string, string] => [
        `${area}.${name}`,
        formsOf(text).map(proseOf).join(" | "),
      ]),
    ),
  );

/** Sentences that do without the word in some languages; whoever adds one has looked at it. */
const WITHOUT_THE_WORD: Readonly<Partial<Record<Idea, readonly string[]>>> = {
  plan: ["localized.rule_auto"],
  model: ["localized.reason_model"], // to people it is the agent that does something
};

const english = prose(await allTexts("en"));
const others = Object.keys(LOCALES)
  .filter(isLocale)
  .filter((id) => id !== "en");

describe.each(others)("the words in %s", async (id) => {
  const texts = await allTexts(id);
  const said = prose(texts);

  it.each(Object.entries(GLOSSARIES[id]))("[UI-06] have one for %s", (name, { word: used, not }) => {
    const idea = Object.keys(IDEAS).find((one): one is Idea => one === name) ?? "plan";
    const about = [...english].filter(([, source]) => IDEAS[idea].test(source)).map(([key]) => key);
    const left = WITHOUT_THE_WORD[idea] ?? [];
    const missing = about.filter((key) => !left.includes(key) && !used.test(said.get(key) ?? ""));
    const wrong = about.filter((key) => not?.test(said.get(key) ?? "") === true);
    expect({ missing: missing.map(shown), wrong: wrong.map(shown) }).toEqual({ missing: [], wrong: [] });
  });

  it("[UI-06] name the parts of a session and of a plan apart", () => {
    const places = ["app.conversation", "app.plan", "app.run", "app.timeline", "review.tabHistory"] as const;
    const names = places.map((key) => word(texts, key));
    expect(new Set(names).size).toBe(names.length);
  });

  const shown = (key: string): string => `${key}: ${said.get(key)}`;
});

it("[UI-06] particles in Korean follow what is put before them, and no text leaves both", async () => {
  await speak(["ko"]);
  const said = (name: string): string[] => [
    fillText("{name}(으)로 저장했습니다.", { name }),
    fillText("{name}은(는) “{name}”이(가) {name}을(를) ({name})와(과)", { name }),
  ];
  expect(["계획", "메모", "서울", "v2", "7", "gpt-5.1", "sonnet)"].map(said)).toEqual([
    ["계획으로 저장했습니다.", "계획은 “계획”이 계획을 (계획)과"],
    ["메모로 저장했습니다.", "메모는 “메모”가 메모를 (메모)와"],
    ["서울로 저장했습니다.", "서울은 “서울”이 서울을 (서울)과"],
    ["v2로 저장했습니다.", "v2는 “v2”가 v2를 (v2)와"],
    ["7로 저장했습니다.", "7은 “7”이 7을 (7)과"],
    ["gpt-5.1로 저장했습니다.", "gpt-5.1은 “gpt-5.1”이 gpt-5.1을 (gpt-5.1)과"],
    ["sonnet)로 저장했습니다.", "sonnet)는 “sonnet)”가 sonnet)를 (sonnet))와"],
  ]);
  expect(fillText("{name}(으)로 저장했습니다.", { name: "은(는)" })).toBe("은(는)으로 저장했습니다."); // what people write stays
  const both = /은\(는\)|이\(가\)|을\(를\)|와\(과\)|\(으\)로/;
  const texts = Object.values(await allTexts("ko")).flatMap((area) => Object.values(area).flatMap(formsOf));
  expect(texts.filter((text) => both.test(fitParticles(text, () => "")))).toEqual([]);
  await speak(["en"]);
});

const EAST = "\\u3040-\\u30ff\\u3400-\\u9fff";
const HALF = new RegExp(`[${EAST}◌）」』”][,;:!?](?=[\\s${EAST}◌]|$)|[${EAST}] ?\\(|\\([${EAST}]|[${EAST}]\\)`);

it.each(["ja", "zh-CN", "zh-TW"] as const)("[UI-06] sentences in %s have full-width punctuation", async (id) => {
  const texts = [...prose(await allTexts(id))].filter(([, text]) => text.split(" | ").some((form) => HALF.test(form)));
  expect(texts).toEqual([]);
});
