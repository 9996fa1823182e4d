import { describe, expect, it } from "vitest";
import { emitList } from "../emit.ts";
import { parseShell } from "./parse.ts";
import { ShellRefused } from "../verdict.ts";

/** The canonical form, or the code and what it matched. */
function read(command: string): string {
  try {
    return emitList(parseShell(command, "/home/u"));
  } catch (error) {
    if (!(error instanceof ShellRefused)) throw error;
    return `${error.refusal.code}: ${error.refusal.matched}`;
  }
}

describe("commands around commands", () => {
  it.each([
    "ls | wc",
    "ls |& wc",
    "! ls",
    "time ls",
    "! time ls",
    "ls && pwd || id",
    "( ls; pwd ) < a",
    "{ ls; } 2>&1",
    "if ls; then pwd; else id; fi < a",
    "while ls; do pwd; done",
    "until ls; do pwd; done",
    "x=1 y=2 ls",
    "x='' ls",
  ])("[GA-05] are read and printed as they are: %s", (command) => {
    expect(read(command)).toBe(command);
  });

  it.each([
    ["time -p ls", "time ls"],
    ["time ! ls", "! time ls"],
    ["case a in a) ls;; b|c) pwd; esac", "case a in (a) ls ;; (b|c) pwd ;; esac"],
    ["[[ ! -f a ]]", "[[ ! ( -f a ) ]]"],
    ["[[ ! ! -f a ]]", "[[ -f a ]]"],
    ["[[ ! ! ! -f a ]]", "[[ ! ( -f a ) ]]"],
    ["[[ ( ( -f a ) ) ]]", "[[ ( -f a ) ]]"],
    ["[[ a && b || c ]]", "[[ ( ( -n a && -n b ) || -n c ) ]]"],
    ["x=", "x=''"],
    ["x=~/a ls", "x=/home/u/a ls"],
  ])("[GA-05] have one form: %s", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it.each([
    ["ls &", "background: &"],
    ["ls & pwd", "background: &"],
    ["(ls &)", "background: &"],
    ["f() { ls; }", "shell-state: function"],
    ["coproc ls", "shell-state: coproc"],
    ["select x in a; do ls; done", "unsupported-syntax: Select"],
    ["for x; do ls; done", "unsupported-syntax: x"],
    ["for é in a; do ls; done", "unsupported-syntax: é"],
    ["for $x in a; do ls; done", "unsupported-syntax: $x"],
    ["case a in a) ls;& b) pwd;; esac", "unsupported-syntax: ;&"],
    ["case a in a) ls;;& b) pwd;; esac", "unsupported-syntax: ;;&"],
    ["! ! ls", "unsupported-syntax: Negation Negation"],
    ["x+=1", "shell-state: x+=1"],
    ["x[0]=1", "shell-state: x[0]=1"],
    ["x=(a b) ls", "shell-state: x=(a b)"],
    ["x=(a) y=(b)", "shell-state: x=(a)"],
    ["x=([0]=a)", "unsupported-syntax: [0]=a"],
    ["declare x=1", "shell-state: x=1"],
    ["export x=$y", "shell-state: x=$y"],
    ["x={a,b} ls", "unsupported-syntax: {a,b}"],
  ])("[GA-05] have no node where they change the shell, or are read differently: %s", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it("[GA-08] are nested so deep and no deeper", () => {
    const nested = (times: number, [open, close]: readonly [string, string], inner: string): string =>
      read(`${open.repeat(times)}${inner}${close.repeat(times)}`);
    const deep = "too-complex: nested deeper than 24";
    expect(nested(23, ["( ", " )"], "ls")).toBe(`${"( ".repeat(23)}ls${" )".repeat(23)}`);
    expect(nested(24, ["( ", " )"], "ls")).toBe(deep);
    expect(nested(12, ["echo $(", ")"], "echo a")).not.toBe(nested(11, ["echo $(", ")"], "echo a"));
    expect(nested(12, ["echo $(", ")"], "echo a")).toBe(deep);
    expect(read(`[[ ${"( ".repeat(23)}a${" )".repeat(23)} ]]`)).toBe("[[ ( -n a ) ]]");
    expect(read(`[[ ${"( ".repeat(24)}a${" )".repeat(24)} ]]`)).toBe(deep);
  });
});

describe("a redirection", () => {
  it.each([
    "ls 2>&1",
    "ls >&2",
    "ls 2>&-",
    "ls <&3",
    "ls > f",
    "ls >> f",
    "ls >| f",
    "ls &> f",
    "ls &>> f",
    "ls <> f",
    "ls 9> f",
    "cat 3< f",
    "cat <<< a",
    "cat 3<<< 'a b'",
    "ls < a > b 2>&1",
  ])("[GA-05] is read and printed as it is: %s", (command) => {
    expect(read(command)).toBe(command);
  });

  it.each([
    ["ls >& f", "ls &> f"], // the old spelling
    ["ls 2>& f", "redirect-form: >&f"],
    ["ls >&-x", "redirect-form: >&-x"],
    ["ls >&2x", "redirect-form: >&2x"],
    ["ls >&12", "redirect-form: >&12"],
    ["cat <& f", "redirect-form: <&f"],
    ["ls >& $x", "redirect-form: >&$x"],
    ["ls >& ''", "redirect-form: >&''"],
    ["ls 10> f", "redirect-form: 10"],
    ["{fd}> f ls", "redirect-form: {fd}"],
  ])("[GA-05] has one form, and none that parsers disagree about: %s", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it.each([
    ["cat <<E\na\nE", "cat <<< a"],
    ["cat <<E\na\nb\nE", "cat <<< 'a\nb'"],
    ["cat <<'E'\n$x\\\nE", "cat <<< '$x\\'"],
    ["cat <<-E\n\ta\n\t\tb\n\tE", "cat <<< 'a\nb'"],
    ["cat <<'E'\n\ta\nE", "cat <<< '\ta'"],
    ["cat <<E\nE", "cat < /dev/null"],
    ["cat <<E\n\nE", "cat <<< ''"],
    ["cat 3<<E\na\nE", "cat 3<<< a"],
    ["cat <<E\n$x\nE", "unsupported-syntax: <<E"],
    ["cat <<E\na`b`\nE", "unsupported-syntax: <<E"],
    ["cat <<E\na\\b\nE", "unsupported-syntax: <<E"],
    ["cat <<E", "syntax: <<"],
    ["cat <<E\na", "syntax: <<"],
  ])("[GA-05] from here becomes a text without a delimiter that could be forged: %j", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it("[GA-07] tells to quote the delimiter", () => {
    expect(() => parseShell("cat <<E\n$x\nE", "/home/u")).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ hint: "Quote the delimiter: <<'EOF'." }) }),
    );
  });
});
