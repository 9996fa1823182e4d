/** The look at a folder in which the gateway goes on working. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { contentOf, namesBelow, unlessRemoved } from "./besieged-place.ts";

test("a file that the gateway removes between listing and reading counts as not there, and any other fault is thrown", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-look-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "inner", "kept.txt"), "kept");
  symlinkSync("/", join(folder, "link"));

  expect(namesBelow(folder)).toEqual([join("inner", "kept.txt")]);
  expect([...contentOf(folder).keys()]).toEqual([join("inner", "kept.txt")]);
  expect(contentOf(join(folder, "gone")).size).toBe(0);
  expect(() =>
    unlessRemoved(() => {
      throw new Error("disk on fire");
    }),
  ).toThrow("disk on fire");
});
