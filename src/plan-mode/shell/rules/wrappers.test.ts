import { describe, expect, it } from "vitest";
import { canonical, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("a command that runs another one", () => {
  it.each([
    ["env", "read"],
    ["env -0", "read"],
    ["env --version", "read"],
    ["env LC_ALL=C TZ=UTC sort a.txt", "read"],
    ["genv ls", "read"],
    ["env LC_ALL=C rm a", "known-write: rm"],
    ["env a=b=c ls", "environment: a=b=c"],
    ["env 'LANG=C\nx' ls", "environment: LANG=C\nx"],
    ["env -- ls", "read"],
    ["env 1LANG=C ls", "unknown-command: 1LANG=C"],
    ["env ./LANG=C", "unknown-command: ./LANG=C"],
    ['env "LANG=$x" ls', "dynamic-command: LANG="],
    ["env IFS=x ls", "environment: IFS=x"],
    // What is taken away is what keeps git from running the programs that a repository names.
    ["env -i git status", "harmful-option: env -i"],
    ["env --ignore-environment git status", "harmful-option: env --ignore-environment"],
    ["env -u GIT_CONFIG_COUNT git status", "harmful-option: env -u"],
    ["env -uGIT_CONFIG_COUNT git status", "harmful-option: env -u"],
    ["env --unset=GIT_CONFIG_COUNT git status", "harmful-option: env --unset"],
    ["env - git status", "unknown-command: -"],
    ["env -S 'rm a'", "harmful-option: env -S"],
    ["env --split-string='rm a'", "harmful-option: env --split-string"],
    ["env -C / ls", "harmful-option: env -C"],
    ["env --chdir=/ ls", "harmful-option: env --chdir"],
  ])("[GA-05] env sets, and takes nothing away: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["command -v git", "read"],
    ["command -V git", "read"],
    ["command -v rm", "read"],
    ["command ls", "read"],
    ["command", "read"],
    ["command rm a", "known-write: rm"],
    ["command -p ls", "harmful-option: command -p"],
    ["builtin cd src", "read"],
    ["builtin eval ls", "shell-state: eval"],
    ["nice ls", "read"],
    ["nice -n 5 ls", "read"],
    ["nice -10 ls", "read"],
    ["nice --adjustment=5 ls", "read"],
    ["nice -n 5 rm a", "known-write: rm"],
    ["nice", "missing-option: nice without a command"],
    ["ionice -c 3 -n 1 -t ls", "read"],
    ["ionice -c3 rm a", "known-write: rm"],
    ["ionice -c 3 -p 1", "unknown-option: ionice -p"],
    ["ionice -c 3", "missing-option: ionice without a command"],
    ["timeout 5 ls", "read"],
    ["timeout 0.5m git log", "read"],
    ["timeout -k 5 -s KILL 10s ls", "read"],
    ["timeout -v --foreground --preserve-status --signal=INT --kill-after=1 1h ls", "read"],
    ["gtimeout 5d ls", "read"],
    ["timeout 5 rm a", "known-write: rm"],
    ["timeout 5", "missing-option: timeout without a command"],
    ["timeout rm a", "operand: timeout rm"],
    ["timeout 5x ls", "operand: timeout 5x"],
    ["timeout x5 ls", "operand: timeout x5"],
    ['timeout "5$x" ls', "operand: timeout …"],
    ["stdbuf -oL -i0 -e 0 ls", "read"],
    ["stdbuf --output=L ls", "read"],
    ["stdbuf -oL rm a", "known-write: rm"],
    ["stdbuf -oL", "missing-option: stdbuf without a command"],
    ["time ls", "read"],
    ["/usr/bin/time -p ls", "read"],
    ["/usr/bin/time -v ls", "read"],
    ["/usr/bin/time --verbose ls", "read"],
    ["/usr/bin/time -o out ls", "harmful-option: time -o"],
    ["/usr/bin/time --output=out ls", "harmful-option: time --output"],
    ["/usr/bin/time -a ls", "harmful-option: time -a"],
    ["/usr/bin/time -f %e ls", "harmful-option: time -f"],
    ["/usr/bin/time", "missing-option: time without a command"],
  ])("[GA-05] is judged by the command inside: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["xargs", "read"],
    ["find . -print0 | xargs -0 grep -l x", "read"],
    ["ls | xargs -n 1 -P 4 wc -l", "read"],
    ["ls | xargs -r -t -x -d ',' -s 9 -E end -a list wc", "read"],
    ["ls | xargs --null --max-args=1 --no-run-if-empty cat", "read"],
    ["ls | xargs -L 1 echo", "read"],
    ["gxargs cat", "read"],
    ["ls | xargs rm", "known-write: rm"],
    ["ls | xargs sort", "dynamic-word: sort …"], // one of the names may be -oout
    ["ls | xargs sort --", "read"],
    ["ls | xargs uniq --", "operand: uniq: at most 1"], // the second name is written to
    ["ls | xargs -p cat", "harmful-option: xargs -p"],
    ["ls | xargs --interactive cat", "harmful-option: xargs --interactive"],
    ["ls | xargs -o cat", "harmful-option: xargs -o"],
    ["ls | xargs --open-tty cat", "harmful-option: xargs --open-tty"],
    ["ls | xargs --process-slot-var=PATH cat", "harmful-option: xargs --process-slot-var"],
    ["ls | xargs env", "dynamic-word: env …"],
  ])("[GA-05] xargs brings words that nobody has seen: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["ls | xargs -I{} echo 'file: {}'", "read"],
    ["ls | xargs -I % sort ./%", "read"],
    ["ls | xargs -I {} uniq src/{}", "read"],
    ["ls | xargs -I% -r -P 2 sort ./%", "read"],
    ["ls | xargs --replace sort ./{}", "read"],
    ["ls | xargs --replace=% sort ./%", "read"],
    ["ls | xargs --replace=% sort {}", "read"], // {} is a plain name then
    ["ls | xargs -I{} -I% sort {} ./%", "read"],
    ["ls | xargs -I% sort %", "dynamic-word: sort …"],
    ["ls | xargs --replace sort {}", "dynamic-word: sort …"],
    ["ls | xargs -I% sort a.txt", "read"],
    ["ls | xargs -I% %", "dynamic-command: xargs"],
    ["ls | xargs -I% ./%", "dynamic-command: xargs"],
    ["ls | xargs -I% rm %", "known-write: rm"],
    ["ls | xargs -I '' rm a", "operand: xargs -I"],
  ])("[GA-05] xargs -I puts them where its mark stands: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    // rg gets --no-config from the gate; a line `pre=./evil` would make --pre=./evil of it.
    ["xargs -a list -I no-config rg x", "operand: xargs -I no-config"],
    ["xargs -a list --replace=config timeout 5 rg x", "operand: xargs -I config"],
    ["xargs -a list -I env node --version", "operand: xargs -I env"],
    ["xargs -a list -I /dev/null gdb --version", "operand: xargs -I /dev/null"],
    ["xargs -a list -I immut sqlite3 -readonly a.db .tables", "operand: xargs -I immut"],
    ["xargs -a list -I{} rg x ./{}", "read"],
    // What the shell computes can hold the mark, or complete it.
    ['for f in a b; do xargs -a list -I a sort "$f"; done', "dynamic-word: sort …"],
    ['xargs -a list -I 20 sort "$(date +%Y)"', "dynamic-word: sort …"],
    ["xargs -a list -I ./ab sort ./a*", "dynamic-word: sort …"],
    ["xargs -a list -I % sort ./a*", "read"],
    ["xargs -a list -I {} sort src/*.ts ./{}", "read"],
    ['xargs -a list -I {} wc -l "$f" {}', "read"],
    ['xargs -a list -I "$m" sort a.txt', "dynamic-word: xargs -I"],
    ['xargs -a list --replace="$m" sort a.txt', "dynamic-word: xargs -I"],
  ])("[GA-05] xargs -I finds its mark in every word that runs: %s", (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });

  it.each([
    // GNU xargs lets -n and -L undo an -I before them, and appends the words: here -oout.
    ["printf '%s\\n' -oout | xargs -I% -L1 sort a.txt", "dynamic-word: sort …"],
    ["printf '%s\\n' -oout | xargs -I% -n2 sort a.txt", "dynamic-word: sort …"],
    ["ls | xargs --replace --max-args=2 sort a.txt", "dynamic-word: sort …"],
    ["ls | xargs --replace --max-lines=2 sort a.txt", "dynamic-word: sort …"],
    ["ls | xargs -I% -n1 sort ./%", "dynamic-word: sort …"],
    ["ls | xargs -I% -n1 wc -l %", "read"],
    ["ls | xargs -I% -n1 rm %", "known-write: rm"],
    ["ls | xargs -n1 -I% sort ./%", "read"],
    ["ls | xargs -L 1 --replace=% sort ./%", "read"],
    ["ls | xargs -n1 -I% sort %", "dynamic-word: sort …"],
  ])("[GA-05] xargs in two modes must be harmless in both: %s", (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });

  it.each([
    ["env LC_ALL=C ls -la", "env LC_ALL=C ls -la"],
    ["env rg -l x", "env rg --no-config -l x"],
    ["command rg -l x", "command rg --no-config -l x"],
    ["builtin type -a ls", "builtin type -a ls"],
    ["nice -n 5 rg -l x", "nice -n 5 rg --no-config -l x"],
    ["ionice -c3 rg -l x", "ionice -c3 rg --no-config -l x"],
    ["timeout 0.25 rg -l x", "timeout 0.25 rg --no-config -l x"],
    ["stdbuf -oL rg -l x", "stdbuf -oL rg --no-config -l x"],
    ["/usr/bin/time -p rg -l x", "'time' -p rg --no-config -l x"],
    ["xargs -0", "xargs -0"],
    ["xargs -n1 rg -l x --", "xargs -n1 rg --no-config -l x --"],
    ["xargs -I% rg -l x ./%", "xargs -I% rg --no-config -l x ./%"],
  ])("[GA-06] hands the command on as it was judged: %s", (line, expected) => {
    expect(canonical(line)).toBe(expected);
  });
});
