import { describe, expect, it } from "vitest";
import { filesHere } from "../../../../test/kit/builtin-tools.ts";
import { calledTools } from "../../../../test/kit/called-tools.ts";
import { createEditTool } from "../edit.ts";
import { hashOf } from "../text-file.ts";

const editing = (text: string) => calledTools([createEditTool(filesHere().operation("edit"))], { "a.ts": text });

describe("edit", () => {
  it("[TO-09] replaces every occurrence when told so", async () => {
    const { call, file } = editing("a b\na c\n");
    expect(await call("edit", { path: "a.ts", oldText: "a ", newText: "$1", replaceAll: true })).toEqual({
      status: "ok",
      content: { path: "a.ts", line: 1, count: 2, hash: hashOf("$1b\n$1c\n") },
    });
    expect(file("a.ts")).toBe("$1b\n$1c\n");
  });

  it("[TO-09] makes several replacements in order, each on what the one before left", async () => {
    const { call, file } = editing("one\ntwo\nthree\n");
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "2", replaceAll: true },
      { oldText: "three\n", newText: "" },
    ];
    expect(await call("edit", { path: "a.ts", edits })).toMatchObject({
      content: {
        edits: [
          { line: 1, count: 1 },
          { line: 1, count: 2 },
          { line: 3, count: 1 },
        ],
      },
    });
    expect(file("a.ts")).toBe("2\n2\n");
  });

  it("[TO-09] makes none when one of them does not fit, and says which", async () => {
    const { call, file } = editing("one\ntwo\n");
    const edits = [
      { oldText: "one", newText: "1" },
      { oldText: "drei", newText: "3" },
    ];
    expect(await call("edit", { path: "a.ts", edits })).toMatchObject({
      status: "error",
      content: expect.stringContaining("a.ts was not changed: edit 2 of 2: oldText does not occur in it."),
    });
    expect(file("a.ts")).toBe("one\ntwo\n");
  });

  it.each([
    [{}],
    [{ oldText: "a" }],
    [{ newText: "a" }],
    [{ oldText: "a", newText: "b", edits: [{ oldText: "a", newText: "b" }] }],
    [{ replaceAll: true, edits: [{ oldText: "a", newText: "b" }] }],
    [{ edits: [] }],
  ])("[GA-08] refuses the form %j", async (args) => {
    await expect(editing("a").call("edit", { path: "a.ts", ...args })).rejects.toThrow("edit was not run");
  });
});

describe("a text that is not found", () => {
  const missing = async (file: string, oldText: string): Promise<string> => {
    const { call, file: now } = editing(file);
    const { status, content } = await call("edit", { path: "a.ts", oldText, newText: "x" });
    expect([status, now("a.ts")]).toEqual(["error", file]); // it only tells; nothing is replaced on a guess
    if (typeof content !== "string") throw new Error("no message");
    return content;
  };

  it.each([
    ["if (a) {\n\treturn b;\n}\n", "if (a) {\n  return b;\n}", "the file indents with tabs, oldText with spaces"],
    ["  return b;\n", "\treturn b;", "the file indents with spaces, oldText with tabs"],
    ["x\n    return b;", "x\n  return b;", "the indentation has another width"],
    ["one\r\ntwo\r\n", "one\ntwo", "the file's lines end with CR LF, those of oldText with LF"],
    ["one  \ntwo\n", "one\ntwo", "the file has spaces at the end of a line, the other has not"],
    ["a  =  1\n", "a = 1", "the spaces inside a line are others"],
  ])("is shown with its difference in whitespace: %j and %j", async (file, oldText, difference) => {
    expect(await missing(file, oldText)).toContain(`the same but for whitespace: ${difference}. They read:\n`);
  });

  it("names every place that would fit but for whitespace", async () => {
    expect(await missing("a\n\tb c\nd\n\tb c\n", "  b c")).toContain("Line 2 (also at line 4)");
  });

  it("is shown with the nearest lines", async () => {
    const file = "const first = 1;\nexport function total(items: Item[]) {\n  return 0;\n}\n";
    expect(await missing(file, "export function totals(items: Item[]): number {\n  return 0;\n}")).toContain(
      "The nearest is at lines 2–4, which reads:\nexport function total(items: Item[]) {\n  return 0;\n}",
    );
  });

  it("gets no hint where nothing is like it", async () => {
    expect(await missing("alpha\nbeta\n", "something else entirely")).toBe(
      "a.ts was not changed: oldText does not occur in it. Read it again and copy the text exactly.",
    );
  });
});
