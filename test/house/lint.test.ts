/** The rules of .oxlintrc.json that the house stands on, each with a planted violation, all seen in one run. */
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { plantedHouse } from "./planted.ts";

const PURE_FOLDERS = ["src/core", "src/plan-mode/machine"];

const impure: Record<string, [rule: string, text: string]> = {
  "node-import.ts": ["eslint(no-restricted-imports)", 'export { readFileSync } from "node:fs";\n'],
  "clock.ts": ["eslint(no-restricted-globals)", "export const now = (): number => Date.now();\n"],
  "timer.ts": ["eslint(no-restricted-globals)", "export const later = (f: () => void) => setTimeout(f, 1);\n"],
  "env.ts": ["eslint(no-restricted-globals)", "export const { env } = process;\n"],
  "chance.ts": ["eslint(no-restricted-properties)", "export const chance = (): number => Math.random();\n"],
  "waits.ts": ["oxc(no-async-await)", "export async function f(x: Promise<void>) {\n  await x;\n}\n"],
};

const anywhere: Record<string, [rule: string, text: string]> = {
  "src/protocol/reaches-out.ts": ["eslint(no-restricted-imports)", 'export { createHash } from "node:crypto";\n'],
  "ui/chat/reads-files.ts": ["eslint(no-restricted-imports)", 'export { readFileSync } from "node:fs";\n'],
  "ui/chat/heavy.ts": ["eslint(no-restricted-imports)", 'export { Json } from "../../src/protocol/json.ts";\n'],
  "ui/chat/raw.ts": ["eslint(no-restricted-imports)", 'export { unsafeHTML } from "lit/directives/unsafe-html.js";\n'],
  "ui/chat/env.ts": ["eslint(no-restricted-globals)", "export const { env } = process;\n"],
  "src/engine/cycle-a.ts": [
    "import(no-cycle)",
    'import { b } from "./cycle-b.ts";\nexport const a = (): number => b();\n',
  ],
  "src/engine/any.ts": ["typescript(no-explicit-any)", "export const f = (x: any): void => x;\n"],
  "src/engine/bang.ts": ["typescript(no-non-null-assertion)", "export const f = (x?: string): string => x!;\n"],
  "src/engine/cast.ts": [
    "typescript(no-unsafe-type-assertion)",
    "export const f = (x: unknown): string => x as string;\n",
  ],
  "src/engine/floats.ts": [
    "typescript(no-floating-promises)",
    "export function f(x: () => Promise<void>): void {\n  x();\n}\n",
  ],
  "src/engine/misused.ts": [
    "typescript(no-misused-promises)",
    "export function f(xs: number[]): void {\n  xs.forEach(async (x) => Promise.resolve(x));\n}\n",
  ],
  "src/engine/throws-text.ts": ["typescript(only-throw-error)", 'export function f(): void {\n  throw "no";\n}\n'],
  "src/engine/incomplete.ts": [
    "typescript(switch-exhaustiveness-check)",
    'export function f(x: "a" | "b"): number {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
  ],
  "src/engine/long.ts": [
    "eslint(max-lines-per-function)",
    `export function f(x: { n: number }): void {\n${"  x.n += 1;\n".repeat(70)}}\n`,
  ],
  "src/engine/wide.ts": ["eslint(max-params)", "export const f = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d];\n"],
  "src/engine/knot.ts": [
    "eslint(complexity)",
    `export const f = (x: number) => ${Array.from({ length: 12 }, (_, n) => `x === ${n}`).join(" || ")} || x > 99;\n`,
  ],
  "src/engine/talks.ts": ["eslint(no-console)", 'export const f = (): void => console.log("x");\n'],
  "src/engine/default.ts": ["import(no-default-export)", "export default 1;\n"],
  "src/engine/badName.ts": ["unicorn(filename-case)", "export const x = 1;\n"],
  "src/engine/mocks.test.ts": [
    "vitest(no-restricted-vi-methods)",
    'import { expect, it, vi } from "vitest";\nvi.mock("node:fs");\nit("x", () => {\n  expect(1).toBe(1);\n});\n',
  ],
  "src/engine/only.test.ts": [
    "vitest(no-focused-tests)",
    'import { expect, it } from "vitest";\nit.only("x", () => {\n  expect(1).toBe(1);\n});\n',
  ],
};

const inPureFolders = PURE_FOLDERS.flatMap((folder) =>
  Object.entries(impure).map(([name, plant]): [string, [string, string]] => [`${folder}/${name}`, plant]),
);
const plants = Object.fromEntries([...inPureFolders, ...Object.entries(anywhere)]);

/** What is forbidden in the core is the daily work of the shell. */
const harmless = {
  "src/engine/cycle-b.ts": 'import { a } from "./cycle-a.ts";\nexport const b = (): number => a();\n',
  "src/engine/clock.ts": "export const now = (): number => Date.now();\n",
  "src/engine/waits.ts": "export async function f(x: Promise<void>): Promise<void> {\n  await x;\n}\n",
  "src/core/clock.test.ts":
    'import { expect, it } from "vitest";\nit("x", () => {\n  expect(Date.now()).toBe(1);\n});\n',
};

const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

const found = new Map<string, string[]>();
let exitCode: number | null = null;

beforeAll(() => {
  const texts = Object.fromEntries(Object.entries(plants).map(([path, [, text]]) => [path, text]));
  using house = plantedHouse([".oxlintrc.json", "tsconfig.json"], { ...texts, ...harmless });
  const ran = house.run("oxlint", ["--type-aware", "--format", "json"]);
  exitCode = ran.code;
  for (const { code, filename } of Report.parse(JSON.parse(ran.stdout)).diagnostics) {
    found.set(filename, [...(found.get(filename) ?? []), code]);
  }
});

it("fails the run", () => {
  expect(exitCode).toBe(1);
});

it.each(Object.entries(plants).map(([path, [rule]]) => [path, rule]))("sees %s break %s", (path, rule) => {
  expect(found.get(path)).toContain(rule);
});

it.each(["src/engine/clock.ts", "src/engine/waits.ts", "src/core/clock.test.ts"])("leaves %s alone", (path) => {
  expect(found.get(path)).toBeUndefined();
});
