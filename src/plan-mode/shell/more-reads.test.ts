import { describe, expect, it } from "vitest";
import { judgeShell } from "./shell-gate.ts";

/** Whole classes of reads that pass because of how they are printed, or because only a sandbox runs them. */

const PLACE = { cwd: "/w", home: "/home/u" };

const judged = (command: string): string => {
  const verdict = judgeShell(command, PLACE);
  if (!verdict.allowed) return `${verdict.code}: ${verdict.matched}`;
  return verdict.needsSandbox ? `sandboxed: ${verdict.canonical}` : verdict.canonical;
};

const SHOW = "git show --no-ext-diff --no-textconv";

describe("a computed word that could become an option", () => {
  it.each([
    ['read -r h < list; git show --stat "$h"', `read -r h < list; ${SHOW} --stat --end-of-options "\${h}"`],
    ['read -r h < list; git show "$h" --stat', `read -r h < list; ${SHOW} --stat --end-of-options "\${h}"`],
    ['read -r h < list; git show "$h" -- src', `read -r h < list; ${SHOW} --end-of-options "\${h}" -- src`],
    ["ls | xargs rg -n TODO", "ls | xargs rg --no-config -n -- TODO"],
    ["ls | xargs sed -n 1,5p", "ls | xargs sed -n -- 1,5p"],
    ["ls | xargs -I% rg TODO %", "ls | xargs -I% rg --no-config -- TODO %"],
    ['read -r f < list; git blame -L1,5 "$f"', 'read -r f < list; git blame --no-textconv -L1,5 -- "${f}"'],
    ['read -r p < list; rg "$p" -l', 'read -r p < list; rg --no-config -l -- "${p}"'],
  ])("[GA-05] stands behind the mark that ends the options: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
    expect(judgeShell(expected, PLACE).allowed).toBe(true);
  });

  it.each([
    ['git show "$h"', "dynamic-word: git show …"], // from outside of the line
    ["git log *", "dynamic-word: git log …"],
    ["git log $(cat list)", "dynamic-word: git log …"],
    ['read -r h < list; git show "-$h"', "dynamic-word: git show -…"],
    ['read -r h < list; git blame "$h" a', "dynamic-word: git blame"],
    ['read -r h < list; git stash show "$h"', "dynamic-word: git stash show …"],
    ['read -r h < list; git shortlog "$h"', "dynamic-word: git shortlog …"],
    ["read -r h < list; git show ${h:---output=x}", "dynamic-word: git show …"],
    ["echo --pre=./x | xargs rg y", "dynamic-word: rg …"],
    ["printf '\\055-pre=./x' | xargs rg y", "dynamic-word: rg …"],
    ['for h in a --output=x; do git show "$h"; done', "dynamic-word: git show …"],
    ["xargs rg y <<< --pre=./x", "dynamic-word: rg …"],
    ["xargs -I- rg -l y -", "operand: xargs -I -"],
  ])("[GA-05] gets no mark where the line makes the option itself, or none would help: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });
});

describe("arithmetic", () => {
  it.each([
    "i=0; while [ ${i} -lt 3 ]; do echo ${i}; i=$((i+1)); done",
    "n=1; for f in ./*; do ((n++)); done; echo ${n}",
    'for i in 1 2; do sed -n "${i}"p a; done',
    "for i in $(seq 1 3); do echo $((i * 2)); done",
    "n=$(wc -l < a); [[ ${n} -gt 3 ]] && echo ${n}",
    "{ ((i=0)); while ((i<3)); do echo ${i}; ((i++)); done; }",
    "echo $(( ($(date +%s) - $(stat -c %Y a.txt)) / 60 ))",
    "echo $(($(wc -l < a.txt) + $(grep -c x b.txt)))",
    't=0; for f in ./*; do t=$((t + $(wc -l < "${f}"))); done; echo ${t}',
    "m=$(stat -c %Y a.txt); echo $((m / 60))",
    "t=$(date -u -d yesterday +%s); echo $((t))",
    "[[ $(wc -l < a.txt) -gt 10 ]] && echo long",
    '[[ "$(ls | wc -l)" -eq 0 ]]',
  ])("[GA-05] works on names that hold numbers: %s", (command) => {
    expect(judged(command)).toBe(command);
  });

  it.each([
    ["read -r x < a; echo $((x))", "unsupported-syntax: x"],
    ["x='a[$(touch pwned)]'; echo $((x))", "unsupported-syntax: x"],
    ["x=1; x=y; echo $((x))", "unsupported-syntax: x"],
    ["echo $((x))", "unsupported-syntax: x"],
    ["read -r n < a; [[ $n -gt 3 ]]", "unsupported-syntax: [[ -gt ]]"],
    ["for ((i=0;i<3;i++)); do continue; done", "unsupported-syntax: continue"],
    ["for ((;;)); do ls; done", "unsupported-syntax: ArithmeticFor"],
    ["for ((i=0;i<a[$(ls)];i++)); do ls; done", "unsupported-syntax: i<a[$(ls)]"],
    ["for f in *; do echo $((f)); done", "unsupported-syntax: f"],
    ["((PATH=0))", "shell-state: PATH"],
    ["x=$(cat a); ((x++))", "unsupported-syntax: x"],
    ["echo $(( $(cat a) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(touch pwned) + 1 ))", "unsupported-syntax:  $(…) + 1 "],
    ["echo $(( $(wc -l a.txt) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( 0 ? $(grep -c x 'b a' 2>&1) ))", "unsupported-syntax:  0 ? $(grep -c x 'b a' 2>&1) "],
    ["n=$(grep -c x 'a[0]' 2>&1); echo $((n))", "unsupported-syntax: n"],
    ["echo $(( $(grep -c x ./*) ))", "unsupported-syntax:  $(grep -c x ./*) "],
    ["echo $(( $(grep -c -r x) ))", "unsupported-syntax:  $(…) "],
    ["[[ $(grep -c -r x) -gt 3 ]]", "unsupported-syntax: [[ -gt ]]"],
    ["n=$(grep -ci -r x); echo $((n))", "unsupported-syntax: n"],
    ["echo $(( $(stat -c %n a) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(stat -c %s $f) ))", "unsupported-syntax:  $(stat -c %s $f) "],
    ["m=$(stat -c %s $f); echo $((m))", "unsupported-syntax: m"],
    ["echo $(( $(date '+%s%N a') ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(git log -1 --format=%s) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(git log -1 --format=%ct -p) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(ls; wc -l < a) ))", "unsupported-syntax:  $(ls; wc -l < a) "],
    ["echo $(( $(wc -l < a | touch b) ))", "unsupported-syntax:  $(…) "],
    ["echo $(( $(touch b | wc -l) ))", "known-write: touch"],
    ["(( $(date +%s) > 1 ))", "unsupported-syntax:  $(date +%s) > 1 "],
    ["[[ $(cat a) -gt 3 ]]", "unsupported-syntax: [[ -gt ]]"],
    ["[[ $(touch a | wc -l) -gt 3 ]]", "known-write: touch"],
    ["n=1; ((n = -1)); sort $n", "dynamic-word: sort …"],
    ['i=1; i=$((i+1)); sed "$i"w a', "script: sed w"],
    ['i=1; i=$((i+1)); sed "s/a/\\d$i/" a', "script: sed"],
  ])("[GA-05] never evaluates what a name holds otherwise: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });
});

describe("what reads only inside of a sandbox", () => {
  it.each([
    ['while read -r f; do wc -l < "$f"; done < list', 'while read -r f; do wc -l < "${f}"; done < list'],
    ["go list -m all", "go list -m all"],
    ["cargo tree -i serde", "cargo tree -i serde"],
    ["bundle list", "bundle list"],
    ["yarn workspaces info", "yarn workspaces info"],
    ["mvn dependency:tree -Dverbose", "mvn -o dependency:tree -Dverbose"],
    ["git range-diff main...HEAD", "git range-diff --no-ext-diff --no-textconv main...HEAD"],
    ["ls | xargs awk '{print $1}'", "ls | xargs awk '{print $1}'"],
    ["zgrep x ./*.gz", "zgrep x ./*.gz"],
  ])("[GA-05] says so: %s", (command, expected) => {
    expect(judged(command)).toBe(`sandboxed: ${expected}`);
  });

  it.each([
    ["go env -w A=b", "harmful-option: go env -w"],
    ["go list -toolexec ./x ./...", "runs-programs: go list -t"],
    ["cargo metadata", "known-write: cargo metadata needs --no-deps or --offline or --frozen or --locked"],
    ["cargo --config x tree", "harmful-option: cargo --config"],
    ["rustc --print cfg=out", "harmful-option: rustc --print cfg=out"],
    ["mvn dependency:tree -DoutputFile=x", "known-write: mvn -DoutputFile=x"],
    ["mvn compile", "known-write: mvn compile"],
    ["pnpm exec ls", "known-write: pnpm exec"],
    ["yarn --help", "known-write: yarn --help"],
    ["terraform fmt", "runs-programs: terraform fmt needs -check"],
    ["hg branch x", "known-write: hg branch"],
    ["php -r 'x'", "unknown-option: php -r"],
  ])("[GA-05] and no more than that: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });
});

describe("what is printed", () => {
  it.each([
    ["/usr/local/bin/ls -la", "ls -la"],
    ["env /usr/local/bin/rg x", "env rg --no-config x"],
    ["find . -exec /usr/local/bin/cat {} +", "find . -exec cat {} +"],
  ])("[GA-06] is the bare name of a program, found where PATH is trusted: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });

  it.each([
    ["sed ':a;N;$!ba;s/x/y/' f", "sed ':a\nN;$!ba\ns/x/y/' f"],
    ["sed -e ':a;N' -e '$!ba;p' f", "sed -e ':a\nN' -e '$!ba\np' f"],
    ["sed --expression=':a;N;ba' f", "sed '--expression=:a\nN;ba' f"],
    ["sed '/x/{s/a/b/;t};p' f", "sed '/x/{s/a/b/;t\n};p' f"],
  ])("[GA-05] ends each label of sed with a newline, as all versions read it: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
    expect(judged(expected)).toBe(expected);
  });

  it.each(["sed -n ':x;N;$!bx;s/x/\\\nw f/g' f", "sed 'tx;s_x_\\\nw f_1' f"])(
    "[GA-05] not where a label and a continued line meet: %s",
    (command) => {
      expect(judged(command)).toMatch(/^script: sed/);
    },
  );

  it.each([
    ["python3 -m json.tool a.json", "env HOME=/dev/null python3 -I -m json.tool a.json"],
    ["python3 -Im json.tool a.json", "env HOME=/dev/null python3 -I -m json.tool a.json"],
    ["python3 -m json.tool a b", "operand: python -m json.tool: at most 1"],
    ["python3 -m json.tool *", "unknown-option: python -m json.tool …"],
    ["python3 -m pip list", "env HOME=/dev/null python3 -I -m pip list"],
    ["python3 -m pip install x", "known-write: pip install"],
    ["python3 -m http.server", "runs-programs: python -m http.server"],
    ["python3 -c 1", "runs-programs: python3 "],
    ["python3 -im json.tool a", "runs-programs: python3 "],
  ])("[GA-05] modules of Python print, apart from the folder where they run: %s", (command, expected) => {
    expect(judged(command)).toBe(expected);
  });
});
