import hljs from "highlight.js/lib/common";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { colouredCode } from "./coloured-code.ts";

it("[UI-14] knows keywords, texts, numbers and remarks of a language by its usual names", () => {
  expect(colouredCode('const a = "<b>"; // 1 & 2', "ts", hljs)).toEqual([
    { text: "const", kind: "keyword" },
    { text: " a = ", kind: undefined },
    { text: '"<b>"', kind: "string" },
    { text: "; ", kind: undefined },
    { text: "// 1 & 2", kind: "comment" },
  ]);
  expect(colouredCode("-old\n+new\n", "diff", hljs)?.map(({ kind }) => kind)).toEqual([
    "removed",
    undefined,
    "added",
    undefined,
  ]);
  for (const name of ["sh", "console", "yml", "jsonc", "html", "py", "sql", "toml", "tsx"])
    expect([name, colouredCode("x", name, hljs) !== undefined]).toEqual([name, true]);
  expect(colouredCode("x", "brainfuck", hljs)).toBeUndefined();
});

it("[UI-08] [UI-14] its parts are the code, whatever it holds", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom("ts", "xml", "sh", "diff"),
      (code, name) => {
        const parts = colouredCode(code, name, hljs);
        expect(parts === undefined || parts.map(({ text }) => text).join("") === code).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});
