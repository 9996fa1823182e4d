import { describe, expect, it } from "vitest";
import { explainShell, judgeShell } from "./shell-gate.ts";

const PLACE = { cwd: "/w", home: "/home/u" };

const verdict = (command: string): string => {
  const judged = judgeShell(command, PLACE);
  return judged.allowed ? "read-only" : `${judged.verdict}: ${judged.code}`;
};

const canonical = (command: string): string | undefined => judgeShell(command, PLACE).canonical;

describe("the read-only judgement", () => {
  it.each([
    ["ls -la", "read-only"],
    ["ls; pwd && (cat a.txt | sort) || echo none", "read-only"],
    ["echo $(touch pwned)", "writes: known-write"],
    ["diff <(sort a) <(rm b)", "writes: known-write"],
    ["if ls; then cat a; else rm a; fi", "writes: known-write"],
    ["for f in *.ts; do mv $f x; done", "writes: known-write"],
    ["case x in a) rm a;; esac", "writes: known-write"],
  ])("[GA-05] looks at every simple command, wherever it stands: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["ls 2>/dev/null", "read-only"],
    ["ls > /dev/null 2>&1", "read-only"],
    ["wc -l < a.txt", "read-only"],
    ["cat <<'EOF'\n$(rm a)\nEOF", "read-only"],
    ["ls > out", "writes: redirect-write"],
    ["ls &>> out", "writes: redirect-write"],
    ["cat <> a", "writes: redirect-write"],
    ["cat < /dev/tcp/host/80", "writes: redirect-network"],
    ["2>&-touch ls", "unknown: redirect-form"],
  ])("[GA-05] allows harmless redirections only: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["sort a.txt", "read-only"],
    ["sort -oout a.txt", "writes: harmful-option"],
    ["sort -ro out a.txt", "writes: harmful-option"],
    ["sort --outp=x a.txt", "unknown: unknown-option"],
    ["sort a.txt $'-o' out", "writes: harmful-option"],
    ["sort {-oout,a.txt}", "writes: harmful-option"],
    ["uniq a b", "unknown: operand"],
    ["xxd a.txt -p", "unknown: operand"],
    ["find . -de''lete", "writes: harmful-option"],
    ["git branch topic", "writes: known-write"],
    ["git branch --list topic", "read-only"],
    ["git config user.name", "read-only"],
    ["git config user.name x", "writes: known-write"],
    ["xz -l -d a.xz", "unknown: missing-option"],
    ["tar -t -x -f a.tar", "unknown: missing-option"],
    ["tar tf ./a.tar", "read-only"],
    ["find . -files0-from names -exec sort {} +", "unknown: unknown-option"],
    ["git for-each-ref --sort=signature", "writes: harmful-option"],
    ["file -p a", "writes: harmful-option"],
    ["npm run", "read-only"],
    ["npm run build", "unknown: operand"],
    ["npm explain react", "read-only"],
    ["pip config list", "read-only"],
    ["pip config set a b", "writes: known-write"],
    ["shellcheck -f gcc a.sh", "read-only"],
  ])("[GA-05] knows the options and operands of a command exactly: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["git config --get user.name", "read-only"],
    ["git config --global --get-all user.name", "read-only"],
    ["git config get --all user.name", "read-only"],
    ["git config evil.sh --get-all user.name", "writes: known-write"],
    ["git config user.name --list", "writes: known-write"],
    ["git config get user.name --edit", "writes: harmful-option"],
    ["unzip -l a.zip", "read-only"],
    ["unzip -p a.zip b.txt", "read-only"],
    ["unzip a.zip '*' -l", "unknown: missing-option"],
    ["tar -xOf a.tar b.txt", "read-only"],
    ["bsdtar -xf a.tar b.txt -O", "unknown: missing-option"],
    ["gzip -c a.txt", "read-only"],
    ["gzip a.txt -c", "unknown: missing-option"],
    ["xz a.txt --stdout", "unknown: missing-option"],
    ["cpio -i x -t", "unknown: missing-option"],
    ["trap -p EXIT", "read-only"],
    ["trap 'touch pwned' -l EXIT", "unknown: shell-state"],
    ["trap -- 'touch pwned' -l EXIT", "unknown: shell-state"],
    ["sed --version", "read-only"],
    ["sed 'w out' --version", "unknown: script"],
    ["sed --version 'w out' a.txt", "unknown: script"],
    ["awk --version", "read-only"],
    ["awk --version 'BEGIN { system(\"touch pwned\") }'", "unknown: script"],
  ])(
    "[GA-05] counts what makes a command harmless only where every version reads it as an option: %s",
    (command, expected) => {
      expect(verdict(command)).toBe(expected);
    },
  );

  it.each([
    ["ss -tlnp", "read-only"],
    ["ss -tn state established '( dport = :443 or sport = :22 )'", "read-only"],
    ["ss -tn dst 10.0.0.0/8", "read-only"],
    ["ss secret.example.com", "unknown: operand"],
    ["ss dst secret.example.com", "unknown: operand"],
    ["ss -r", "writes: harmful-option"],
    ["lsof -i :8080", "read-only"],
    ["lsof -i@secret.example.com", "unknown: operand"],
    ["lsof -i @secret.example.com", "unknown: operand"],
    ["arp secret.example.com", "unknown: operand"],
    ["ip -r neigh", "writes: harmful-option"],
  ])("[GA-05] asks no name server: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["java -version", "env HOME=/dev/null java -XX:-UsePerfData -version"],
    ["javac --version", "env HOME=/dev/null javac -J-XX:-UsePerfData --version"],
  ])("[GA-06] keeps a machine from leaving its statistics on disk: %s", (command, expected) => {
    expect(canonical(command)).toBe(expected);
    expect(verdict(expected)).toBe("read-only");
  });

  it.each([
    ["netstat -t", "netstat -n -t"],
    ["lsof -i", "lsof -n -i"],
    ["route", "route -n"],
    ["arp -a", "arp -n -a"],
  ])("[GA-05] shows addresses as numbers: %s", (command, expected) => {
    expect(canonical(command)).toBe(expected);
  });

  it.each([
    ["sort *", "unknown: dynamic-word"],
    ["sort ./*", "read-only"],
    ["wc -l *", "read-only"],
    ["find . $x", "unknown: dynamic-word"],
    ['find . "${x}-delete"', "unknown: dynamic-word"],
    ["f=a.txt; sort $f", "read-only"],
    ["f=-oout; sort $f", "writes: harmful-option"],
    ["f=a; f=-oout; sort $f", "unknown: dynamic-word"],
    ["false && f=a; sort $f", "unknown: dynamic-word"],
    ["f=a.txt; read f <<< -oout; sort $f", "unknown: dynamic-word"],
    ["f=a.txt; builtin read f <<< -oout; sort $f", "unknown: dynamic-word"],
    ["f=a.txt; command read f <<< -oout; sort $f", "unknown: dynamic-word"],
    ["f=a.txt; builtin command read -r f <<< -oout; sort $f", "unknown: dynamic-word"],
    ['f=a.txt; { builtin read f; sort "$f"; } <<< -oout', "unknown: dynamic-word"],
    ['for f in src/*.ts; do sort "$f"; done', "read-only"],
    ['for f in *.ts; do sort "$f"; done', "unknown: dynamic-word"],
    ["git diff $(git merge-base main HEAD)", "read-only"],
    ["git diff $(git tag)", "unknown: dynamic-word"],
    ["$x a", "unknown: dynamic-command"],
    ["b=$(git merge-base main HEAD); git diff $b", "read-only"],
    ["b=$(git merge-base main HEAD) && git log $b..HEAD", "read-only"],
    ["b=$(git merge-base main HEAD); git diff $b--output=x", "unknown: dynamic-word"],
    ["b=$(git merge-base main HEAD); b=$(cat x); git diff $b", "read-only"],
    ["b=$(git merge-base main HEAD); read b < x; git diff $b", "read-only"],
    ["false && b=$(git merge-base main HEAD); git diff $b", "read-only"],
    ["b=$(cat x); git diff $b", "read-only"],
    ["for c in $(git rev-list -3 HEAD); do git show $c; done", "read-only"],
    ["for c in $(git rev-list -3 HEAD) --output=x; do git show $c; done", "unknown: dynamic-word"],
    ["for c in $(git rev-list -3 HEAD); do ls; done; git show $c", "read-only"],
    ["for c in $(git tag); do git show $c; done", "read-only"],
    ['for f in src/*.ts; do wc -l < "$f"; done', "read-only"],
    ['for f in /dev/t*; do cat < "$f"; done', "unknown: redirect-form"],
    ['while read f; do cat < "$f"; done < list', "read-only"],
    ["[ $(wc -l < a) -gt 9 ]", "read-only"],
    ["[ $(git rev-list --count HEAD) -gt 9 ]", "read-only"],
    ["[ $(cat a) -gt 9 ]", "unknown: dynamic-word"],
    ["[ $(wc -l < a) -gt $x ]", "unknown: dynamic-word"],
    ['[ $(wc -l < a) = "$x" ]', "unknown: dynamic-word"],
  ])("[GA-05] lets a computed word stand only where no option could do harm: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    "eval ls",
    "trap 'ls' EXIT",
    "alias ls=rm",
    "f() { ls; }; f",
    "PATH=.; ls",
    "export A=b",
    "coproc ls",
    "ls &",
    "GIT_DIR=x git log",
    "printf -v x y",
    "read 'a[$(touch x)]'",
    "test -v 'a[$(touch x)]'",
    "[ $x ]",
    "[[ $x -eq 1 ]]",
    "echo $((x))",
    "echo ${x:=y}",
    "echo ${x@P}",
  ])("[GA-05] refuses what changes shell state or hides a program in it: %s", (command) => {
    expect(judgeShell(command, PLACE).allowed).toBe(false);
  });

  it.each([
    ["env LC_ALL=C sort a", "read-only"],
    ["timeout 5 git log", "read-only"],
    ["find . -exec grep -l x {} +", "read-only"],
    ["find . -exec sort -o x {} +", "writes: harmful-option"],
    ["ls | xargs wc -l", "read-only"],
    ["ls | xargs sort", "unknown: dynamic-word"],
    ["xargs --replace rm cat", "writes: known-write"],
    ["env LD_PRELOAD=x ls", "unknown: environment"],
    ["nice rm a", "writes: known-write"],
  ])("[GA-05] judges the command inside a wrapper: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each(["(", "ls |", "echo 'open", "cat <<EOF", "if ls", "ls ;; ls"])(
    "[GA-05] blocks what does not parse: %s",
    (command) => {
      expect(judgeShell(command, PLACE).allowed).toBe(false);
    },
  );

  it.each(["", "   ", "\n\t", "a".repeat(8_001)])("[GA-08] refuses empty and oversized commands", (command) => {
    expect(judgeShell(command, PLACE).allowed).toBe(false);
  });

  it.each(["null", "7", "{}", '["ls"]'])("[GA-08] refuses a command of the wrong type: %s", (json) => {
    expect(judgeShell(JSON.parse(json) as string, PLACE)).toMatchObject({ allowed: false, code: "empty" });
  });

  it("[GA-08] survives deep nesting", () => {
    expect(judgeShell(`${"$(".repeat(900)}ls${")".repeat(900)}`, PLACE).allowed).toBe(false);
    expect(judgeShell(`${"( ".repeat(2_000)}ls${" )".repeat(2_000)}`, PLACE).allowed).toBe(false);
  });

  it("[GA-07] says what matched and what the agent can do", () => {
    expect(judgeShell("git log --output=x", PLACE)).toEqual({
      allowed: false,
      code: "harmful-option",
      verdict: "writes",
      matched: "git log --output",
      hint: "This option writes or runs something; leave it out, or put the step into the plan.",
      canonical: "git log --output=x",
    });
  });

  it("[GA-10] tells proven read-only, known to write and unknown apart", () => {
    expect(["ls", "rm a", "frobnicate a"].map(verdict)).toEqual([
      "read-only",
      "writes: known-write",
      "unknown: unknown-command",
    ]);
  });

  it("[GA-10] offers a person the canonical form of an unknown command, and none for text that did not parse", () => {
    expect(canonical("frobnicate   'a'")).toBe("frobnicate a");
    expect(canonical("frobnicate 'a")).toBeUndefined();
  });

  it("[GA-11] explains each command and the rule behind it", () => {
    expect(explainShell("ls | frob; x=$(rm a)", PLACE).commands).toEqual([
      { command: "ls", name: "ls", rule: "read-only rule" },
      { command: "frob", name: "frob", rule: "no rule" },
      { command: "x=$(rm a)", name: "", rule: "assignment" },
      { command: "rm a", name: "rm", rule: "known effect" },
    ]);
  });

  it.each([
    ["/usr/bin/ls", { command: "/usr/bin/ls", name: "/usr/bin/ls", rule: "read-only rule" }],
    ["./ls", { command: "./ls", name: "./ls", rule: "no rule" }], // what stands in the folder is another program
    ["/bin/rm a", { command: "/bin/rm a", name: "/bin/rm", rule: "known effect" }],
    ['"$x" a', { command: '"${x}" a', name: '"${x}"', rule: "no rule" }],
    ["'' a", { command: "'' a", name: "", rule: "no rule" }],
  ])("[GA-11] explains a command by the program that it starts: %s", (command, explained) => {
    expect(explainShell(command, PLACE).commands).toEqual([explained]);
  });

  it("[GA-11] explains text that does not parse by the refusal alone", () => {
    const refused = judgeShell("ls |", PLACE);
    expect(explainShell("ls |", PLACE)).toEqual({ verdict: refused, tree: undefined, commands: [] });
  });

  it("[GA-12] refuses when the gate itself throws", () => {
    const broken = {
      cwd: "/w",
      get home(): string {
        throw new TypeError("no home");
      },
    };
    expect(judgeShell("ls", broken)).toEqual({
      allowed: false,
      code: "syntax",
      verdict: "unknown",
      matched: "TypeError: no home",
      hint: "Use a simpler command.",
      canonical: undefined,
    });
  });

  it("[GA-07] quotes the first hundred and twenty characters of what matched", () => {
    const matched = (command: string): string => {
      const judged = judgeShell(command, PLACE);
      return judged.allowed ? "" : judged.matched;
    };
    expect(matched("x".repeat(120))).toBe("x".repeat(120));
    expect(matched("x".repeat(121))).toBe(`${"x".repeat(120)}…`);
  });

  it("[GA-06] names the folders whose filters must be looked at before git runs", () => {
    const folders = (command: string): unknown => {
      const judged = judgeShell(command, PLACE);
      return judged.allowed ? judged.git : undefined;
    };
    expect(folders("ls")).toBeUndefined();
    expect(folders("git status")).toEqual({ folders: ["/w"], elsewhere: false });
    expect(folders("cd sub && git status")).toEqual({ folders: ["/w", "/w/sub"], elsewhere: false });
    expect(folders("git -C /x log")).toEqual({ folders: ["/w", "/x"], elsewhere: false });
    expect(folders('cd "$(git rev-parse --show-toplevel)" && git status')).toEqual({
      folders: ["/w"],
      elsewhere: true,
    });
  });

  it.each([
    ["cd -P -- sub && git status", "/w/sub"],
    ["cd -- sub && git status", "/w/sub"],
    ["command cd sub && git status", "/w/sub"],
    ["builtin cd sub; git diff", "/w/sub"],
  ])("[GA-06] finds the folder of %s", (command, folder) => {
    const judged = judgeShell(command, PLACE);
    expect(judged).toMatchObject({ allowed: true, git: { folders: expect.arrayContaining(["/w", folder]) } });
  });

  it.each([
    "cd && git status",
    "cd --; git status",
    "for d in sub; do cd -- $d; git status; done",
    "for i in 1 2 3; do git status; cd sub; done",
    "while cd sub; do git status; done",
    "find . -name a.txt -execdir git status ';'",
    "find . -maxdepth 1 -exec git -C {} status ';'",
    "echo sub | xargs -I% git -C % status",
  ])("[GA-06] knows that the folder is known only when it runs: %s", (command) => {
    expect(judgeShell(command, PLACE)).toMatchObject({ allowed: true, git: { elsewhere: true } });
  });

  it.each(["find . -name git", "grep -rn git .", "find . -name '*.md' | xargs grep git"])(
    "[GA-06] takes no mention of git for git: %s",
    (command) => {
      expect(judgeShell(command, PLACE)).toMatchObject({ allowed: true, git: undefined });
    },
  );
});
