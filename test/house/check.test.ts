/** `npm run check` over a house in which everything is wrong: each part fails, in a fixed order, and so does the whole. */
import { expect, it } from "vitest";
import { join, resolve } from "node:path";
import { plantedHouse } from "./planted.ts";

const CHECK = join(resolve(import.meta.dirname, "../.."), "scripts/check.ts");

it("fails with every part that fails and shows what it said", () => {
  using house = plantedHouse([".oxlintrc.json", ".oxfmtrc.json", "tsconfig.json", "knip.json"], {
    "package.json": JSON.stringify({ name: "planted", type: "module", scripts: {} }),
    "src/main.ts": 'const  x: number = "text";\nexport default x as any;\n',
    "src/core/orphan.ts": "export const orphan = Date.now();\n",
  });
  house.run("git", ["init", "--quiet"]);
  const { code, stdout } = house.run("node", [CHECK]);
  expect(code).toBe(1);
  expect(stdout.match(/^(?:ok {2}|FAIL) \w+/gm)).toEqual([
    "FAIL types",
    "FAIL published",
    "FAIL page",
    "FAIL example",
    "FAIL lint",
    "FAIL unused",
    "FAIL format",
    "FAIL documents",
    "FAIL tidy",
  ]);
  expect(stdout).toContain("error TS2322");
  expect(stdout).toContain("no-explicit-any");
  expect(stdout).toContain("src/core/orphan.ts: is pure and may not use Date");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(
    "check: failed: types, published types, page types, example types, lint, unused, format, documents, tidy",
  );
});
