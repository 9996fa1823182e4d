import { describe, expect, it } from "vitest";
import { verdict } from "../../../../test/kit/shell-verdict.ts";

/**
 * What a command prints decides where `$(…)` may stand. `uniq` writes to a second operand, so it takes exactly one word;
 * `sort` writes for an option, so it takes words that cannot begin with a dash, and a path only in quotes.
 */
const printed = (line: string): string => {
  const isRead = (outer: string): boolean => verdict(outer) === "read";
  if (!isRead(`echo "$(${line})"`)) return verdict(line);
  if (isRead(`uniq ./x$(${line})`)) return "one word";
  if (isRead(`sort $(${line})`)) return "words";
  return isRead(`sort "$(${line})"`) ? "a path" : "anything";
};

describe("what git prints", () => {
  it.each([
    ["git merge-base main HEAD", "one word"],
    ["git merge-base --all main HEAD", "words"],
    ["git rev-parse HEAD", "one word"],
    ["git rev-parse --short HEAD", "one word"],
    ["git rev-parse --short=8 main~3", "one word"],
    ["git rev-parse --verify -q 'v1.0^{commit}'", "one word"],
    ["git rev-parse --quiet --verify @{u}", "one word"],
    ["git rev-parse HEAD main", "words"],
    ["git rev-parse main..HEAD", "words"], // both ends
    ["git rev-parse --short main...HEAD", "words"],
    ["git rev-parse HEAD^@", "words"], // every parent
    ["git rev-parse HEAD^-", "words"],
    ["git rev-parse", "words"], // none
    ["git rev-parse --show-toplevel", "a path"],
    ["git rev-parse --git-dir", "a path"],
    ["git rev-parse --absolute-git-dir", "a path"],
    ["git rev-parse --git-common-dir", "a path"],
    ["git rev-parse --show-toplevel --sq-quote x", "anything"],
    ["git rev-parse --show-toplevelx", "unknown-option: git rev-parse --show-toplevelx"],
    ["git rev-parse x--show-toplevel", "one word"],
    ["git rev-parse --sq-quote -- -oout", "anything"],
    ["git rev-parse --short=12 HEAD", "one word"],
    ["git rev-parse --short=x HEAD", "anything"],
    ["git rev-parse -oout--verify HEAD", "unknown-option: git rev-parse -o"],
    ["git rev-parse 'HEAD -oout'", "anything"],
    ["git rev-parse -- --show-toplevel", "anything"],
    ["git rev-parse --shorty HEAD", "unknown-option: git rev-parse --shorty"],
    ["git rev-parse x--verify -- -oout", "anything"], // what is no revision is printed as it is
    ["git rev-parse HEAD --local-env-vars", "anything"],
    ["git rev-parse :/text", "anything"],
    ['git rev-parse -- "$x"', "anything"],
    ['git rev-parse HEAD "a$x"', "anything"],
  ])("[GA-05] %s: %s", (line, expected) => expect(printed(line)).toBe(expected));

  it.each([
    ["git log -1 --format=%H", "one word"],
    ["git log -n 1 --pretty=%h", "one word"],
    ["git log --max-count=1 --format=tformat:%T main", "one word"],
    ["git log --max-count 1 --format=format:%t", "one word"],
    ["git log -1 --format=%ct --no-merges --first-parent", "one word"],
    ["git log -1 --pretty=%at -s --no-patch --merges --all --reverse", "one word"],
    ["git log -5 --format=%H", "words"],
    ["git log --format=%H", "words"],
    ["git log -1 -5 --format=%H", "words"], // the last number counts
    ["git log -5 -1 --format=%H", "one word"],
    ["git log -1 -n 5 --format=%H", "words"],
    ["git log --max-count=-1 --format=%H", "words"], // all of them
    ["git log -n -1 --format=%H", "words"],
    ["git log -1", "anything"],
    ["git log -1 --oneline", "anything"],
    ["git log -1 --format=%s", "anything"], // a subject may be -oout
    ["git log -1 --format='%H %s'", "anything"],
    ["git log -1 --format=-%H", "anything"],
    ["git log -1 --format=%H --format=%s", "anything"],
    ["git log -1 --format=%H --pretty=%s", "anything"],
    ["git log -1 --format=%s --format=%H", "one word"],
    ["git log -1 --format=%H -p", "anything"], // a diff follows
    ["git log -1 --format=%H --name-only", "anything"],
  ])("[GA-05] %s: %s", (line, expected) => expect(printed(line)).toBe(expected));

  it.each([
    ["git rev-list --count HEAD", "one word"],
    ["git rev-list --count --all --no-merges --first-parent", "one word"],
    ["git rev-list -1 HEAD", "words"],
    ["git rev-list -n 3 --max-parents=0 --min-parents=0 --reverse HEAD", "words"],
    ["git rev-list --max-count=3 HEAD", "words"],
    ["git rev-list --format=%s HEAD", "anything"],
    ["git rev-list --objects HEAD", "anything"], // with their names
    ["git rev-list --count --left-right a...b", "anything"],
    ["git show -s --format=%H HEAD", "anything"], // a tag comes with its message, a tree with its names
    ["git show -s --format=%H v1.0", "anything"],
    ["git branch --show-current", "anything"],
    ["git tag --list", "anything"],
  ])("[GA-05] %s: %s", (line, expected) => expect(printed(line)).toBe(expected));
});

describe("what the everyday tools print", () => {
  it.each([
    ["date +%s", "one word"],
    ["date -u +%Y-%m-%dT%H:%M:%SZ", "one word"],
    ["date --utc +%F_%T", "one word"],
    ["date --universal +%j.%H", "one word"],
    ["date -d yesterday +%F", "one word"],
    ["date --date='7 days ago' +%Y%m%d", "one word"],
    ["date --date='last month' +%m", "one word"],
    ["date -d @-1 +%s", "anything"], // before 1970: -1
    ["date -d yesterday +%s", "anything"],
    ["date -d yesterday +%s%F", "anything"],
    ["date -d '9999 years ago' +%Y", "anything"],
    ["date -d '999 years ago 999 years ago 999 years ago' +%Y", "anything"],
    ["date -d -99999999 +%F", "anything"],
    ['date -d "$x" +%F', "anything"],
    ["date -f dates +%s", "anything"],
    ["date -r a.txt +%s", "anything"],
    ["date --help +%s", "anything"], // --set is among what it prints
    ["date", "anything"],
    ["date +-o%s", "anything"],
    ["date +%A", "anything"],
    ["date '+%s -o'", "anything"],
    ["date +%s%n-oout", "anything"],
    ["date +x%s", "anything"],
    ['date "+%s$x"', "anything"],
  ])("[GA-05] %s: %s", (line, expected) => expect(printed(line)).toBe(expected));

  it.each([
    ["wc -l < a.txt", "one word"],
    ["wc -c < a.txt", "one word"],
    ["wc -w < a.txt", "one word"],
    ["wc -m < a.txt", "one word"],
    ["wc -l a.txt", "anything"], // the name is printed too
    ["wc -l -oout", "anything"],
    ["wc < a.txt", "anything"],
    ["wc -lc < a.txt", "anything"],
    ["wc x-l", "anything"],
    ['wc "$x" < a.txt', "anything"],
    ["nproc", "one word"],
    ["nproc --all", "one word"],
    ["nproc --ignore=12", "one word"],
    ["nproc --help", "anything"],
    ["nproc --all --help", "anything"],
    ["nproc --allx", "anything"],
    ["nproc x--all", "anything"],
    ['nproc "$x"', "anything"],
    ["pwd", "a path"],
    ["pwd -P", "a path"],
    ["pwd -L", "a path"],
    ["realpath .", "a path"],
    ['realpath "./$x"', "a path"],
    ["realpath --relative-to=. a", "anything"], // may be -oout
    ["realpath --help", "anything"],
    ["realpath a b", "a path"], // two of them, and each begins with a slash
    ["realpath --relative-base=-L", "anything"],
    ["realpath -PL", "anything"],
    ["realpath a-L -s", "anything"],
    ['realpath "$x"', "anything"],
    ["realpath $(cat args)", "anything"],
    ["which node", "a path"],
    ["which g++ gcc", "anything"],
    ["which -a node", "anything"],
    ["which -v", "anything"],
    ["which /bin/ls", "anything"],
    ["which 'a;b'", "anything"],
    ['which "$x"', "anything"],
    ["command -v python3.12", "a path"],
    ["command -V ls", "anything"],
    ["command -v ls cat", "anything"],
    ["command pwd", "anything"],
    ["cat a.txt", "anything"],
  ])("[GA-05] %s: %s", (line, expected) => expect(printed(line)).toBe(expected));

  it.each([
    ["git diff $(git merge-base main HEAD)", "read"],
    ["git log --since=$(date -d yesterday +%F)", "read"],
    ['sort "$(git rev-parse --show-toplevel)/a.txt"', "read"],
    ['sort "$(realpath $(cat args))"', "dynamic-word: sort …"],
    ["sort $(git show -s --format=%H v1.0)", "dynamic-word: sort …"],
    ["uniq ./x$(git rev-parse main..HEAD)", "operand: uniq: at most 1"],
  ])("[GA-05] so %s: %s", (line, expected) => expect(verdict(line)).toBe(expected));
});
