import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join("src", name), "utf8") }));

const naming = (word: string): string[] =>
  sources
    .filter(({ text }) => text.includes(word))
    .map(({ name }) => name)
    .toSorted();

it("[GA-12] mints permits in the call pipeline and nowhere else", () => {
  expect(naming("mintPermit")).toEqual(["tools/call-tool.ts", "tools/permit.ts"]);
});

it("[GA-02] executes prepared calls in the call pipeline and nowhere else", () => {
  expect(naming("prepared.run(")).toEqual(["tools/execute.ts"]);
  expect(naming("/execute.ts")).toEqual(["tools/call-tool.ts"]);
});
