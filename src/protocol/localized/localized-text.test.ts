import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGLISH as BUILTIN } from "../../gateway/builtin-commands/texts/en.ts";
import { ENGLISH as PLAN_MODE } from "../../plan-mode/texts/en.ts";
import { ENGLISH as SCHEDULER } from "../../scheduler/texts/en.ts";
import { ENGLISH } from "./english.ts";
import { LocalizedLines } from "./localized-lines.ts";
import { asIs, createLocalized, createLocalizedByKey, lines, messageOf } from "./localized-text.ts";

const TEXTS = { ...BUILTIN, ...PLAN_MODE, ...SCHEDULER } as const;
const localized = createLocalized(TEXTS);

describe("words of the house", () => {
  it("[UI-06] are made from what they mean, so that the two cannot differ", () => {
    expect(localized("noteNoStep", { step: 9, steps: 3 })).toEqual({
      text: "There is no step 9: the plan has 3.",
      said: [{ line: 0, key: "noteNoStep", args: { step: 9, steps: 3 } }],
    });
    expect([1, 2].map((count) => localized("messagesWait", { count }).text)).toEqual([
      "1 message waits for it.",
      "2 messages wait for it.",
    ]);
  });

  it("[UI-06] may hold a phrase that is theirs too, and a moment", () => {
    expect(localized("statusMode", { mode: localized("mode_plan"), approval: "odd" })).toEqual({
      text: "Mode: plan · approval: odd",
      said: [{ line: 0, key: "statusMode", args: { mode: { key: "mode_plan", args: {} }, approval: "odd" } }],
    });
    const offFailed = localized("offFailed", { why: localized("tooOften", { times: 3, seconds: 60 }) });
    expect(offFailed.said[0]?.args).toEqual({ why: { key: "tooOften", args: { times: 3, seconds: 60 } } });
    expect(localized("statusQuestion", { deadlineAtMs: 1_700_000_000_123 }).text).toContain("2023-11-14T22:13:20Z");
  });

  it("[UI-06] stand in one line, whatever an argument holds, so that the lines behind them stay where they are", () => {
    const said = lines([
      localized("planTitle", { title: "a\nb\u2028c" }),
      "of the agent\nin two lines",
      localized("usage"),
    ]);
    expect(said).toEqual({
      text: "Plan: a b c\nof the agent\nin two lines\nUsage:",
      said: [
        { line: 0, key: "planTitle", args: { title: "a b c" } },
        { line: 3, key: "usage", args: {} },
      ],
    });
  });

  it("[UI-06] an argument is never read again for placeholders", () => {
    expect(localized("planTitle", { title: "{title} {x} $&" }).text).toBe("Plan: {title} {x} $&");
  });

  it("[UI-06] others' words carry no meaning", () => {
    expect(messageOf(asIs("Hello."))).toEqual({ message: "Hello." });
  });

  it("[UI-06] fit the wire; what is none of ours is refused there", () => {
    const { said } = lines([
      localized("statusMode", { mode: localized("mode_plan"), approval: localized("approval_none") }),
    ]);
    expect(LocalizedLines.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
    expect(LocalizedLines.safeParse([{ line: 0, key: "x", args: { y: { z: 1 } } }]).success).toBe(false);
  });

  it("[UI-06] which of them need nothing is told rightly", () => {
    const texts = ["planOff", "planTitle", "agentIdle", "toString"].map(createLocalizedByKey(TEXTS));
    expect(texts).toEqual([localized("planOff"), undefined, undefined, undefined]);
  });
});

it("[UI-06] every phrase is said somewhere in the gateway", () => {
  const root = join(import.meta.dirname, "../../..");
  const source = globSync(["src/**/*.ts", "ui/localized/*.ts"], { cwd: root })
    .filter((path) => !path.endsWith(".test.ts") && !path.endsWith("localized/english.ts") && !path.includes("/texts/"))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  const named = new Set([...source.matchAll(/["`.](\w+)\b/g)].map(([, name = ""]) => name));
  const begun = [...source.matchAll(/`([a-zA-Z]\w*?)\$\{/g)].map(([, prefix = ""]) => prefix);
  const isSaid = (key: string): boolean => named.has(key) || begun.some((prefix) => key.startsWith(prefix));
  expect(Object.keys({ ...ENGLISH, ...TEXTS }).filter((key) => !isSaid(key))).toEqual([]);
});
