import { describe, expect, it } from "vitest";
import { ShellRefused } from "../verdict.ts";
import { awkProgramIsReadOnly } from "./awk.ts";
import { sedScriptIsReadOnly } from "./sed.ts";

const passes = (check: (script: string) => void, script: string): boolean => {
  try {
    check(script);
    return true;
  } catch (error) {
    if (error instanceof ShellRefused) return false;
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
  "[a\\\n]",
  "[a\n]",
  "[a",
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
    "5",
    "",
    " ; \n",
    "10~25p",
    "5,+10p;5,~12p",
    "/a/IM , \t/b/I ! p",
    "\\,a,I,\\|b|Md",
    "0,/a/d",
    "s/a/b/gIm1",
    "s/a\\/b/c\\/d/ ; p",
    "s/a/b\\\nc/",
    "s/a/[/;p",
    "y/[a/]b/",
    "y/a\\/b/c\\/d/",
    "q 15;Q 2; l 70 ; L",
    "q5;l30;Q",
    "b end\n:end;t;T end }",
    ":a;ta}",
    "p # w out",
    "# w out\np",
    "#n",
    "s/a/b/ # and so on",
    "p;p\t\n}",
    "1{\n p }\n;p",
    "a text w out",
    "i\\\n one\\\n w out\np",
    "c\\text",
    "r w out\np",
    "R names",
    "$=;F;z;x;h;H;G;g;n;N;D;P",
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
    "y/a/b/g",
    "/[/]/w x",
    "5,w out",
    "5,p",
    "\\xaxp",
    "\\\na\np",
    "sxaxbx",
    "s a b ",
    "s\\a\\b\\",
    "s/a",
    "s/a/b",
    "s/a/b\\",
    "s/a\nb/c/",
    "s/a/b\nw out\n/",
    "s/a/b/gw out",
    "s/a/b/ e",
    "s/a/b/5e",
    "/a",
    "/a\n/p",
    "y/a/b",
    "a text\\",
    "a text\nw out",
    "i\\\n one\n w out",
    "c one\\\ntwo\nw out",
    "r a\nw out",
    "# a\nw out",
    "p # a\nw out",
    "p w out",
    "q 1 w out",
    "q1w out",
    "lx",
    "b a b",
    ":a w out",
    "}w out",
    "{}w out",
    "1~2w out",
    "$!w out",
    "1,$ ! w out",
    "/a/I,/b/MW out",
    "v 4.2",
    "k",
    "é",
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
    '{ print "a\\"b", "/" }',
    '/a\\/b|"/ { n++ }',
    '{ print n++/2, n-- /2, $NF/2, a[1]/2, 1.5/2, "3"/2 } # "',
    "{ x /= 2; y = 1e+3/4; z = .5e-2/4; u = 12E34/5 }",
    "!/a/ && $1 ~ /b/ || /c/",
    "{ if (/a/) print; else /b/ }",
    '{ return /"/ }',
    "{ print length, length($0), lengths /2 } # a/b",
    "# print > out\n{ print } # system(1)",
    "{ print $1,\n$2 }\n$1 > 5 { n = a > b }",
    "{ print a; x = b > c }",
    "{ print a\nx = b > c }",
    '{ printf("%s", a > b) }',
    "{ print a[b > c] }",
    "{ print \\\n $1 }",
    '{ print a > "/dev/stdout"; print b >\t"/dev/stderr" }',
    '{ print a > "/dev/stderr"\nprint b }',
    'END { print > "/dev/stderr" }',
    "{ print (1)/2 }",
    "{ a = (1)/2 + (3)/4 }",
    "{ a = (1)/2 + (3)/4 + (5)/6 + (7)/8 + (9)/10 + (11)/12 }",
    '{\tprint ENVIRON["HOME"] }',
    "function f(a) { return a^2 % 3 - 1 * 4 <= 5 ? 6 : 7 }",
    "{ while (i in a) { delete a[i]; break } do { continue } while (0); next; exit 1 }",
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
    "BEGIN{ARGC=2}",
    'BEGIN{FUNCTAB["x"]}',
    'BEGIN{popen("x")}',
    'BEGIN{extension("x")}',
    // to the one reader a regular expression, to the other a division and an order
    '{ if (1) /"/; system("x") } #"',
    '{ x = (1) /2; system("x"); y = 3/ 1 }',
    '{ (1) /"/ (2) /"/; system("x") } #""',
    '{ (1) / 2 + (3) /"/; system("x") } #"',
    // names that only gawk takes for words of its own
    'BEGIN{ switch / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ case / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ default / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ func / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ BEGINFILE / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ ENDFILE / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ nextfile / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ switch /"/; system("x") } #"',
    // a number ends where the reader thinks that it does
    'BEGIN{ x = 0x1system("x") }',
    'BEGIN{ x = 1e5system("x") }',
    'BEGIN{ x = 1.5e-3system("x") }',
    'BEGIN{ x = 1_system("x") }',
    'BEGIN{ x = 2system("x") }',
    // a slash behind these divides
    'BEGIN{ n++ / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ n-- / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ a[1] / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ "2" / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ /a/ / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ 3 / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ NF / 2; system("x"); y = 3 / 1 }',
    'BEGIN{ n / 2; system("x") }',
    // and behind these it does not
    'BEGIN{ print /"/; system("x") } #"',
    'BEGIN{ x = /"/; system("x") } #"',
    'BEGIN{ x\n/"/; system("x") } #"',
    'BEGIN{ 1 / /"/; system("x") } #"',
    'BEGIN{ a > /"/; system("x") } #"',
    'BEGIN{ a || /"/; system("x") } #"',
    '{ print > "/dev/stderr" "x" }',
    '{ print > "/dev/stderr", "x" }',
    '{ print > "/dev/stdouts" }',
    '{ print >> "/dev/stderr" }',
    "{ print > $1 }",
    '{ print (a) > "out" }',
    '{ print a[1] > "out" }',
    '{ print (a\n) > "out" }',
    '{ print a ||\nb > "out" }',
    '{ print \\\n > "out" }',
    '{ print a > "/dev/stderr"; print b > "out" }',
    '{ > "out" }',
    '{ print a | "sh" }',
    '{ print a |& "sh" }',
    '{ print "a || b" | "sh" }',
    "{ a | b || c }",
    '"a\nb"',
    '"a',
    "/a\n/",
    "/a\\\n/",
    "/\\\n/",
    "/\n/",
    "/a\\",
    "/[a\n]/",
    "{ print length\t/x/ 1 }",
    "{ print length/x/ }",
    "{ print 'a' }",
    "{ print `a` }",
    "{ print é }",
    "{ print \\ a }",
    "{ a = (1)/1 + (2)/2 + (3)/3 + (4)/4 + (5)/5 + (6)/6 + (7)/7 }",
  ])("[GA-05] that write, run or read ambiguously are refused: %j", (program) =>
    expect(passes(awkProgramIsReadOnly, program)).toBe(false),
  );
});
