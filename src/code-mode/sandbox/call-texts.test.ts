/** Calls and answers as they cross the border: read as they were written, and nothing else is taken for them. */
import { describe, expect, it } from "vitest";
import { type Answer, answeredIds, answersText, readRequests } from "./call-texts.ts";

const written = (heads: unknown, texts: string): string => `${JSON.stringify(heads)}\n${texts}`;

describe("requests of a program", () => {
  it("[CM-04] are read with their arguments as they were written, whatever is in them", () => {
    const texts = ['[{"n":1}]', '["é\\n😀"]', "[]"];
    const heads = [
      ["c1", "call", "a:b:c", 9],
      ["c2", "namespace", "x\ny", texts[1]?.length],
      ["c3", "describe", "", 2],
    ];
    expect(readRequests(written(heads, texts.join("")))).toEqual([
      ["c1", "call", "a:b:c", texts[0]],
      ["c2", "namespace", "x\ny", texts[1]],
      ["c3", "describe", "", texts[2]],
    ]);
  });

  it.each([
    ["no list", {}, ""],
    ["another length", [["c1", "call", "a", 3]], "[]"],
    ["something behind them", [["c1", "call", "a", 2]], "[] "],
    ["a length below zero", [["c1", "call", "a", -1]], ""],
    ["a length that is none", [["c1", "call", "a", 0.5]], ""],
    ["no length", [["c1", "call", "a"]], ""],
    ["an unknown method", [["c1", "exec", "a", 2]], "[]"],
    ["a long id", [["c".repeat(33), "call", "a", 2]], "[]"],
    ["a long target", [["c1", "call", "a".repeat(2_001), 2]], "[]"],
    ["too many", Array.from({ length: 129 }, () => ["c1", "call", "a", 0]), ""],
  ])("[CM-06] 125: are refused where they are %s", (_what, heads, texts) => {
    expect(() => readRequests(written(heads, texts))).toThrow("request");
  });
});

describe("answers to a program", () => {
  it("[CM-04] name their calls in the first line, and nothing of the answers is taken for one", () => {
    const answers: Answer[] = [
      ["c1", true, '{"a":"\\n"}'],
      ["c12", false, '"c9"'],
    ];
    const text = answersText(answers);
    expect(text).toBe('["c1",1,10,"c12",0,4]\n{"a":"\\n"}"c9"');
    expect(answeredIds(Buffer.from(text))).toEqual(["c1", "c12"]);
    expect(answeredIds(Buffer.from(answersText([])))).toEqual([]);
    expect(() => answeredIds(Buffer.from('["c1",1'))).toThrow("no answers");
  });
});
