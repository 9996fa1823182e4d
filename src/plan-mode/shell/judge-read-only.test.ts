import { describe, expect, it } from "vitest";
import { judgeShell } from "./shell-gate.ts";

/** What is written is found wherever it stands, and what only reads passes there. */
const verdict = (command: string): string => {
  const judged = judgeShell(command, { cwd: "/w", home: "/home/u" });
  return judged.allowed ? "runs" : `${judged.code}: ${judged.matched}`;
};

describe("a command inside others", () => {
  it.each([
    "ls; CMD",
    "ls && CMD",
    "CMD || ls",
    "ls | CMD",
    "! CMD",
    "time CMD",
    "( CMD )",
    "{ CMD; }",
    "if CMD; then ls; fi",
    "if ls; then CMD; fi",
    "if ls; then ls; elif CMD; then ls; fi",
    "if ls; then ls; elif ls; then CMD; fi",
    "if ls; then ls; else CMD; fi",
    "while CMD; do ls; done",
    "while ls; do CMD; done",
    "until ls; do CMD; done",
    "for f in a; do CMD; done",
    "for f in $(CMD); do ls; done",
    "case $(CMD) in a) ls;; esac",
    "case a in $(CMD)) ls;; esac",
    "case a in a) CMD;; esac",
    "case a in a) ls;; b) CMD;; esac",
    "[[ $(CMD) ]]",
    "[[ -f $(CMD) ]]",
    "[[ $(CMD) = b ]]",
    "[[ a = $(CMD) ]]",
    "[[ -f a && -f $(CMD) ]]",
    "[[ ! -f $(CMD) ]]",
    "[[ ( -f $(CMD) ) ]]",
    'echo "$(CMD)"',
    "echo `CMD`",
    "wc -l <(CMD)",
    "x=$(CMD)",
    "LANG=$(CMD) ls",
    "cat <<< $(CMD)",
    "{ ls; } <<< $(CMD)",
    "command CMD",
    "timeout 5 CMD",
  ])("[GA-05] is judged like any other: %s", (around) => {
    expect(verdict(around.replace("CMD", "rm a"))).toBe("known-write: rm");
    expect(verdict(around.replace("CMD", "frob"))).toBe("unknown-command: frob");
  });

  it.each([
    "ls; pwd",
    "ls && pwd | wc -l",
    "( ls )",
    "if ls; then pwd; else id; fi",
    "while ls; do pwd; done",
    "for f in $(ls); do pwd; done",
    "case $(pwd) in a) ls;; esac",
    "[[ -f $(pwd) && ! ( $(pwd) = b ) ]]",
    "wc -l <(ls)",
    "x=$(pwd)",
    "cat <<< $(pwd)",
  ])("[GA-05] runs there when all of it reads: %s", (command) => {
    expect(verdict(command)).toBe("runs");
  });
});

describe("the name of a command", () => {
  it.each([
    ["/bin/ls", "runs"],
    ["/usr/bin/ls", "runs"],
    ["/usr/local/bin/ls", "runs"],
    ["/sbin/ls", "runs"],
    ["/usr/sbin/ls", "runs"],
    ["/opt/bin/ls", "unknown-command: /opt/bin/ls"],
    ["/x/bin/ls", "unknown-command: /x/bin/ls"],
    ["x/bin/ls", "unknown-command: x/bin/ls"],
    ["./ls", "unknown-command: ./ls"],
    ["/usr/bin/x/ls", "unknown-command: /usr/bin/x/ls"],
    ["/bin/rm a", "known-write: /bin/rm"],
    ["frob a", "unknown-command: frob"],
    ["'' a", "dynamic-command: "],
    ['"$x" a', "dynamic-command: "],
    ["l$x", "dynamic-command: l"],
    ["x=ls; $x", "dynamic-command: ls"], // known now, but not by what is written
    ["git", "runs"],
    ["git log", "runs"],
    ["git -C a log", "runs"],
    ["git push", "known-write: git push"],
    ["git frob", "unknown-command: git frob"],
    ["git $x", "dynamic-word: git …"],
    ["git -- log", "runs"],
  ])("[GA-05] is literal, and of a folder that the pinned PATH has: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it("[GA-11] is among the rules that answered", () => {
    const judged = judgeShell("ls | git log; /bin/cat a", { cwd: "/w", home: "/home/u" });
    expect(judged).toMatchObject({ allowed: true, rules: ["ls", "git", "git log", "cat"] });
  });
});

describe("a redirection", () => {
  it.each(["{ ls; }", "( ls )", "if ls; then ls; fi", "for f in a; do ls; done", "while ls; do ls; done"])(
    "[GA-05] is judged behind %s too",
    (command) => {
      expect(verdict(`${command} > x`)).toBe("redirect-write: > x");
      expect(verdict(`${command} > /dev/null 2>&1`)).toBe("runs");
      expect(verdict(`${command} < a`)).toBe("runs");
    },
  );

  it.each([
    ["case a in a) ls;; esac > x", "redirect-write: > x"],
    ["[[ a ]] > x", "redirect-write: > x"],
    ["ls > x", "redirect-write: > x"],
    ["ls >> x", "redirect-write: >> x"],
    ["ls >| x", "redirect-write: >| x"],
    ["ls &> x", "redirect-write: &> x"],
    ["ls &>> x", "redirect-write: &>> x"],
    ["ls > $x", "redirect-write: > …"],
    ["ls > /dev/null2", "redirect-write: > /dev/null2"],
    ["ls <> /dev/null", "redirect-write: <> /dev/null"], // opens for both, and makes the file
    ["ls &> /dev/null", "runs"],
    ["ls 2>> /dev/null", "runs"],
  ])("[GA-05] writes nowhere but into nothing: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["cat < a", "runs"],
    ["cat < /dev/null", "runs"],
    ["cat < x/dev/tcp", "runs"],
    ["cat < <(ls)", "runs"],
    ['cat < "./$x"', "runs"],
    ["cat < $x", "redirect-form: < …"],
    ["cat < ./$x", "redirect-form: < ./…"], // any number of words
    ["cat < ./*", "redirect-form: < ./…"],
    ['cat < "$x"', "redirect-form: < …"],
    ['cat < "/dev/$x"', "redirect-form: < /dev/…"],
    ["cat < /dev/tc*", "redirect-form: < /dev/tc…"],
    ["cat < /dev/tcp/a/1", "redirect-network: /dev/tcp/a/1"],
    ["cat < /dev/udp/a/1", "redirect-network: /dev/udp/a/1"],
    ["cat < //dev///tcp/a/1", "redirect-network: //dev///tcp/a/1"],
    ['cat < "/dev/tcp/$x"', "redirect-network: /dev/tcp/"],
  ])("[GA-05] reads files, and opens no connection: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  // Whoever opens /dev/stderr opens the file behind it anew, and then to write.
  it.each([
    ["echo x | tee /dev/stderr 2< f", "redirect-form: 2<"],
    ["echo x | tee /dev/stdout 1< f", "redirect-form: 1<"],
    ["{ echo x | tee /dev/stderr; } 2< f", "redirect-form: 2<"],
    ["while true; do tee /dev/stderr; done 2<<< x", "redirect-form: 2<"],
    ["tee /dev/stderr < f 2>&0", "redirect-form: 2>&0"],
    ["tee /dev/stdout < f >&0", "redirect-form: 1>&0"],
    ["tee /dev/stderr < f 2<&0", "redirect-form: 2<&0"],
    ["tee /dev/stderr < f 3<&0 2>&3", "redirect-form: 3<&0"],
    ["echo x | tee /dev/stderr 3< f 2>&3", "redirect-form: 2>&3"],
    ["{ echo x | tee /dev/stderr 2>&3; } 3< f", "redirect-form: 2>&3"],
    ["{ { tee /dev/stderr 2>&4; } 4<&3; } 3< f", "redirect-form: 4<&3"],
    ["echo $(tee /dev/stderr 2>&3) 3< f", "redirect-form: 2>&3"],
    ["ls 2>&1", "runs"],
    ["ls >&2", "runs"],
    ["ls 2>&-", "runs"],
    ["ls 3>&1 1>&2 2>&3", "runs"],
    ["while read -r -u 3 x; do echo ok; done 3< f", "runs"],
    ["cat 3< f <&3", "runs"],
    ["cat <&0", "runs"],
  ])("[GA-05] makes no output of what was opened to be read: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });
});

describe("a test in double brackets", () => {
  it.each("-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z".split(" "))(
    "[GA-05] of a file or a text: %s",
    (operator) => {
      expect(verdict(`[[ ${operator} "$x" ]]`)).toBe("runs");
    },
  );

  it.each(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"])("[GA-05] of two texts or files: %s", (operator) => {
    expect(verdict(`[[ $x ${operator} "$y" ]]`)).toBe("runs");
  });

  it.each(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])(
    "[GA-05] of numbers must be literal, because the shell computes what stands there: %s",
    (operator) => {
      expect(verdict(`[[ 1 ${operator} -22 ]]`)).toBe("runs");
      expect(verdict(`x=5; [[ $x ${operator} 5 ]]`)).toBe("runs");
      for (const odd of ["x", "1x", "x1", "$x", "'a[$(ls)]'", "1234567890123456789", "--1"]) {
        expect(verdict(`[[ ${odd} ${operator} 1 ]]`)).toBe(`unsupported-syntax: [[ ${operator} ]]`);
        expect(verdict(`[[ 1 ${operator} ${odd} ]]`)).toBe(`unsupported-syntax: [[ ${operator} ]]`);
      }
    },
  );

  it.each([
    ["[[ -v a ]]", "[[ -v ]]"],
    ["[[ -o x ]]", "[[ -o ]]"],
    ["[[ -R x ]]", "[[ -R ]]"],
    ["[[ a =~ b ]]", "[[ =~ ]]"],
  ])("[GA-05] of anything else is refused: %s", (command, matched) => {
    expect(verdict(command)).toBe(`unsupported-syntax: ${matched}`);
  });

  it("[GA-07] tells how to compare numbers", () => {
    expect(judgeShell("[[ $x -eq 1 ]]", { cwd: "/w", home: "/home/u" })).toMatchObject({
      hint: "Use [ … ] for numbers.",
    });
  });
});

describe("a variable", () => {
  it.each([
    ["for PATH in a; do ls; done", "shell-state: PATH"],
    ["PATH=a", "shell-state: PATH="],
    ["x=1 IFS=a", "shell-state: IFS="],
    ["LD_PRELOAD=x ls", "environment: LD_PRELOAD=x"],
    ["FOO=x ls", "environment: FOO=x"],
    ["LC_ALL=C ls", "runs"],
    ["x=a", "runs"],
  ])("[GA-05] that the shell or a program obeys is not set: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  const unknown = "dynamic-word: sort …";
  it.each([
    ["x=a; sort $x", "runs"],
    ["x=a && sort $x", "runs"], // the first of a list runs in any case
    ["true && x=a; sort $x", unknown],
    ["x=a | ls; sort $x", unknown],
    ["{ x=a; }; sort $x", unknown],
    ["( x=a ); sort $x", unknown],
    ["if true; then x=a; fi; sort $x", unknown],
    ["while true; do x=a; done; sort $x", unknown],
    ["case a in a) x=a;; esac; sort $x", unknown],
    ["echo $(x=a); sort $x", unknown],
    ["for x in a b; do sort ./$x; done; sort $x", unknown],
    ["x=a; for x in a; do sort $x; done; sort $x", "runs"],
    ["for x in a; do for x in a; do ls; done; sort $x; done", "runs"],
    ["sort $x; x=a", unknown],
    ["x=a; read x < f; sort $x", unknown],
    ['x=a; n=x; read "$n" <<< -oout; sort $x', "shell-state: read …"], // a name that is not written out sets another
    ["x=a; n=x; read y $n <<< '1 -oout'; sort $x", "shell-state: read …"],
    ["x=a; n=x; builtin read -r $n < f; sort $x", "shell-state: read …"],
    ["for n in x; do read $n < f; done; sort $x", "shell-state: read …"],
    ["x=a; echo x; sort $x", "runs"], // a mere word sets nothing
    ["read=a; read y < f; sort $read", "runs"],
  ])("[GA-05] is known only where it was certainly set: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });
});
