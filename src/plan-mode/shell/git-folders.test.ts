import { describe, expect, it } from "vitest";
import { judgeShell } from "./shell-gate.ts";

/** Where the filters of a repository are looked up before git runs; `?` when that cannot be known. */
const places = (command: string): string => {
  const verdict = judgeShell(command, { cwd: "/w", home: "/home/u" });
  if (!verdict.allowed) return `refused: ${verdict.code}`;
  if (verdict.git === undefined) return "none";
  return [...verdict.git.folders, ...(verdict.git.elsewhere ? ["?"] : [])].join(" ");
};

describe("where git may run", () => {
  it.each([
    ["ls", "none"],
    ["git status", "/w"],
    ["git -C sub status", "/w /w/sub"],
    ["git -C /other status", "/w /other"],
    ['git -C "$PWD" status', "/w"],
    ['git -C "$PWD/sub" status', "/w ?"],
    ['git -C "${PWD%/*}" status', "/w ?"],
    ['git -C "$HOME" status', "/w ?"],
    ['git -C "./$x" status', "/w ?"],
    ["git -C '' status", "/w"],
    ["git -C a -C b status", "/w /w/a /w/b /w/a/b"],
    ["cd sub && git status", "/w /w/sub"],
    ["cd -- sub && git status", "/w /w/sub"],
    // Where link leads elsewhere, these are two folders, and the shell means the second.
    ["cd link/../sub && git status", "/w /w/link/../sub /w/sub"],
    ["cd link && cd ../sub && git log", "/w /w/link /w/../sub /sub /w/link/../sub /w/sub"],
    ["cd ../../.. && git status", "/w /w/../../.. /"],
    ["cd a..b && git status", "/w /w/a..b"],
    ["cd -P sub && git status", "/w /w/sub"],
    ["cd -LP sub && git status", "/w /w/sub"],
    ["cd a-P && git status", "/w /w/a-P"],
    ["cd -- -Px && git status", "/w /w/-Px"],
    ["git log finder", "/w"],
    ["cd && git status", "/w ?"],
    ["cd - && git status", "/w ?"],
    ['cd "./$x" && git status', "/w ?"],
    ["builtin cd sub; git status", "/w /w/sub"],
    ["git log -- cd", "/w ?"],
    ["ls -C sub; git status", "/w /w/sub"],
    ["git diff -C", "/w"],
    ["find . -name x -exec git log {} ';'", "/w ?"],
    ["ls | xargs git log --", "/w ?"],
    ["ls | /usr/bin/xargs /usr/bin/git log --", "/w ?"],
    ["find . -name git; git status", "/w ?"], // too careful: a name is not an order
    ["find . -name gitk; git status", "/w"],
    ["for d in a b; do git -C a status; done", "/w /w/a"],
    ["for d in a b; do cd a; git status; done", "/w /w/a ?"],
    ["while read f; do cd a; git status; done < list", "/w /w/a ?"],
  ])("[GA-06] is known beforehand, or the line needs a sandbox: %s", (command, expected) => {
    expect(places(command)).toBe(expected);
  });

  it.each([
    "echo $(git -C sub log)",
    'echo "$(git -C sub log)"',
    "diff <(git -C sub log) a.txt",
    "x=$(git -C sub log)",
    "( git -C sub log )",
    "{ git -C sub log; }",
    "git -C sub log | head",
    "git log && git -C sub log",
    "if git -C sub log; then ls; fi",
    "if ls; then git -C sub log; fi",
    "if ls; then pwd; else git -C sub log; fi",
    "if ls; then pwd; elif git -C sub log; then ls; fi",
    "for f in $(git -C sub ls-files); do echo x; done",
    "for f in a; do git -C sub log; done",
    "while git -C sub log; do ls; done",
    "while ls; do git -C sub log; done",
    "case $(git -C sub log) in a) ls ;; esac",
    "case a in a) git -C sub log ;; esac",
    "cat <<< $(git -C sub log)",
    "cat < <(git -C sub log)",
    "( ls ) <<< $(git -C sub log)",
    "[[ -n $(git -C sub log) ]]",
    "[[ a = $(git -C sub log) ]]",
    "[[ $(git -C sub log) = a ]]",
    "[[ -f a && -n $(git -C sub log) ]]",
    "[[ ! -n $(git -C sub log) ]]",
    "[[ ( -n $(git -C sub log) ) ]]",
  ])("[GA-06] is looked for wherever a command can stand: %s", (command) => {
    expect(places(command)).toBe("/w /w/sub");
  });

  it("[GA-06] stops counting at a limit and then takes the line for one that needs a sandbox", () => {
    const steps = (count: number): string =>
      Array.from({ length: count }, (_none, n) => `git -C /r${n} log`).join("; ");
    expect(places(steps(3)).split(" ")).toHaveLength(4);
    expect(places(steps(15)).split(" ")).toHaveLength(16);
    expect(places(steps(16)).split(" ").slice(-2)).toEqual(["/r14", "?"]);
    expect(places(steps(20)).split(" ")).toHaveLength(17);
    const nowhere = (count: number): string => "git -C '' log; ".repeat(count);
    expect(places(`${nowhere(15)}git -C /r log`)).toBe("/w /r");
    expect(places(`${nowhere(16)}git -C /r log`)).toBe("/w ?");
  });
});
