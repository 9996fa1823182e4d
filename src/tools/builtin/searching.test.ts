import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calledTools } from "../../../test/kit/called-tools.ts";
import { filesHere } from "../../../test/kit/builtin-tools.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";

const files = {
  "a.ts": "one\nneedle 1\ntwo\nthree\nneedle 2\nneedle 3\nfour\n",
  "b.py": "needle\n",
  "docs/c.md": "nothing\n",
};
const searching = () =>
  calledTools([createGrepTool(filesHere().operation("grep")), createGlobTool(filesHere().operation("glob"))], files);
const ok = (content: unknown) => ({ status: "ok", content });

describe("grep", () => {
  it("[TO-09] shows the lines around each match once", async () => {
    expect(await searching().call("grep", { pattern: "needle", type: "ts", before: 1, after: 1 })).toEqual(
      ok({
        matches: [
          { path: "a.ts", line: 2, text: "needle 1", before: ["one"], after: ["two"] },
          { path: "a.ts", line: 5, text: "needle 2", before: ["three"] },
          { path: "a.ts", line: 6, text: "needle 3", after: ["four"] },
        ],
      }),
    );
  });

  it("[TO-09] lists files, counts, and stops at a limit", async () => {
    const { call } = searching();
    expect(await call("grep", { pattern: "needle", output: "files" })).toEqual(ok({ files: ["a.ts", "b.py"] }));
    expect(await call("grep", { pattern: "needle", output: "count" })).toEqual(
      ok({
        counts: [
          { path: "a.ts", count: 3 },
          { path: "b.py", count: 1 },
        ],
      }),
    );
    expect(await call("grep", { pattern: "needle", limit: 1 })).toEqual(
      ok({
        matches: [{ path: "a.ts", line: 2, text: "needle 1" }],
        more: "There is more: narrow the pattern, the path or the glob.",
      }),
    );
  });

  it("[TO-09] lets a match reach over lines when asked", async () => {
    const { content } = await searching().call("grep", { pattern: "two\\nthree", multiline: true });
    expect(content).toMatchObject({ matches: [{ path: "a.ts", line: 3 }, { line: 4 }] });
  });

  it.each([{ type: "ts --pre=sh" }, { type: "-rf" }, { output: "json" }, { before: 99 }])(
    "[GA-08] refuses the option %j",
    async (args) => {
      await expect(searching().call("grep", { pattern: "x", ...args })).rejects.toThrow("grep was not run");
    },
  );
});

describe("glob", () => {
  it("[TO-09] lists folders, the newest first, and so many", async () => {
    const { call, workspace } = searching();
    utimesSync(join(workspace, "b.py"), 2_000, 2_000);
    utimesSync(join(workspace, "a.ts"), 1_000, 1_000);
    expect(await call("glob", { pattern: "*", type: "folder" })).toEqual(ok({ folder: ".", paths: ["docs"] }));
    expect(await call("glob", { pattern: "*", sort: "modified" })).toEqual(
      ok({ folder: ".", paths: ["b.py", "a.ts"] }),
    );
    expect(await call("glob", { pattern: "**", limit: 1 })).toMatchObject({
      content: { paths: ["a.ts"], more: expect.stringContaining("more") },
    });
  });
});
