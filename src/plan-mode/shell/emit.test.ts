import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { emitList, quote } from "./emit.ts";
import { parseShell } from "./parse/parse.ts";
import { judgeShell } from "./shell-gate.ts";

const emitted = (command: string): string => emitList(parseShell(command, "/home/u"));

const hasBash = spawnSync("bash", ["--version"]).error === undefined;

describe("the canonical form", () => {
  it.each([
    ["ls   -la  # note", "ls -la"],
    ["echo \"a b\"'c'$'\\t'", "echo 'a bc\t'"],
    ["echo it\\'s", "echo 'it'\\''s'"],
    ["ls ~/x", "ls /home/u/x"],
    ["echo `pwd`", "echo $(pwd)"],
    ["ls a{1,2}.ts", "ls a1.ts a2.ts"],
    ["ls *.ts", "ls *.ts"],
    ["ls '*.ts'", "ls '*.ts'"],
    ["cat <<'E'\na $x\nE", "cat <<< 'a $x'"],
    ["cat <<E\nE", "cat < /dev/null"],
    ["ls >& /dev/null", "ls &> /dev/null"],
    ["echo $( (ls) )", "echo $( ( ls ))"],
    ["if ls; then pwd; elif id; then w; else :; fi", "if ls; then pwd; elif id; then w; else :; fi"],
    ["for f in a b; do ls $f; done", "for f in a b; do ls ${f}; done"],
    ["case $x in a|b*) ls;; esac", "case ${x} in (a|b*) ls ;; esac"],
    ["[[ -f a && ! -d b ]]", "[[ ( -f a && ! ( -d b ) ) ]]"],
    ["! time ls | cat", "! time ls | cat"],
    ["{ ls; pwd; } 2>/dev/null", "{ ls; pwd; } 2> /dev/null"],
    ["r\\\nm a", "rm a"],
  ])("[GA-05] is re-emitted from the tree: %j", (command, expected) => {
    expect(emitted(command)).toBe(expected);
  });

  it("[GA-05] carries the arguments that switch drivers off", () => {
    const judged = judgeShell("git diff; rg x", { cwd: "/w", home: "/home/u" });
    expect(judged.canonical).toBe("git diff --no-ext-diff --no-textconv --ignore-submodules=all; rg --no-config x");
  });

  it
    .skipIf(!hasBash)
    .each(["a b", "$(x)", "`x`", "a'b", '"', "\\", "~", "{a,b}", "*", "#x", "a\nb", "!x", "", "-n", "=x", "é"])(
    "[GA-05] quotes %j so that bash reads back the same string",
    (value) => {
      const printed = spawnSync("bash", ["--norc", "-c", `printf '%s.' ${quote(value) || "''"}`], { encoding: "utf8" });
      expect(printed.stdout).toBe(`${value}.`);
    },
  );

  it.each([
    "ls 1<(touch x)",
    "echo \"${v:-$'$(touch x)'}\"",
    "<<<<(true)ls touch x",
    'echo $"x"',
    "ls @(a)",
    "a[0]=1",
    "{fd}>x ls",
  ])("[GA-05] has no node for what parsers disagree about: %s", (command) => {
    expect(judgeShell(command, { cwd: "/w", home: "/home/u" }).allowed).toBe(false);
  });
});
