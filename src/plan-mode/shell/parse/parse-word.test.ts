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
const unsupported = (matched: string): string => `unsupported-syntax: ${matched}`;

describe("a bare word", () => {
  it.each([
    ["echo a\\\nb", "echo ab"], // a joined line
    ["echo a\\*b", "echo 'a*b'"],
    ["echo \\é é", "echo 'é' 'é'"], // letters of any script stand for themselves
    ["echo a→b", "look-alike-character: a→b"],
    ["echo 'a→b'", "echo 'a→b'"],
    ["echo a\\", "syntax: a\\"],
    ["echo a#b =a a=b a]b ^a !a", "echo 'a#b' '=a' a=b 'a]b' '^a' '!a'"],
    ["echo { } a{b \\{a,b}", "echo '{' '}' 'a{b' '{a,b}'"],
    ["echo a;ls", "echo a; ls"],
    ["cat a.txt\\\n | wc\\\n", "cat a.txt | wc"],
    ["echo ~\\\n/x ${x}\\\ny $x\\y $1'\\\n'", "echo /home/u/x ${x}y ${x}y ${1}'\\\n'"],
    ["echo $x\\\ny", unsupported("$x\\\ny")], // $xy, to bash
    ['echo "$x\\\ny"', unsupported('"$x\\\ny"')],
    ['echo "$\\\nx"', unsupported('"$\\\nx"')],
    ["echo $x\\\n{a,b}", unsupported("$x\\\n{a,b}")],
    ["echo $(echo $x\\\ny)", unsupported("$x\\\ny")],
    ["echo $'a\\\nb'", unsupported("$'a\\\nb'")], // there it is a backslash and a line end
    ["echo a\\\n=~/x", unsupported("a\\\n=~/x")],
  ])("[GA-05] is decoded as bash does, and every character is looked at: %j", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it.each([
    ["echo '' \"\"", "echo '' ''"],
    ["echo ''a\"\"b", "echo ab"],
    ["echo \"\"$x $x'' ''$(ls)\"\"", "echo ''${x} ${x}'' ''$(ls)''"], // a word, however empty what is computed
    ['echo "$x"$y $y"$x" a""$x $x""a \'\'*', 'echo "${x}"${y} ${y}"${x}" a${x} ${x}a *'],
    ["echo a'b'\"c\"\\d", "echo abcd"],
    ['echo "a"\'b\'$x"c"', "echo ab${x}c"],
    ['echo "a\\$b\\`c\\"d\\\\e\\nf"', "echo 'a$b`c\"d\\e\\nf'"], // only these five are escapes between double quotes
    ['echo "a\\\nb"', "echo ab"],
    ["echo $'a\\tb\\nc\\x41'", "echo 'a\tb\ncA'"],
    ["echo $'a\\x1bb'", "control-character: $'a\\x1bb'"],
    ["echo $'\\u200b'", "control-character: $'\\u200b'"],
    ['echo $"x"', unsupported('$"x"')],
  ])("[GA-05] runs together with quoted ones, by the rules of each quote: %j", (command, expected) => {
    expect(read(command)).toBe(expected);
  });
});

describe("an expansion", () => {
  it.each([
    ["echo $x $1 $? $# $$", "echo ${x} ${1} ${?} ${#} ${$}"],
    ['echo "$x$1$?"', 'echo "${x}""${1}""${?}"'],
    ["echo $10", "echo ${1}0"],
    ["echo ${x} ${#x} ${#} ${1} ${?}", "echo ${x} ${#x} ${#} ${1} ${?}"],
    ['echo "${x:-a b}" "${#x}"', 'echo "${x:-a b}" "${#x}"'],
    ['echo $(ls) `ls` "$(ls)" "`ls`"', 'echo $(ls) $(ls) "$(ls)" "$(ls)"'],
    ["echo $(<f)", "echo $(< f)"],
    ['echo $((1+2)) "$((1))" $((1\n+2))', "echo $((1+2)) $((1)) $((1 +2))"],
    ["echo $(( 1 * (2 - 3) / 4 % 5 ))", "echo $(( 1 * (2 - 3) / 4 % 5 ))"],
    ["echo $((1<<2>=3!=0&&1||~1^2?1:2,3))", "echo $((1<<2>=3!=0&&1||~1^2?1:2,3))"],
  ])("[GA-05] of a plain name, a number or a command keeps its meaning: %j", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it.each([
    ["${x:-a}"],
    ["${x:+b}"],
    ["${x-a}"],
    ["${x+b}"],
    ["${x#a}"],
    ["${x##a*}"],
    ["${x%.ts}"],
    ["${x%%/*}"],
    ["${x/a/b}"],
    ["${x//a/b}"],
    ["${x/#a/b}"],
    ["${x/%a/b}"],
    ["${x^}"],
    ["${x^^}"],
    ["${x,}"],
    ["${x,,}"],
    ["${x:1}"],
    ["${x:12:34}"],
    ["${x: -1}"],
    ["${x: -1:-2}"],
  ])("[GA-05] with an operation on plain text passes as it is: %s", (expansion) => {
    expect(read(`echo ${expansion}`)).toBe(`echo ${expansion}`);
  });

  it.each([
    ["$!"],
    ["$@"],
    ["$*"],
    ["$-"],
    ["${@}"],
    ["${x:=a}"], // assigns
    ["${x=a}"],
    ["${x:?a}"], // ends the shell
    ["${!x}"], // another name than the one that is read
    ["${x[1+1]}"], // arithmetic, which may run something
    ["${x[$(id)]}"],
    ["${x[a[0]]}"],
    ["${!x[0]}"],
    ["${x[0]:1}"],
    ["${#x[@]:1}"],
    ["${x[@]@P}"],
    ["${x[@]:i}"],
    ["${#x:-a}"],
    ["${x@Q}"],
    ["${x@P}"],
    ["${x:-$y}"],
    ["${x:-`y`}"],
    ['${x:-"y"}'],
    ["${x:-'y'}"],
    ["${x^a}"],
    ["${x^^a}"],
    ["${x,,a}"],
    ["${x:a}"],
    ["${x:1:a}"],
    ["${x:1:2:3}"],
    ["${é}"],
    ["`echo \\`ls\\``"], // parsers disagree about backticks in backticks
    ["${ ls; }"],
    ["$[1+2]"],
  ])("[GA-05] that sets, hides or computes something is refused: %s", (expansion) => {
    expect(read(`echo ${expansion}`)).toBe(unsupported(expansion));
  });

  it.each([
    ["$((x + 1))", "echo $((x + 1))"],
    ["$(( $x * 0x1f ))", "echo $(( $x * 0x1f ))"],
    ["$((x == 1 || x >= 2 ? 3 : 4))", "echo $((x == 1 || x >= 2 ? 3 : 4))"],
    ["$((a[$(ls)]))", "unsupported-syntax: a[$(ls)]"],
    ["$((a[0]))", "unsupported-syntax: a[0]"],
    ["$(($(ls)))", "echo $(($(ls)))"], // what it prints is judged later
    ["$(($(ls a|wc -l)+1))", "echo $(($(ls a | wc -l)+1))"],
    ["$(($(ls # a)))", "syntax: unterminated arithmetic expansion"],
    ["$(($(ls $(ls))))", "unsupported-syntax: $(ls $(ls))"],
    ["$(($(ls `ls`)))", "unsupported-syntax: $(ls `ls`)"],
    ['$(($(ls "$(ls)")))', 'unsupported-syntax: $(ls "$(ls)")'],
    ["$(($(ls ${x})))", "unsupported-syntax: $(ls ${x})"],
    ["$(($(ls & ls)))", "unsupported-syntax: $(ls & ls)"],
    ["$(($(ls <<a)))", "syntax: <<"],
    ["$((x = 1))", "shell-state: $((x = 1))"],
    ["$((x++))", "shell-state: $((x++))"],
    ["$((x <<= 1))", "shell-state: $((x <<= 1))"],
    ["$((ls)|(cat))", "echo $( ( ls ) | ( cat ))"], // two commands to bash
  ])("[GA-05] reads arithmetic over numbers and names, and nothing that runs: %s", (expansion, expected) => {
    expect(read(`echo ${expansion}`)).toBe(expected);
  });

  it("[GA-07] tells how to write arithmetic", () => {
    expect(() => parseShell("echo $((x[1]))", "/home/u")).toThrow(
      expect.objectContaining({
        refusal: expect.objectContaining({ hint: "Only numbers, names and operators in $((…))." }),
      }),
    );
  });
});

describe("a brace expansion", () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, n) => from + n).join(" ");

  it.each([
    ["{a,b}", "a b"],
    ["x{a,b}y{c,d}z", "xaycz xaydz xbycz xbydz"],
    ["{a,}{b,}", "ab a b"], // an empty word is no word
    ["a{,}", "a a"],
    ["{,a}", "a"],
    ["{a,}\\\n", "a"], // a joined line is nothing
    ["{a,b}~", "'a~' 'b~'"],
    ["{a*,b?,c}", "a* b? c"], // patterns stay patterns
    ["{1..3} {3..1} {-1..1}", "1 2 3 3 2 1 -1 0 1"],
    ["{2..2}", "2"],
    ["{01..03} {9..11} {09..11} {008..10}", "01 02 03 9 10 11 09 10 11 008 009 010"],
    ["{10..09}", "10 09"],
    ["{-01..1} {1..-01} {001..-1}", "-01 000 001 001 000 -01 001 000 -01"], // the sign counts, and stands in front
    ["{-1..01} {-1..-03} {-00..1}", "-1 00 01 -01 -02 -03 000 001"],
    ["{0..-0}", "0"],
    ["{a..c} {c..a} {A..C}", "a b c c b a A B C"],
    ["{1..64}", numbers(1, 64)],
    ["{9998..9999}", "9998 9999"],
    ["{a} {} {1..2", "'{a}' {} '{1..2'"], // none at all
    ["{{1..2}} {{a,b} {a,b}}", "'{1}' '{2}' '{a' '{b' 'a}' 'b}'"],
    ["{a},{b} {{.A}},{{.B}} HEAD@{1}..HEAD@{0}", "'{a},{b}' '{{.A}},{{.B}}' 'HEAD@{1}..HEAD@{0}'"],
    ["{a}\\,b} {a},b\\} {a}','b}", "'{a},b}' '{a},b}' '{a},b}'"],
    ['${x}{a,b} {a,b}$x "$x"{a,b}', '${x}a ${x}b a${x} b${x} "${x}"a "${x}"b'],
  ])("[GA-05] is written out: %s", (word, expected) => {
    expect(read(`echo ${word}`)).toBe(`echo ${expected}`);
  });

  it("[GA-05] of nothing but empty words leaves none", () => {
    expect(read("ls {,}")).toBe("ls");
    expect(read("for x in {a,b}; do ls; done")).toBe("for x in a b; do ls; done");
  });

  it.each([
    ["echo {1..65}", "too-complex: {1..65}"],
    ["echo {65..1}", "too-complex: {65..1}"],
    ["echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "too-complex: {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"],
    ["echo {1..a}", unsupported("{1..a}")],
    ["echo {a..3}", unsupported("{a..3}")],
    ["echo {1..10..2}", unsupported("{1..10..2}")],
    ["echo {a..e..2}", unsupported("{a..e..2}")],
    ["echo {aa..bb}", unsupported("{aa..bb}")],
    ["echo {a..C}", unsupported("{a..C}")], // a backtick and a backslash lie between them
    ["echo {Z..a}", unsupported("{Z..a}")],
    ["echo $x{a,b}", unsupported("$x{a,b}")], // $xa and $xb, to bash
    ["echo $x{1..2}", unsupported("$x{1..2}")],
    ["echo {a},b}", unsupported("{a},b}")], // a} and b
    ["echo {a,}~/b", unsupported("{a,}~/b")], // a~/b and a folder at home
    ["echo {,a}~", unsupported("{,a}~")],
    ["echo {a,,b}~", unsupported("{a,,b}~")],
    ["echo x{},b}", unsupported("x{},b}")],
    ["echo {a}{b,c},d}", unsupported("{a}{b,c},d}")],
    ["echo {a}[x,y]}", unsupported("{a}[x,y]}")],
    ["echo {a}$x,b}", unsupported("{a}$x,b}")],
    ["echo x{a}y{b},c}z", unsupported("x{a}y{b},c}z")],
    ["echo {12345..12346}", unsupported("{12345..12346}")],
    ["echo {a,'b c'}", unsupported("{a,'b c'}")],
    ["echo {a,$x}", unsupported("{a,$x}")],
    ["echo {a,{b,c}}", unsupported("{a,{b,c}}")],
    ["cat < {a,b}", unsupported("{a,b}")], // one word is wanted
    ["case {a,b} in a) ls;; esac", unsupported("{a,b}")],
    ["x={a,b}", unsupported("{a,b}")],
    ["[[ a = {1..1} ]]", unsupported("{1..1}")],
    ["cat < {a..a}", unsupported("{a..a}")],
  ])("[GA-05, GA-08] has limits, and no form that shells read differently: %s", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it("[GA-08] may make sixty-four words", () => {
    expect(read(`ls ${"{a,b}".repeat(6)}`).split(" ")).toHaveLength(65);
  });
});

describe("a pattern, a home folder, a process as a file", () => {
  it.each([
    ["ls * ? a*b [ab] [!a] [^a] [a-z]* [[:alpha:]] [a,b.@]", undefined],
    ["ls [a*]", unsupported("[a*]")],
    ["ls [$x]", unsupported("[$x]")],
    ["ls ['a b']", unsupported("['a b']")],
    ["ls [a/b]", unsupported("[a/b]")],
    ["ls @(a|b)", unsupported("@(a|b)")],
    ["ls !(a)", unsupported("!(a)")],
  ])("[GA-05] keeps plain patterns and refuses the others: %s", (command, refused) => {
    expect(read(command)).toBe(refused ?? command);
  });

  it.each([
    ["ls ~ ~/ ~/x ~/*", "ls /home/u /home/u/ /home/u/x /home/u/*"],
    ["ls ~/{a,b} ~/$x", "ls /home/u/a /home/u/b /home/u/${x}"],
    ["x=~/a", "x=/home/u/a"],
    ["ls '~' \"~\"/x a~ \\~ \\~/x", "ls '~' '~/x' 'a~' '~' '~/x'"],
    [
      "ls a:~ 1a=~ --a=~/x a==~ a='~' a=\\~ a=b\\:~ 'a'=~",
      "ls 'a:~' '1a=~' '--a=~/x' 'a==~' 'a=~' 'a=~' 'a=b:~' 'a=~'",
    ],
    ["make -n A=~/x", unsupported("A=~/x")], // what looks like an assignment is expanded like one
    ["echo a=~", unsupported("a=~")],
    ["echo a+=~/x", unsupported("a+=~/x")],
    ["echo a[0]=~/x", unsupported("a[0]=~/x")],
    ["echo a=b:~/x", unsupported("a=b:~/x")],
    ["echo a=$x:~/x", unsupported("a=$x:~/x")],
    ["x=a:~/b", unsupported("x=a:~/b")],
    ["x=$y':':~", unsupported("x=$y':':~")],
    ["x=a':~/b'", "x='a:~/b'"],
    ["ls ~''", unsupported("~''")], // a quote anywhere before the slash, and it is a name
    ["ls ~'/x'", unsupported("~'/x'")],
    ["ls ~\\/x", unsupported("~\\/x")],
    ["ls ~/'a b' ~/\"$x\"", "ls '/home/u/a b' /home/u/\"${x}\""],
    ["ls ~root", unsupported("~root")],
    ["ls ~+", unsupported("~+")],
    ["ls ~-", unsupported("~-")],
    ["ls ~x/y", unsupported("~x/y")],
    ["ls ~~", unsupported("~~")],
    ["ls ~$x", unsupported("~$x")],
    ["ls ~*", unsupported("~*")],
    ["ls ~{a,b}", unsupported("~{a,b}")],
  ])("[GA-05] knows one home folder, and only where bash would put it: %s", (command, expected) => {
    expect(read(command)).toBe(expected);
  });

  it.each([
    ["diff <(ls) <(pwd)", "diff <(ls) <(pwd)"],
    ["diff a <(ls)|cat", "diff a <(ls) | cat"],
    ["diff a <(ls);ls", "diff a <(ls); ls"],
    ["(diff a <(ls))", "( diff a <(ls) )"],
    ["diff a <(ls)&& ls", "diff a <(ls) && ls"],
    ["cat <(ls)\nls", "cat <(ls); ls"],
    ["cat <(ls)\tb", "cat <(ls) b"],
    ["cat <(ls)x b", unsupported("<(ls)")],
    ["cat <(ls)'x' b", unsupported("<(ls)")],
    ["cat <(ls)$x b", unsupported("<(ls)")],
    ["tee >(cat)", unsupported(">(cat)")],
  ])("[GA-05] takes a process for a file only as a whole word, and only to read: %j", (command, expected) => {
    expect(read(command)).toBe(expected);
  });
});
