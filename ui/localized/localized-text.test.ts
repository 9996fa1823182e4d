import { beforeEach, expect, it } from "vitest";
import { completionSummary } from "../../src/plan-mode/machine/text/texts.ts";
import { ENGLISH as BUILTIN } from "../../src/gateway/builtin-commands/texts/en.ts";
import { ENGLISH as PLAN_MODE } from "../../src/plan-mode/texts/en.ts";
import { createLocalized, lines } from "../../src/protocol/localized/localized-text.ts";
import { LOCALES } from "../i18n/locales.ts";
import { sayDate } from "../i18n/say.ts";
import { speak, loadLocalized, withTexts } from "../i18n/t.ts";
import { answerOf, nameOf, reasonOf } from "./name-of.ts";
import { describedAs, localizedPhrase, localizedText } from "./localized-text.ts";

const TEXTS = { ...BUILTIN, ...PLAN_MODE } as const;
const localized = createLocalized(TEXTS);

beforeEach(async () => {
  await speak(["de"]);
  await withTexts(loadLocalized, "cards");
});

it("[UI-06] what the gateway says is told in the language of the person, as the gateway means it", () => {
  const { text, said } = completionSummary('The "blue" shed', [
    { step: "Sand", status: "completed" },
    { step: "Paint", status: "cancelled" },
  ]);
  expect(localizedText(text, said)).toBe(
    'Der Plan „The "blue" shed“ ist fertig: 1 erledigt, 1 gestrichen, 2 von 2 Schritten abgeschlossen.',
  );
});

it("[UI-06] line by line: what others said in between stays, with everything visible", () => {
  const { text, said } = lines([
    localized("section_steps"),
    "  [ ] 1. Say\u200B it",
    localized("statusSteps", { done: 1, total: 2 }),
  ]);
  expect(localizedText(text, said)).toBe("Schritte\n  [ ] 1. Say‹U+200B› it\nSchritte: 1/2 erledigt");
});

it("[UI-06] a phrase inside, a plural and a moment are told as the language does", () => {
  const { text, said } = lines([
    localized("statusMode", { mode: localized("mode_plan"), approval: localized("approval_pending") }),
    localized("messagesWait", { count: 2 }),
    localized("statusQuestion", { deadlineAtMs: 1_700_000_000_000 }),
  ]);
  expect(localizedText(text, said)).toBe(
    `Modus: Planung · Genehmigung: steht aus\n2 Nachrichten warten auf ihn.\nEine Frage wartet bis ${sayDate(1_700_000_000_000)} auf eine Antwort.`,
  );
});

it("[UI-08] an argument hides nothing, and is never read again", () => {
  const { text, said } = localized("planTitle", { title: "a\u202Eb {title}" });
  expect(localizedText(text, said)).toBe("Plan: a‹U+202E›b {title}");
});

it("[UI-06] what was stored before, and what a newer gateway says, stands in its own words", () => {
  expect(localizedText("Plan mode is off.", undefined)).toBe("Plan mode is off.");
  expect(localizedText("Odd.", [{ line: 0, key: "notKnownYet", args: {} }])).toBe("Odd.");
  expect(localizedText("Odd.", [{ line: 7, key: "planOff", args: {} }])).toBe("Odd.");
  expect(localizedText("Odd.", [{ line: 0, key: "constructor", args: {} }])).toBe("Odd.");
});

it("[UI-06] who did something, why, and the gateway's own answers are told in the language of the person", () => {
  expect(nameOf({ kind: "policy", id: "require-approval-off", name: "no approval required here" })).toBe(
    "hier ist keine Genehmigung nötig",
  );
  expect(nameOf({ kind: "policy", id: "theirs", name: "their\u200B rule" })).toBe("their‹U+200B› rule");
  expect(nameOf({ kind: "operator", id: "opr_1", name: "Alice" })).toBe("Alice");
  expect(["operator", "auto-enable: gpt* (gpt*)", "because I said so"].map(reasonOf)).toEqual([
    "vom Menschen eingeschaltet",
    "Regel für dieses Modell: gpt* (gpt*)",
    "because I said so",
  ]);
  expect(answerOf({ answer: "Allow once", optionId: "allow-once" })).toBe("Einmal erlauben");
  expect(answerOf({ answer: "Blue", optionId: "o1" })).toBe("Blue");
});

it.each(Object.keys(LOCALES))(
  "[UI-06] usage in %s begins as it is typed, and says behind one dash what it does",
  async (id) => {
    await speak([id]);
    const usage = Object.keys(TEXTS).filter((key) => key.startsWith("usage_"));
    for (const key of usage) {
      const [, command = "", sub] = key.split("_");
      const text = localizedPhrase(key) ?? "";
      expect(text.startsWith(sub === undefined ? `/${command}` : `/${command} ${sub}`)).toBe(true);
      expect(text.split(" — ")).toHaveLength(2);
      expect(describedAs(text)).toBe(text.split(" — ")[1]);
    }
  },
);
