/** knip and oxfmt with planted violations, under the real configuration. */
import { expect, it } from "vitest";
import { plantedHouse } from "./planted.ts";

const manifest = JSON.stringify({ name: "planted", type: "module", dependencies: { zod: "^4.0.0" } });

it("knip finds an unused export, an unused file and an unused dependency", () => {
  using house = plantedHouse(["knip.json", "tsconfig.json"], {
    "package.json": manifest,
    "src/main.ts": 'import { used } from "./core/plan.ts";\nused();\n',
    "src/core/plan.ts": "export const used = (): number => 1;\nexport const forgotten = (): number => 2;\n",
    "src/core/orphan.ts": "export const orphan = 1;\n",
  });
  const { code, stdout } = house.run("knip", ["--no-progress"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/forgotten .*src\/core\/plan\.ts/);
  expect(stdout).toMatch(/^src\/core\/orphan\.ts/m);
  expect(stdout).toMatch(/^zod /m);
  expect(stdout).not.toMatch(/^used /m);
});

it("knip counts the entry points and workers as used", () => {
  using house = plantedHouse(["knip.json", "tsconfig.json"], {
    "package.json": JSON.stringify({ name: "planted", type: "module" }),
    "src/main.ts": "export const main = 1;\n",
    "src/client/index.ts": "export const client = 1;\n",
    "src/plugins/sdk.ts": "export const sdk = 1;\n",
    "src/store/sqlite/writer-worker.ts": "export const worker = 1;\n",
    "src/store/store.test.ts": "export const test = 1;\n",
    "bench/run.ts": "export const run = 1;\n",
  });
  expect(house.run("knip", ["--no-progress"])).toMatchObject({ code: 0 });
});

it("oxfmt refuses a line that is not formatted, and allows 120 columns", () => {
  const wide = `export const wide = "${"x".repeat(97)}";\n`;
  using house = plantedHouse([".oxfmtrc.json"], { "src/odd.ts": "export const x  =  1", "src/wide.ts": wide });
  expect(house.run("oxfmt", ["--check", "src/odd.ts"]).code).toBe(1);
  expect(house.run("oxfmt", ["--check", "src/wide.ts"]).code).toBe(0);
});
