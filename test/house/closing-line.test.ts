/** The last line of a run, as a script sees it, for runs that go well and runs that do not. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const config = `import { closingLine } from "${join(ROOT, "scripts/closing-line.ts")}";
export default { test: { include: ["**/*.test.ts"], reporters: ["default", closingLine()] } };\n`;

type Seen = { code: number | null; last: string | undefined };

function lastLineOf(tests: Record<string, string>): Seen {
  const root = mkdtempSync(join(ROOT, "node_modules/.closing-line-")); // inside, so that vitest resolves; ignored by git
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "vitest.config.ts"), config);
  for (const [name, text] of Object.entries(tests)) {
    writeFileSync(join(root, `${name}.test.ts`), `import { it } from "vitest";\n${text}`);
  }
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const ran = spawnSync(process.execPath, [vitest, "run", "--root", root], { encoding: "utf8" });
  return { code: ran.status, last: ran.stdout.trimEnd().split("\n").at(-1) };
}

it("counts passed, failed and skipped tests", () => {
  const mixed =
    'it("a", () => {}); it("b", () => {}); it("c", () => { throw new Error("no"); }); it.skip("d", () => {});';
  const well = 'it("a", () => {});';
  const last = "3 passed, 1 failed, 1 skipped";
  expect(lastLineOf({ mixed, well })).toEqual({ code: 1, last });
});

it("counts a file that does not load and an error outside any test as failures", () => {
  const broken = 'throw new Error("no");';
  const stray =
    'it("a", () => { setTimeout(() => { throw new Error("stray"); }, 0); return new Promise((r) => setTimeout(r, 50)); });';
  const last = "1 passed, 2 failed, 0 skipped";
  expect(lastLineOf({ broken, stray })).toEqual({ code: 1, last });
});
