/** Every language says everything that English says, with the same placeholders, in the plural forms that it has. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { allTexts } from "../../test/kit/all-texts.ts";
import { formsOf, misfits } from "../../test/kit/text-forms.ts";
import { bestLocale, isLocale, loadApart, LOCALES, loadTexts, PSEUDO_LOCALE } from "./locales.ts";
import { pseudo } from "./pseudo.ts";
import { sayClock, sayWhen } from "./say.ts";
import { speak, t } from "./t.ts";
import type { Text, Texts } from "./text-types.ts";

const flat = (texts: Texts): Map<string, Text> =>
  new Map(
    Object.entries(texts).flatMap(([area, names]) =>
      Object.entries(names).map(([name, text]): [string, Text] => [`${area}.${name}`, text]),
    ),
  );
/** Words that are the same in several languages; whoever adds one has looked at it. */
const SAME_EVERYWHERE = new Set([
  "localized.callOption",
  "app.name",
  "attachments.size",
  "review.revisionBy",
  "review.decidedLine",
  "review.export_markdown",
  "review.export_json",
  "slots.none",
  "localized.commandLine",
  "localized.permissionLine",
  "localized.kindLine",
  "localized.folderProblem",
]);
const SAME_IN: Readonly<Record<string, readonly string[]>> = {
  de: ["palette.agent", "localized.cardPlan", "app.plan", "chat.agent", "localized.mode_normal", "localized.planTitle"],
  es: [
    "localized.cardPlan",
    "app.plan",
    "review.tabPlan",
    "settings.no",
    "slots.no",
    "localized.kind_hook",
    "localized.planTitle",
  ],
  fr: [
    "inbox.filter_plans",
    "inbox.filter_questions",
    "palette.group_sessions",
    "palette.group_plans",
    "palette.agent",
    "localized.cardPlan",
    "app.sessions",
    "app.conversation",
    "chat.message",
    "chat.agent",
    "chat.log",
    "chat.arguments",
    "app.plan",
    "review.tabPlan",
    "review.noteText",
    "review.kind_question",
    "app.audit",
    "run.filter_messages",
    "run.agent",
    "run.inSession",
    "run.waitedPlans",
    "run.waitedQuestions",
    "settings.notices",
    "settings.config",
    "settings.standing_active",
    "settings.version",
    "localized.kind_hook",
  ],
  "pt-BR": ["review.shareLink", "run.system", "settings.plugins", "settings.gateway"],
  id: [
    "palette.model",
    "cards.folder",
    "chat.mode",
    "run.system",
    "settings.browser",
    "settings.model",
    "settings.gateway",
    "settings.modelNow",
    "settings.home",
  ],
  pl: [
    "palette.workspace",
    "palette.agent",
    "palette.model",
    "localized.cardPlan",
    "localized.planTitle",
    "chat.agent",
    "app.plan",
    "review.tabPlan",
    "run.agent",
    "settings.model",
    "settings.modelNow",
  ],
  tr: [
    "palette.model",
    "localized.cardPlan",
    "localized.planTitle",
    "app.plan",
    "review.tabPlan",
    "review.noteMark",
    "settings.model",
    "settings.modelNow",
  ],
};

/** Named by a value alone, as in `t(\`app.${status}\`)`. */
const NAMED_BY_VALUE = ["app.connecting", "app.reconnecting", "app.offline", "review.resolve", "review.reopen"];

const english = flat(await allTexts("en"));
const others = Object.keys(LOCALES)
  .filter(isLocale)
  .filter((id) => id !== "en");

describe.each(others)("the texts in %s", async (id) => {
  const texts = flat(await allTexts(id));

  it("[UI-06] hold every key, and no other", () => {
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it("[UI-06] are translated", () => {
    const known = new Set([...SAME_EVERYWHERE, ...(SAME_IN[id] ?? [])]);
    const left = [...texts].filter(([key, text]) => {
      const source = english.get(key);
      return source !== undefined && !known.has(key) && formsOf(text).join() === formsOf(source).join();
    });
    expect(left).toEqual([]);
  });

  it("[UI-06] have the placeholders of the source in every form, and the plural forms of the language", () => {
    expect(misfits(texts, english, id)).toEqual([]);
  });
});

it("[UI-06] every text is said somewhere in the page", () => {
  const ui = join(import.meta.dirname, "..");
  const source = globSync("**/*.ts", {
    cwd: ui,
    exclude: (path) => path.startsWith("i18n") || path.endsWith(".test.ts"),
  })
    .map((path) => readFileSync(join(ui, path), "utf8"))
    .join("\n");
  const named = new Set([...source.matchAll(/["`](\w+\.\w+)["`]/g)].map(([, key = ""]) => key));
  const begun = new Set([...source.matchAll(/`(\w+\.\w+_)\$\{/g)].map(([, prefix = ""]) => prefix));
  const isBuilt = (key: string): boolean => begun.has(key.slice(0, key.indexOf("_") + 1));
  const own = [...english.keys()].filter((key) => !key.startsWith("localized.")); // those are said by the gateway
  const unsaid = own.filter((key) => !named.has(key) && !isBuilt(key) && !NAMED_BY_VALUE.includes(key));
  expect(unsaid).toEqual([]);
});

describe("a text", () => {
  beforeEach(() => speak(["en"]));

  it("[UI-06] is filled, with numbers and plurals as the language has them", async () => {
    expect(t("app.noMatches", { search: "x" })).toBe("Nothing matches “x”.");
    expect([1, 2].map((count) => t("app.waitingCount", { count }))).toEqual([
      "1 decision waits for you",
      "2 decisions wait for you",
    ]);
    await speak(["de"]);
    expect(t("app.waitingCount", { count: 1234 })).toBe("1.234 Entscheidungen warten auf Sie");
  });

  it("[UI-06] is never read again for placeholders: a name may look like one", () => {
    expect(t("app.noMatches", { search: "{search} $& $1" })).toBe("Nothing matches “{search} $& $1”.");
  });

  it("[UI-06] can be looked at in a language that shows what is not translated", async () => {
    await speak([PSEUDO_LOCALE]);
    expect(t("parts.close")).toBe("[Çļóšé··]");
    expect(pseudo("{count} of {all}")).toMatch(/^\[\{count\} óf \{all\}·+\]$/);
    expect(Object.keys(await loadTexts(PSEUDO_LOCALE))).toEqual(Object.keys(await loadTexts("en")));
    expect((await loadApart(PSEUDO_LOCALE, "problems"))["expired"]).toMatch(/^\[Ţĥé ðéáðļíñé/);
    expect((await loadApart(PSEUDO_LOCALE, "localized"))["planOff"]).toMatch(/^\[Þļáñ/);
  });
});

it.each([
  [["de-AT", "en"], "de"],
  [["fr", "de"], "de"],
  [["xx-unknown", "tlh"], "en"],
  [[], "en"],
  [["en-US@posix", "", "de"], "de"],
])("[UI-06] speaks for %j: %s", (wanted, best) => expect(bestLocale(wanted, ["en", "de"])).toBe(best));

it.each([
  ["zh-Hant-HK", "zh-TW"],
  ["zh-SG", "zh-CN"],
  ["pt-PT", "pt-BR"],
])("[UI-06] finds the nearest relative of %s: %s", (tag, best) => {
  expect(bestLocale([tag], ["en", "pt-BR", "zh-CN", "zh-TW"])).toBe(best);
});

it("[UI-06] says times as the language does", async () => {
  await speak(["en"]);
  expect([sayWhen(90_000, 0), sayWhen(0, 86_400_000), sayWhen(0, 59_000)]).toEqual(["in 1 min.", "yesterday", "now"]);
  expect([0, 61_000, 3_600_000, 7_261_000].map(sayClock)).toEqual(["0:00", "1:01", "1:00:00", "2:01:01"]);
});
