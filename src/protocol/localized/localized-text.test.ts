import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGLISH } from "./english.ts";
import { LocalizedLines } from "./localized-lines.ts";
import { asIs, isPlainMessageKey, lines, messageOf, say } from "./localized-text.ts";

describe("words of the house", () => {
  it("[UI-06] are made from what they mean, so that the two cannot differ", () => {
    expect(say("noteNoStep", { step: 9, steps: 3 })).toEqual({
      text: "There is no step 9: the plan has 3.",
      said: [{ line: 0, key: "noteNoStep", args: { step: 9, steps: 3 } }],
    });
    expect([1, 2].map((count) => say("messagesWait", { count }).text)).toEqual([
      "1 message waits for it.",
      "2 messages wait for it.",
    ]);
  });

  it("[UI-06] may hold a phrase that is theirs too, and a moment", () => {
    expect(say("statusMode", { mode: say("mode_plan"), approval: "odd" })).toEqual({
      text: "Mode: plan · approval: odd",
      said: [{ line: 0, key: "statusMode", args: { mode: { key: "mode_plan", args: {} }, approval: "odd" } }],
    });
    const offFailed = say("offFailed", { why: say("tooOften", { times: 3, seconds: 60 }) });
    expect(offFailed.said[0]?.args).toEqual({ why: { key: "tooOften", args: { times: 3, seconds: 60 } } });
    expect(say("statusQuestion", { deadlineAtMs: 1_700_000_000_123 }).text).toContain("2023-11-14T22:13:20Z");
  });

  it("[UI-06] stand in one line, whatever an argument holds, so that the lines behind them stay where they are", () => {
    const said = lines([say("planTitle", { title: "a\nb\u2028c" }), "of the agent\nin two lines", say("usage")]);
    expect(said).toEqual({
      text: "Plan: a b c\nof the agent\nin two lines\nUsage:",
      said: [
        { line: 0, key: "planTitle", args: { title: "a b c" } },
        { line: 3, key: "usage", args: {} },
      ],
    });
  });

  it("[UI-06] an argument is never read again for placeholders", () => {
    expect(say("planTitle", { title: "{title} {x} $&" }).text).toBe("Plan: {title} {x} $&");
  });

  it("[UI-06] others' words carry no meaning", () => {
    expect(messageOf(asIs("Hello."))).toEqual({ message: "Hello." });
  });

  it("[UI-06] fit the wire; what is none of ours is refused there", () => {
    const { said } = lines([say("statusMode", { mode: say("mode_plan"), approval: say("approval_none") })]);
    expect(LocalizedLines.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
    expect(LocalizedLines.safeParse([{ line: 0, key: "x", args: { y: { z: 1 } } }]).success).toBe(false);
  });

  it("[UI-06] which of them need nothing is told rightly", () => {
    expect(["planOff", "planTitle", "agentIdle", "toString"].map(isPlainMessageKey)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

it("[UI-06] every phrase is said somewhere in the gateway", () => {
  const root = join(import.meta.dirname, "../../..");
  const source = globSync(["src/**/*.ts", "ui/said/*.ts"], { cwd: root })
    .filter((path) => !path.endsWith(".test.ts") && !path.endsWith("said/english.ts"))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  const named = new Set([...source.matchAll(/["`.](\w+)\b/g)].map(([, name = ""]) => name));
  const begun = [...source.matchAll(/`([a-zA-Z]\w*?)\$\{/g)].map(([, prefix = ""]) => prefix);
  const isSaid = (key: string): boolean => named.has(key) || begun.some((prefix) => key.startsWith(prefix));
  expect(Object.keys(ENGLISH).filter((key) => !isSaid(key))).toEqual([]);
});
