/** The scenarios that come with Holdpoint hold; the guide's own is one of them. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScenarios } from "./parse-scenario.ts";
import { playScenario } from "./play-scenario.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const files = globSync("scenarios/*.yaml", { cwd: ROOT }).toSorted();

const scenarios = files.flatMap((file) => {
  const parsed = parseScenarios(readFileSync(join(ROOT, file), "utf8"));
  if ("problem" in parsed) throw new Error(`${file}: ${parsed.problem}`);
  return parsed.scenarios;
});

/** Those in the guide, as they stand there. */
const guide = readFileSync(join(ROOT, "docs/guides/scenarios.md"), "utf8");
const blocks = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
const shown = parseScenarios(blocks.join("---\n"));
if ("problem" in shown) throw new Error(`the guide: ${shown.problem}`);

describe("scenarios", () => {
  it.concurrent.each([...scenarios, ...shown.scenarios])("[QA-02] $name", async (scenario) => {
    expect(await playScenario(scenario)).toBeUndefined();
  });

  it.each(["default off", "act, don't ask", "mandatory tool use", "cancelled status", "injection scan"])(
    "[QA-02] the document's five are among them: %s",
    (name) => {
      expect(scenarios.filter((scenario) => scenario.name.startsWith(name))).toHaveLength(1);
    },
  );

  it("[QA-02] there are at least thirty, each with a name of its own", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(30);
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });
});
