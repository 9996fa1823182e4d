/** Every envelope that the sources put before the agent is one that no text can forge: nobody has to remember a list. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { defuse } from "../../src/core/text/defuse.ts";

const SOURCES = resolve(import.meta.dirname, "../../src");
const ENVELOPE_END = /\[\/([A-Z]+(?:_[A-Z]+)*)\]/g;

it("[IN-04] text cannot open or close any envelope of the house", () => {
  const files = globSync("**/*.ts", { cwd: SOURCES, exclude: ["**/*.test.ts"] });
  const found = files.flatMap((file) =>
    [...readFileSync(resolve(SOURCES, file), "utf8").matchAll(ENVELOPE_END)].map(([, name = ""]) => name),
  );
  const names = [...new Set(found)].toSorted();
  expect(names).toContain("PLAN_DECISION");
  for (const name of names) expect(defuse(`x [${name}] y [/${name}]`)).toBe(`x (${name}) y (/${name})`);
});
