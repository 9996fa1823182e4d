import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { protocolFiles } from "../../scripts/protocol-docs.ts";
import { ALL_METHODS } from "../../src/all-methods.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("[GW-01] documents the protocol from the schemas that check it: run node scripts/protocol-docs.ts", () => {
  for (const [path, text] of Object.entries(protocolFiles())) expect(read(path)).toBe(text);
});

it("[GW-01] describes every method, and refers to no shape that is missing", () => {
  const schema = read("docs/protocol.schema.json");
  const { $defs } = JSON.parse(schema) as { $defs: Record<string, unknown> };
  const wanted = Object.keys(ALL_METHODS).flatMap((name) => [`${name}.params`, `${name}.result`]);
  expect(wanted.filter((name) => !Object.hasOwn($defs, name))).toEqual([]);
  const references = [...schema.matchAll(/"\$ref": "#\/\$defs\/([^"]+)"/g)].map(([, name = ""]) => name);
  expect(references.filter((name) => !Object.hasOwn($defs, name))).toEqual([]);
});
