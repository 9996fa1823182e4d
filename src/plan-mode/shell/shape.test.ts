/** What a computed word can become decides where it may stand: `sort` writes with `-o`, and bash connects for `< /dev/tcp/…`. */
import { describe, expect, it } from "vitest";
import { judgeShell } from "./shell-gate.ts";

const verdict = (command: string): string => {
  const judged = judgeShell(command, { cwd: "/w", home: "/home/u" });
  return judged.allowed ? "runs" : `${judged.code}: ${judged.matched}`;
};
const unknown = (prefix = ""): string => `dynamic-word: sort ${prefix}…`;

describe("a computed word", () => {
  it.each([
    ["sort $?", "runs"],
    ["sort $#", "runs"],
    ["sort $$", "runs"],
    ["sort ${#x}", "runs"],
    ["sort $1", unknown()],
    ["sort $x", unknown()],
    ["sort $((1-5))", unknown()], // a number may be below zero
    ["sort a$((1-5))", "runs"],
    ['sort "$HOME" "$PWD"', "runs"],
    ["sort $HOME", unknown()], // it may hold blanks
    ['sort "$HOME/x" "$OLDPWD"', unknown()],
    ['sort "${HOME%/*}"', unknown()],
    ['sort "${HOME#/}"', unknown()],
    ['sort "$x$HOME"', unknown()], // the first part decides
    ['sort "$HOME$x"', "runs"],
    ['sort "./$x" "a$x$y"', "runs"],
    ["sort ./$x", unknown("./")], // any number of words
    ["sort ./$x*", unknown("./")],
    ["sort ./*$x", unknown("./")],
    ["sort ./*", "runs"],
    ["sort [ab]*", unknown()],
    ["sort ./{a,b}*", "runs"],
    ["sort -$x", unknown("-")],
    ['sort "-$x"', unknown("-")],
    ["sort <(ls)", "runs"],
  ])("[GA-05] stands as a file only where it cannot become an option: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["sort ./$(cat list)", unknown("./")], // any number of words
    ['sort "./$(cat list)"', "runs"],
    ['sort "$(cat list)"', unknown()],
    ["sort $(cat list)", unknown()],
    ["sort $(git merge-base a b)", "runs"], // at most one word, and none that begins with a dash
    ["sort x$(git merge-base a b)y", "runs"],
    ["sort $(git merge-base a b)y", "runs"],
    ["sort $(git merge-base a b)-o", unknown()], // it may print nothing, and then what follows comes first
    ["sort $(git merge-base a b)$x", unknown()],
    ["sort $(git rev-list -3 HEAD)", "runs"],
    ["sort x$(git rev-list -3 HEAD)", "runs"],
    ["sort ./$x$(git merge-base a b)", unknown("./")],
    ["sort $(git rev-parse --show-toplevel)", unknown()], // a path may hold blanks
    ['sort "$(git rev-parse --show-toplevel)"', "runs"],
    ["uniq $(git merge-base a b)", "operand: uniq: at most 1"], // or none at all
    ["uniq x$(git merge-base a b)", "runs"],
    ["uniq x$(git rev-list -3 HEAD)", "operand: uniq: at most 1"],
    ["uniq ./*$(git merge-base a b)", "operand: uniq: at most 1"],
  ])("[GA-05] that a command prints is what that command is known to print: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ['cat < "./$x"', "runs"],
    ['cat < "x$y"', "runs"],
    ['cat < "/$x"', "redirect-form: < /…"],
    ['cat < "$x"', "redirect-form: < …"],
    ["cat < $(git merge-base a b) x", "redirect-form: < …"],
    ["cat < $#", "runs"],
    ["x=a; cat < $x", "runs"],
    ["x=/dev/tcp/a/1; cat < $x", "redirect-network: /dev/tcp/a/1"],
    ['for x in a b; do cat < "$x"; done', "runs"],
    ['for x in a /dev/tcp/b/1; do cat < "$x"; done', "redirect-form: < …"],
    ['for x in *.ts; do cat < "$x"; done', "runs"], // names hold no slash
  ])("[GA-05] is read from only where it begins in this folder: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });
});

describe("a variable", () => {
  it.each([
    ["x=a; sort $x", "runs"],
    ["x=a; x=a; sort $x", "runs"],
    ['x=-oout; sort "$x"', "harmful-option: sort -o"],
    ["x=a; x=b; sort $x", "runs"],
    ["x=a; x=-b; sort $x", unknown()],
    ["x=a; x='b -oout'; sort $x", unknown()],
    ["x=a; x='b -oout'; sort \"$x\"", "runs"],
    ["x='a b'; sort $x", unknown()],
    ["x='a*'; sort $x", unknown()],
    ["x=; sort $x", unknown()], // no word at all
    ["x=; sort a$x", unknown("a")],
    ['x=; sort "$x"', "runs"],
    ["x=a; sort $x$y", unknown("a")],
    ['x=a; sort "$y$x"', unknown()],
    ["x=a; sort ${x%a}", unknown()],
    ["x=a; sort ${x:-b}", unknown()],
    ["x=$y; sort $x", unknown()],
    ["x=a$y; sort $x", unknown()],
    ["for x in a b; do sort $x; done", "runs"],
    ["for x in a -b; do sort $x; done", unknown()],
    ["for x in a $y; do sort $x; done", unknown()],
    ['for x in a$y; do sort "$x"; done', unknown()], // it is split, and only the first word begins with an a
    ['for x in "a$y"; do sort "$x"; done', unknown()],
    ['for x in a$(cat list); do sort "$x"; done', unknown()],
    ['for x in a*; do sort "$x"; done', "runs"],
    ["for x in a*; do sort $x; done", unknown()],
    ['for x in *; do sort "$x"; done', unknown()],
    ["for x in a b; do uniq $x; done", "runs"],
    ["for x in a b; do sort -k $x; done", "runs"],
  ])("[GA-05] is what it was set to, if that is certain: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["x=$(git merge-base a b); sort $x", "runs"],
    ['x=$(git merge-base a b); sort "$x"', "runs"],
    ["x=$(git merge-base a b)-oout; sort $x", unknown()],
    ["x=$(git merge-base a b); x=a; sort $x", unknown()],
    ["x=$(cat f); sort $x", unknown()],
    ["x=$(git rev-parse --show-toplevel); sort $x", unknown()],
    ['x=$(git rev-parse --show-toplevel); sort "$x"', "runs"],
    ["for x in $(git merge-base a b); do sort $x; done", "runs"],
    ["for x in $(git rev-list -3 HEAD); do sort $x; done", "runs"],
    ["for x in $(git rev-list -3 HEAD); do uniq $x; done", "runs"], // one in each round
    ['for x in "$(git rev-list -3 HEAD)"; do sort $x; done', unknown()],
    ["for x in $(git rev-list -3 HEAD)-oout; do sort $x; done", unknown()],
    ["for x in $(git rev-list -3 HEAD) a; do sort $x; done", unknown()],
    ['for x in $(git rev-parse --show-toplevel); do sort "$x"; done', unknown()],
    ['for x in $(cat f); do sort "$x"; done', unknown()],
  ])("[GA-05] holds what a command with known output printed: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });
});
