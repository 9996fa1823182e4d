import { describe, expect, it } from "vitest";
import { canonical, verdict } from "../../../test/kit/shell-verdict.ts";

/** Each of these was a read to an earlier judge, and changed something when bash ran it. */
const CHANGED: readonly string[] = [
  // quotes around nothing hide a subscript, which is arithmetic
  `i='a[$(touch p)]'; xs=(""[i]+=x)`,
  `i='a[$(touch p)]'; xs+=(''[i]+=x)`,
  `for i in x*; do ys=(""[i]+=1); done`,
  // only the shell's own word makes a list, and only of a name that a line may set
  `echo mapfile BASH_CMDS; cat='a[$(touch p)]'; cat /dev/null; for i in "\${!BASH_CMDS[@]}"; do echo $((i)); done`,
  `grep -n mapfile BASH_CMDS; ls='x[$(touch p)]'; ls; [[ \${!BASH_CMDS[*]} -eq 1 ]]`,
  // a builtin behind a path
  `x=1; /usr/bin/read x <<< 'a[$(touch p)]'; echo $((x))`,
  `x=1; command /bin/read x <<< 'a[$(touch p)]'; echo $((x))`,
  `xs=(1); /usr/bin/mapfile -t xs <<< '-op'; sort "\${xs[@]}" f`,
  `for ((i=0;i<2;i++)); do /bin/continue; done`,
  // numbers of which there may be none: the next word takes their place
  `x=$(seq 5 1); xargs -E $x cat bash -c 'touch p' < /dev/null`,
  `x=$(wc -l < missing); find . ! -name $x -name -delete`,
  `x=$(grep -c a missing); sed -e p --line-length $x -- -i f`,
  `xs=(); x="\${!xs[*]}"; sort --random-source $x -- -op f`,
  `xs=(); x=\${!xs[@]}; git grep -e $x -- -Otouch`,
  `xs=(); for i in "\${!xs[*]}"; do xargs -E $i cat rm -rf src; done < /dev/null`,
  `x=$(seq 5 1); find . -exec cat {} $x';' -exec touch p {} ';'`,
  `xs=(); x="\${!xs[*]}"; find . -exec cat {} "$x;" -delete -exec cat {} ';'`,
  // … or several
  `x=$(seq 0 1); uniq f$x`,
  `xs=(a b); x="\${!xs[*]}"; git symbolic-ref refs/heads/a$x`,
  `x=$(seq 1 2); sed "#\${x}w p" f`,
  `x=$(seq 1 2); sed "a hi\${x}e touch p" f`,
  // … before a connection
  `x=$(seq 5 1); cat < "$x/dev/tcp/127.0.0.1/7999"`,
  `xs=(); cat < "\${!xs[*]}/dev/udp/127.0.0.1/7999"`,
  // two values side by side are another name
  `xs=(a b); x=1; x2='a[$(touch p)]'; echo $((x\${#xs[@]}))`,
  `x=1; x0='a[$(touch p)]'; echo $((x$?))`,
  `y=2; x=1; x2='a[$(touch p)]'; ((z = x$y))`,
  // what is printed is no number
  `Usage='a[$(touch p)]'; xs=(--help); for f in "\${xs[@]}"; do x=$(stat -c %s "$f"); echo $((x)); done`,
  `abc='a[$(touch p)]'; x=$(git rev-list -1 HEAD -- . --count); echo $((x))`,
  // a start of find that programs take for more than a path
  `xs=(@opts); find "\${xs[@]}" -exec nm {} ';'`,
  `for d in host:x; do find "$d" -exec tar -tf {} ';'; done`,
  `find src @opts -exec nm {} ';'`,
  `find src host:x -exec tar -tf {} ';'`,
];

const READS: readonly string[] = [
  `x=$(seq 1 3); echo "$x"`,
  `n=$(wc -l < f); [ "$n" -gt 3 ] && echo "$n lines"`,
  `n=$(wc -l < f); echo $((n + 1))`,
  `for i in $(seq 1 3); do sed -n "\${i}p" f; done`,
  `for i in $(seq 1 3); do head -n $i f; done`,
  `xs=(a b); for i in "\${!xs[@]}"; do echo "$i \${xs[i]}"; done`,
  `xs=(a b); echo $((\${#xs[@]} + 1))`,
  `x=$(stat -c %s f); y=$(stat -c %s -- "$1"); echo $((x + y))`,
  `n=$(git rev-list --count HEAD); echo $((n - 1))`,
  `find src test -name '*.ts' -exec wc -l {} +`,
  `find "$HOME" -maxdepth 1 -exec ls -d {} ';'`,
  `/usr/bin/printf '%s\\n' a; /bin/test -f a; /usr/bin/ls`,
];

describe("what lists and numbers become", () => {
  it.each(CHANGED)("[GA-05] refuses what changed something when it ran: %s", (line) => {
    expect(verdict(line)).not.toBe("read");
  });

  it.each(READS)("[GA-05] reads: %s", (line) => {
    expect(verdict(line)).toBe("read");
  });

  it.each(READS)("[GA-05] takes what it prints for a read as well: %s", (line) => {
    expect(verdict(canonical(line) ?? "")).toBe("read");
  });

  it("[GA-05] keeps the quotes that make a word of an empty list", () => {
    const line = `xs=(); for x in "\${xs[@]}"''; do echo one; done`;
    expect(canonical(line)).toBe(`xs=(); for x in ''"\${xs[@]}"''; do echo one; done`);
  });
});
