import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileCleanupMarks } from "./cleanup-marks.ts";

function folder(): string {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-marks-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
const mark = (pluginId: string) => ({ pluginId, slices: [`plugin:${pluginId}`], injectionKind: `plugin:${pluginId}` });

it("[PG-02] remembers over a restart who may have left what, also several at once, and leaves no file behind", async () => {
  const home = folder();
  const marks = fileCleanupMarks(home);
  expect(await marks.list()).toEqual([]);
  const more = { ...mark("a"), slices: ["machine"] };
  await Promise.all([marks.put([mark("a"), mark("b")]), marks.put([more]), marks.put([mark("a")])]);
  const again = fileCleanupMarks(home);
  expect(await again.list()).toEqual([{ ...mark("a"), slices: ["plugin:a", "machine"] }, mark("b")]);
  await Promise.all([again.remove("a"), again.remove("b"), again.remove("nobody")]);
  expect(await marks.list()).toEqual([]);
  expect(readdirSync(home)).toEqual([]);
});

it("does not take a file that it cannot read for an empty one", async () => {
  const home = folder();
  writeFileSync(join(home, "plugin-sweeps.json"), "{");
  await expect(fileCleanupMarks(home).list()).rejects.toThrow(/JSON/);
});
