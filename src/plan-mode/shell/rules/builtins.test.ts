import { describe, expect, it } from "vitest";
import { hint, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("the shell's own commands", () => {
  it.each([
    ["printf '%s\\n' a b", "read"],
    ["printf", "read"],
    ["printf '%5.2f %d%% %q %b' 1 2 3 4", "read"],
    ["printf '100%% new\\n'", "read"],
    ["printf -- '%s' a", "read"],
    ["printf '%%%n' PATH", "shell-state: printf %%%n"],
    ["printf %n PATH", "shell-state: printf %n"], // stores a count in PATH
    ["printf '%s%-5hhn' a PATH", "shell-state: printf %s%-5hhn"],
    ["printf '%ln' PATH", "shell-state: printf %ln"],
    ['printf "$x" a', "dynamic-word: printf …"],
    ['printf "a$x" a', "shell-state: printf …"],
    ["printf -v PATH .", "unknown-option: printf -v"],
  ])("[GA-05] printf prints: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it("[GA-07] printf says how to write the format", () => {
    expect(hint("printf %n x")).toBe("Write the format literally, without %n.");
  });

  it.each([
    ["read -r line < a.txt", "read"],
    ["read -rs -d x -n 1 -N 1 -t 5 -u 0 a b_2", "read"],
    ["read -p question answer", "read"],
    ["read < a.txt", "shell-state: read without a name"],
    ["read 'a[$(touch x)]'", "shell-state: read a[$(touch x)]"], // runs touch
    ["read 1a", "shell-state: read 1a"],
    ["read 'a b'", "shell-state: read a b"],
    ["read -r PATH", "shell-state: read PATH"],
    ['read -r "x$y"', "shell-state: read …"],
    ["read -a list", "unknown-option: read -a"],
    ["read -e line", "unknown-option: read -e"],
  ])("[GA-05] read sets plain variables of its own: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["set -e", "read"],
    ["set -eu; ls", "read"],
    ["set -euo pipefail; ls", "read"],
    ["set -o pipefail", "read"],
    ["set", "shell-state: set"],
    ["set --", "shell-state: set"],
    ["set -e -- a", "operand: set: at most 0"],
    ["set a b", "operand: set: at most 0"],
    ["set -a", "unknown-option: set -a"], // exports every later assignment
    ["set -o allexport", "shell-state: set"],
    ["set -o pipefail -o posix", "shell-state: set"],
    ['set -o "$x"', "shell-state: set"],
    ["set -x", "unknown-option: set -x"],
  ])("[GA-05] set makes a line stricter, nothing more: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["cd src && ls", "read"],
    ["cd -P src", "read"],
    ["cd -L src", "read"],
    ["cd -e src", "read"],
    ["cd a b", "operand: cd: at most 1"],
    ["cd -@ a", "unknown-option: cd -@"],
    ["type -a ls", "read"],
    ['type "$x"', "read"],
    ["type $x", "dynamic-word: type"],
    ["hash -t ls", "read"],
    ["hash -l", "read"],
    ["hash", "missing-option: hash needs -t or -l"],
    ["hash -r", "harmful-option: hash -r"],
    ["hash -d ls", "harmful-option: hash -d"],
    ["hash -p ./evil ls", "harmful-option: hash -p"], // from now on ls is ./evil
    ["history", "read"],
    ["history 20", "read"],
    ["history 20x", "operand: history 20x"],
    ["history x20", "operand: history x20"],
    ["history 1 2", "operand: history: at most 1"],
    ["history -w out", "unknown-option: history -w"],
    ["jobs -lnprs", "read"],
    ["jobs -x touch a", "harmful-option: jobs -x"],
    ["ulimit -a", "read"],
    ["ulimit -Sn", "read"],
    ["ulimit -n 10", "operand: ulimit: at most 0"],
    ["umask", "read"],
    ["umask -S", "read"],
    ["umask -p", "read"],
    ["umask 000", "operand: umask: at most 0"],
    ["dirs -lpv", "read"],
    ["dirs +1", "operand: dirs: at most 0"],
    ["dirs -c", "unknown-option: dirs -c"],
    ["times", "read"],
    ["times x", "operand: times: at most 0"],
    ["shopt", "read"],
    ["shopt -p extglob nullglob", "read"],
    ["shopt -q a b c d", "read"],
    ["shopt a b c d e", "operand: shopt: at most 4"],
    ["shopt -s expand_aliases", "unknown-option: shopt -s"],
    ["alias", "read"],
    ["alias -p", "read"],
    ["alias ls=rm", "shell-state: ls=rm"],
    ["alias ls", "operand: alias: at most 0"],
    ["help cd", "read"],
    ["help -d cd", "read"],
    ["help -s cd", "read"],
    ['help "c$x"', "dynamic-word: help"],
    ["export -p", "read"],
    ["declare -p", "read"],
    ["export", "missing-option: export needs -p"],
    ["declare", "missing-option: declare needs -p"],
    ["export -p PATH", "operand: export: at most 0"],
    ["declare -x A", "unknown-option: declare -x"],
    ["trap -l", "read"],
    ["trap -p", "read"],
    ["trap -p EXIT", "read"],
    ["trap", "shell-state: trap"],
    ["trap 'rm a' EXIT", "shell-state: trap"],
    ["exit", "read"],
    ["ls || exit 1", "read"],
    ["exit 1000", "operand: exit 1000"],
    ["exit x1", "operand: exit x1"],
    ["exit 1 2", "operand: exit: at most 1"],
    ["while ls; do break; done", "read"],
    ["for f in a b; do continue 2; done", "read"],
    ["return 0", "read"],
    ["[ -f a.txt ] && test -d src", "read"],
    ["[ -v 'a[$(x)]' ]", "script: [ -v a[$(x)] ]"],
    ["unset PATH", "shell-state: unset"],
    ["source ./x", "shell-state: source"],
    [". ./x", "shell-state: ."],
  ])("[GA-05] looks, and changes nothing that later words rely on: %s", (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });
});
