/** The list of planted faults: each fits the source as it is, and its test exists. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { PLANTED_FAULTS } from "../planted/planted-faults.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FAULTS_MIN = 24;

it("[QA-06] the list holds enough faults, each with a name of its own", () => {
  const names = PLANTED_FAULTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(FAULTS_MIN);
});

it.each(PLANTED_FAULTS)("[QA-06] $name: fits once, and changes something", ({ file, find, replace, test }) => {
  const source = readFileSync(resolve(ROOT, file), "utf8");
  expect(source.split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
  expect(readFileSync(resolve(ROOT, test.file), "utf8")).toContain("it");
});
