import { describe, expect, it } from "vitest";
import { Refused } from "../verdict.ts";
import { awkProgramIsReadOnly } from "./awk.ts";
import { sedScriptIsReadOnly } from "./sed.ts";

const passes = (check: (script: string) => void, script: string): boolean => {
  try {
    check(script);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
};

/** Brackets whose end sed and awk look for in different places: what follows is a regular expression to one of them. */
const AMBIGUOUS_BRACKETS = [
  "[]/]",
  "[^]/]",
  "[[:alpha:]/]",
  "[a\\]/]",
  "[[.a.]/]",
  "[[=a=]/]",
  "[[/]",
  "[\\[:a:]/]",
  "[a/]",
];
const PLAIN_BRACKETS = ["[a-z]", "[^a]", "[[:alpha:]]", "[^[:space:][:digit:]_]", "[\\/]", "[\\t ]", "[a^]", "[*.]"];

describe("brackets in regular expressions", () => {
  it.each(AMBIGUOUS_BRACKETS)("[GA-05] are refused where their end depends on the reader: %s", (bracket) => {
    // to the one reader a substitution and another one, to the other one with the flag that runs what it made
    expect(passes(sedScriptIsReadOnly, `s/${bracket}/p;s/e;#/x/`)).toBe(false);
    expect(passes(sedScriptIsReadOnly, `/${bracket}/p`)).toBe(false);
    // to the one reader a comparison with a text, to the other the end of the text and an order
    expect(passes(awkProgramIsReadOnly, `/${bracket.slice(0, -1)} ~ "]/{system(v)}#"`)).toBe(false);
    expect(passes(awkProgramIsReadOnly, `/${bracket}/`)).toBe(false);
  });

  it.each(PLAIN_BRACKETS)("[GA-05] pass where all readers agree: %s", (bracket) => {
    expect(passes(sedScriptIsReadOnly, `s/${bracket}*x/y/g`)).toBe(true);
    expect(passes(sedScriptIsReadOnly, `/${bracket}/d`)).toBe(true);
    expect(passes(awkProgramIsReadOnly, `/${bracket}/ {gsub(/${bracket}/, "x"); print}`)).toBe(true);
  });

  it("[GA-05] end nowhere when the delimiter could close them", () => {
    expect(passes(sedScriptIsReadOnly, "s][a]b]")).toBe(false);
    expect(passes(sedScriptIsReadOnly, "s|[a|]|b|")).toBe(false);
  });
});

describe("sed scripts", () => {
  it.each([
    "1,5p",
    "/a/,/b/d",
    "s/a/b/g;s|x|y|",
    "$!N;P;D",
    ":a;N;$!ba;s/\\n/,/g",
    "1!G;h;$!d",
    "y/abc/xyz/",
    "a\\\ntext w out",
    "\\%x%p",
    "{p;p}",
    "5q",
    "s/[a-z]*/x/2p",
  ])("[GA-05] that only edit the stream are reads: %j", (script) =>
    expect(passes(sedScriptIsReadOnly, script)).toBe(true),
  );

  it.each([
    "w out",
    "1w out",
    "s/a/b/w out",
    "s/a/b/e",
    "1e ls",
    "e",
    "W out",
    "s/[/]/x/",
    "p;w out",
    "{w out\n}",
    "s\na\nb\ne",
    ":x\nw out",
    "y/a/b/w x",
    "/[/]/w x",
  ])("[GA-05] that write, run or read ambiguously are refused: %j", (script) =>
    expect(passes(sedScriptIsReadOnly, script)).toBe(false),
  );
});

describe("awk programs", () => {
  it.each([
    "{print $1}",
    "$1 > 5",
    "/a|b/",
    "{print (a > b)}",
    "{a[$1]++} END {for (k in a) print k, a[k]}",
    "{print s/NR}",
    "{print (a+b)/2}",
    '{print > "/dev/stderr"}',
    '{gsub(/a|b/, "x"); print}',
    'BEGIN{print "a > b | c"}',
  ])("[GA-05] that only print are reads: %j", (program) => expect(passes(awkProgramIsReadOnly, program)).toBe(true));

  it.each([
    '{print > "out"}',
    '{print >> "out"}',
    '{print a,\nb > "out"}',
    '{printf("x") > "out"}',
    '{print | "sh"}',
    'BEGIN{system("x")}',
    'BEGIN{"x" | getline}',
    'BEGIN{f="system"; @f("x")}',
    '@load "x"',
    '{ if (1) /"/; system("x"); y="a" }',
    '{ x = (1) /"/ 2; print "a" > "/b" }',
    "/a[/]b/",
    'BEGIN{ARGV[1]="/inet/tcp/0/h/80"; ARGC=2} 1',
    'BEGIN{SYMTAB["ARGC"]=2}',
  ])("[GA-05] that write, run or read ambiguously are refused: %j", (program) =>
    expect(passes(awkProgramIsReadOnly, program)).toBe(false),
  );
});
