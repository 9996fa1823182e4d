import { describe, expect, it } from "vitest";
import { checkCall, readArguments } from "./arguments.ts";
import { parseShell } from "./parse/parse.ts";
import type { Rule } from "./rules/rule.ts";
import { gatherFacts, shapeOf } from "./shape.ts";
import { ShellRefused } from "./verdict.ts";

/** One option of each kind: flags, values, values apart, attached values, long ones, numbers, and what is known to harm. */
const OPTIONS = {
  flags: "abm",
  valued: "v",
  separate: "s",
  optional: "o",
  long: "all width= color=?",
  single: "-version -file=",
  numeric: true,
  harmful: "-x --exec --all=1",
} as const;
const RULE: Rule = { names: "probe", options: OPTIONS };

/** How the words behind the command are sorted, or the code and what it matched. */
function sorted(words: string, rule: Rule = RULE): string {
  const list = parseShell(`probe ${words}`, "/home/u");
  const [node] = list;
  if (node?.type !== "simple") throw new Error("no simple command");
  const shapes = node.words.slice(1).map((word) => shapeOf(word, gatherFacts(list)));
  try {
    const call = readArguments("probe", shapes, rule);
    checkCall(call, rule);
    const options = call.options.map(({ name, value }) =>
      value === undefined ? name : `${name}=${value.text ?? `${value.prefix}…`}`,
    );
    const operands = call.operands.map(({ text, prefix }) => text ?? `${prefix}…`);
    return `${options.join(" ")} | ${operands.join(" ")} | ${call.leading}`;
  } catch (error) {
    if (!(error instanceof ShellRefused)) throw error;
    const { code, matched } = error.refusal;
    return `${code}: ${matched}`;
  }
}

describe("the arguments of a command, by its rule", () => {
  it.each([
    ["", " |  | 0"],
    ["-a x -b y", "-a -b | x y | 1"],
    ["-ab x", "-a -b | x | 2"],
    ["-vx -v y -avz", "-v=x -v=y -a -v=z |  | 4"],
    ["-o -o5 -ao7 x", "-o -o=5 -a -o=7 | x | 4"],
    ["-s y -as z", "-s=y -a -s=z |  | 3"],
    ["--all --width=5 --width 6 x", "--all --width=5 --width=6 | x | 3"],
    ["--width= x", "--width | x | 1"], // an empty value is one
    ["--color --color=always always", "--color --color=always | always | 2"],
    ["-version -file a.txt x", "-version -file=a.txt | x | 2"],
    ["-20 -5 x", "-NUMBER=-20 -NUMBER=-5 | x | 2"],
    ["- -a", "-a | - | 0"], // a dash alone is a file's name
    ['-v "$x" "./$x"', "-v=… | ./… | 1"],
    ['--width="$x" -v"$x" -o"$x"', "--width=… -v=… -o=… |  | 3"],
    ["-v -5", "-v=-5 |  | 1"], // a number is no option in disguise
    ["-v -", "-v=- |  | 1"],
  ])("[GA-05] are sorted into options and operands: %s", (words, expected) => {
    expect(sorted(words)).toBe(expected);
  });

  it.each([
    ["-x", "harmful-option: probe -x"],
    ["-ax", "harmful-option: probe -x"],
    ["--exec", "harmful-option: probe --exec"],
    ["--exec=rm", "harmful-option: probe --exec"],
    ["-q", "unknown-option: probe -q"],
    ["-aq", "unknown-option: probe -q"],
    ["x -q", "unknown-option: probe -q"],
    ["--al", "unknown-option: probe --al"], // no abbreviations
    ["--al=1", "unknown-option: probe --al"],
    ["--all=2", "unknown-option: probe --all=2"], // takes no value
    ["--all=1", "harmful-option: probe --all=1"],
    ["-sx y", "unknown-option: probe -s"], // its value is always the next word
    ["-files", "unknown-option: probe -f"],
    ["-20x", "unknown-option: probe -2"],
    ["-v", "syntax: probe -v"],
    ["--width", "syntax: probe --width"],
    ["-file", "syntax: probe -file"],
    ["-v -a", "unknown-option: probe -v -a"], // another version might take it for an option
    ["-v --all", "unknown-option: probe -v --all"],
    ["--width -a", "unknown-option: probe --width -a"],
  ])("[GA-05] are refused where the rule does not name them: %s", (words, expected) => {
    expect(sorted(words)).toBe(expected);
  });

  it.each([
    ["$x", "dynamic-word: probe …"],
    ['"$x"', "dynamic-word: probe …"],
    ["-v $x", "dynamic-word: probe -v"],
    ["--width $x", "dynamic-word: probe --width"],
    ["-v *", "dynamic-word: probe -v"],
    ["-a$x", "dynamic-word: probe -a…"],
    ['-a"$x"', "dynamic-word: probe -a…"],
    ['--all"$x"', "dynamic-word: probe --all"],
    ["--width=$x", "dynamic-word: probe --width=…"],
    ["-*", "dynamic-word: probe -…"],
  ])("[GA-05] that are computed must not be able to become an option: %s", (words, expected) => {
    expect(sorted(words)).toBe(expected);
  });

  it("[GA-07] tell that a value is missing", () => {
    const [node] = parseShell("probe -v", "/home/u");
    if (node?.type !== "simple") throw new Error("no simple command");
    const shapes = node.words.slice(1).map((word) => shapeOf(word, gatherFacts([node])));
    expect(() => readArguments("probe", shapes, RULE)).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ hint: "The option needs a value." }) }),
    );
  });

  it("[GA-05] without a number among the options, a number is none", () => {
    expect(sorted("-20", { ...RULE, options: { flags: "a" } })).toBe("unknown-option: probe -2");
    expect(sorted("-a", { ...RULE, options: {} })).toBe("unknown-option: probe -a");
    expect(sorted("--a", { ...RULE, options: { long: "" } })).toBe("unknown-option: probe --a");
    expect(sorted("-- x", { ...RULE, options: {} })).toBe(" | x | 0");
  });

  it.each([
    ["-a -- -b --all", "-a | -b --all | 1"],
    ["x -- -b", " | x -b | 0"],
    ['-- "$x"', " | … | 0"],
  ])("[GA-05] end at two dashes: %s", (words, expected) => {
    expect(sorted(words, { ...RULE, options: { ...OPTIONS, single: "" } })).toBe(expected);
  });

  it.each(["-a -- -b", "-- x", '-- "$x"'])(
    "[GA-05] do not end there for a program that reads options as whole words: %s",
    (words) => {
      expect(sorted(words)).toBe("unknown-option: probe --");
    },
  );

  it("[GA-05] may harm with a value only", () => {
    const rule: Rule = { ...RULE, options: { long: "exec-path", harmful: "--exec-path" } };
    expect(sorted("--exec-path", rule)).toBe("--exec-path |  | 1");
    expect(sorted("--exec-path=/w", rule)).toBe("harmful-option: probe --exec-path");
  });

  it("[GA-05] are not sorted where any option is harmless", () => {
    expect(sorted('-q --exec "$x" y', { ...RULE, options: "any" })).toBe(" | -q --exec … y | 0");
  });

  it("[GA-05] end at the first operand where the command says so", () => {
    const rule: Rule = { ...RULE, operandsEndOptions: true };
    expect(sorted("-a x -q --exec", rule)).toBe("-a | x -q --exec | 1");
    expect(sorted('"$x"', rule)).toBe("dynamic-word: probe …");
  });
});

describe("what a rule asks of a call", () => {
  it.each<[string, Partial<Rule>, string]>([
    ["x y", { operandsMax: 2 }, " | x y | 0"],
    ["x y z", { operandsMax: 2 }, "operand: probe: at most 2"],
    ["./*", { operandsMax: 2 }, "operand: probe: at most 2"], // one word, any number of files
    ['"./$x"', { operandsMax: 1 }, " | ./… | 0"],
    ["x1 x2", { operand: /^x\d$/ }, " | x1 x2 | 0"],
    ["x1 y", { operand: /^x\d$/ }, "operand: probe y"],
    ['x1 "./$x"', { operand: /^x\d$/ }, "operand: probe …"],
    ["-a x", { requires: "-a --all" }, "-a | x | 1"],
    ["--all x", { requires: "-a --all" }, "--all | x | 1"],
    ["x -a", { requires: "-a --all" }, "missing-option: probe needs -a or --all"], // may be an operand to others
    ["-b x", { requires: "-a --all" }, "missing-option: probe needs -a or --all"],
    ["-v x ./y", { literal: true }, "-v=x | ./y | 1"],
    ['"./$x"', { literal: true }, "dynamic-word: probe"],
    ['-v "$x"', { literal: true }, "dynamic-word: probe"],
    ['"./$x"', { literal: false }, " | ./… | 0"],
  ])("[GA-05] is asked of every operand and option: %s %j", (words, more, expected) => {
    expect(sorted(words, { ...RULE, ...more })).toBe(expected);
  });

  it("[GA-05] may be more than data can say", () => {
    const asked: string[] = [];
    sorted("-a x", { ...RULE, check: ({ name, operands }) => void asked.push(`${name} ${operands.length}`) });
    expect(asked).toEqual(["probe 1"]);
  });
});
