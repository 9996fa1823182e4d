/** Code that an interpreter is given: how each language removes or empties a file, and how it runs a command. */
import { namesIn } from "../finding.ts";
import type { Finding } from "../finding.ts";
import { joinStrings } from "./computed-code.ts";
import { sqlDestroys } from "../destructive/sql.ts";

type Language = {
  /** Its programs, without their versions. */
  readonly programs: string;
  /** Options behind which code stands. */
  readonly flags: string;
  readonly deletes: RegExp;
  readonly runs: RegExp;
};

const JVM = /\.delete(?:Dir|OnExit|Recursively|IfExists)?\(|\bFiles\.delete/;
const LISP = /\(erase-buffer\b|\((?:\S*\/)?\.?delete(?:-file|-directory|-tree|-if-exists)?[ (]/;
const LISP_RUNS = /\b(?:shell-command|call-process|start-process|run-program|system|process|shell|sh)\b/;

const LANGUAGES: Readonly<Record<string, Language>> = {
  javascript: {
    programs: "node nodejs bun deno tsx ts-node zx qjs gjs coffee",
    flags: "-e --eval -p --print -pe eval",
    deletes:
      /\b(?:unlink|rm|rmdir)(?:Sync)?\(|\b(?:deleteSync|emptyDirSync|removeSync)\(|\bfs\.(?:promises\.)?(?:unlink|rm|rmdir)(?:Sync)?\b|\[["'`](?:unlink|rm|rmdir)(?:Sync)?["'`]\]|\{[^{}]*\b(?:unlink|rm|rmdir)(?:Sync)?\b[^{}]*\}(?:=|from\b)|(?:\bfse|\bDeno|fs-extra["']\))\.(?:remove|emptyDir)|\b(?:require|import)\(["'](?:rimraf|del|trash)["']\)|\bfrom ["'](?:rimraf|del|trash)["']|\bBun\.file\([^()]*\)\.delete\(|\bf?truncate(?:Sync)?\(|\bwriteFile(?:Sync)?\([^,()]+,(?:''|""|``)[,)]/,
    runs: /\bexec\w*[(`]|\b(?:spawn\w*|execa\w*|child_process|shelljs|Deno\.(?:Command|run))\b|\$(?:\([^()]*\))?`/,
  },
  python: {
    programs: "python pypy ipython jython",
    flags: "-c",
    deletes:
      /\b(?:unlink|rm|rmdir|rmtree|removedirs|send2trash)\(|\bos\.(?:remove|unlink|rmdir|removedirs|f?truncate)\b|\bshutil\.rmtree\b|\bfrom (?:os|shutil) import\b[^\n;]*\b(?:remove|unlink|rmdir|removedirs|rmtree)\b|["']os["']\)\.(?:remove|unlink|rmdir|removedirs)\b|(?:\bvars\(os\)|\bos\.__dict__)\[["'](?:remove|unlink|rmdir|removedirs|system)|\bO_TRUNC\b|\bgetattr\((?:[^()]|\([^()]*\))*["'](?:remove|unlink|rmdir|removedirs|rmtree|system)["']|\.truncate\(0?\)|\bwrite_(?:text|bytes)\(b?(?:''|"")\)|\bopen\([^()]*,(?:mode=)?['"]w[bt+]*['"]\)\.close\(/,
    runs: /\b(?:system|popen\d?|Popen|spawn\w*|exec\w*|subprocess|check_output|check_call|getoutput|create_subprocess_\w+|pexpect|run|call)[(.]|^ ?!/m,
  },
  perl: {
    programs: "perl",
    flags: "-e -E",
    deletes:
      /(?:^|[;{}(&|]|\b(?:and|or|do|map|grep)\b)\s*(?:unlink|rmdir|truncate)\b|\b(?:rmtree|remove_tree)\s*[("'$@q]|(?:^|;)\s*rm_r?f\b/,
    runs: /\b(?:system|exec|popen|qx|open)\b|`/,
  },
  ruby: {
    programs: "ruby irb jruby mruby",
    flags: "-e",
    deletes:
      /\bFile\.(?:delete|unlink|truncate)\b|\bFileUtils\.(?:rm|remove)|\bDir\.(?:rmdir|delete|unlink)\b|\bPathname\b.*\.(?:delete|rmtree|unlink|rmdir)\b|(?:^|[;{(])\s*(?:rm|rm_r|rm_f|rm_rf|rmdir|rmtree|remove_\w+)\b|\b(?:File|IO)\.(?:bin)?write\([^,()]+,(?:''|"")\)/,
    runs: /\b(?:system|exec|spawn|popen\d?|Open3\.\w+)\b|`|%x/,
  },
  php: {
    programs: "php",
    flags: "-r",
    deletes: /\b(?:unlink|rmdir|ftruncate)["']?[(,]|=["'](?:unlink|rmdir)["']|\bfile_put_contents\([^,()]+,(?:''|"")\)/,
    runs: /\b(?:system|exec|shell_exec|passthru|popen|proc_open)\(|`/,
  },
  lua: {
    programs: "lua luajit",
    flags: "-e",
    deletes: /\bos(?:\.|\[["'])remove\b/,
    runs: /\b(?:os\.execute|io\.popen)\b/,
  },
  r: {
    programs: "R Rscript",
    flags: "-e",
    deletes: /\b(?:unlink|file\.remove|file_delete|dir_delete)\(/,
    runs: /\bsystem2?\(/,
  },
  julia: { programs: "julia", flags: "-e -E", deletes: /\brm\(/, runs: /\brun\(/ },
  elixir: {
    programs: "elixir",
    flags: "-e",
    deletes: /\bFile\.rm/,
    runs: /\b(?:System\.(?:cmd|shell)|os\.cmd|:os\.cmd)\b/,
  },
  jvm: {
    programs: "groovy scala kotlin jshell",
    flags: "-e",
    deletes: JVM,
    runs: /\bexecute\(|\bProcessBuilder\b|\.exec\(|\.!/,
  },
  swift: { programs: "swift", flags: "-e", deletes: /\bremoveItem\(/, runs: /\bProcess\(/ },
  applescript: {
    programs: "osascript",
    flags: "-e",
    deletes: /\bto (?:delete|empty)\b/,
    runs: /\bdo shell script\b/,
  },
  tcl: { programs: "tclsh expect", flags: "-c", deletes: /\bfile delete\b/, runs: /\b(?:exec|spawn)\b/ },
  lisp: {
    programs: "emacs guile sbcl racket clojure clj bb clisp ecl",
    flags: "-c -e -x --eval",
    deletes: LISP,
    runs: LISP_RUNS,
  },
  erlang: { programs: "erl", flags: "-eval", deletes: /\bfile:del(?:ete|_dir)/, runs: /\bos:cmd\b/ },
  ocaml: {
    programs: "ocaml",
    flags: "-e",
    deletes: /\b(?:Sys\.(?:remove|rmdir)|Unix\.(?:unlink|rmdir))\b/,
    runs: /\b(?:Sys\.command|Unix\.system)\b/,
  },
  haskell: {
    programs: "ghc runghc runhaskell",
    flags: "-e",
    deletes: /\bremove(?:File|Directory|PathForcibly)/,
    runs: /\b(?:system|callCommand|callProcess|readProcess)\b/,
  },
  prolog: { programs: "swipl", flags: "-g -t", deletes: /\bdelete_(?:file|directory)/, runs: /\bshell\(/ },
  octave: {
    programs: "octave matlab",
    flags: "--eval -r -batch",
    deletes: /(?:^|[;,\n])\s*(?:delete|unlink|rmdir)\b/,
    runs: /\b(?:system|unix|dos|shell_cmd)\(/,
  },
  raku: { programs: "raku", flags: "-e", deletes: /\b(?:unlink|rmdir)\b/, runs: /\b(?:shell|run|qx|qqx)\b/ },
};

const LANGUAGE_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, { programs }]) =>
    [...namesIn(programs)].map((program) => [program, language] as const),
  ),
);
const FLAGS_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(LANGUAGES).map(([language, { flags }]) => [language, namesIn(flags)]),
);

/** The language of a program; its version is no part of its name. */
export const languageOf = (program: string): string | undefined => LANGUAGE_OF.get(program.replace(/[\d.]+$/, ""));

/** The options of a language's programs behind which code stands. */
export const flagsOf = (language: string): ReadonlySet<string> => FLAGS_OF.get(language) ?? new Set();

const finding = (code: string, matched: string): Finding => ({ class: "destructive", code, matched });

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`";
const STRINGS = new RegExp(STRING, "gs");
const SEQUENCES = new RegExp(`(?:${STRING})(?:[\\s,[\\]()]+(?:${STRING}))+`, "gs");
/** `qx(rm a)`, `%x{rm a}`, `qw/rm a/`, what Tcl starts, and a line of IPython with a bang. */
const BRACKETED = /(?:\bq[xwq]?|%[xw])\s*[({[</|!]([^)}\]>/|!]*)|\b(?:exec|spawn)\s+([^\]\n;"'`]+)|^\s*!([^\n]+)/gm;

export const stringsIn = (code: string): readonly string[] =>
  (code.match(STRINGS) ?? []).map((text) => text.slice(1, -1));

/** Normalises blanks, joins `"rm" + "Sync"` into one name, and resolves aliases such as `import os as o`. */
const plain = (code: string): string => {
  const close = joinStrings(code)
    .replace(/[ \t]+/g, " ")
    .replace(/ ?([(),=+[\]{}`]) ?/g, "$1");
  const alias = /\bimport (os|shutil) as (\w+)/.exec(close);
  return alias?.[1] === undefined || alias[2] === undefined ? close : close.replaceAll(`${alias[2]}.`, `${alias[1]}.`);
};

const ASKS_DATABASE = /\.(?:execute\w*|query\w*|exec|raw|prepare|run)\(/;
const DECODES = /b64decode|\batob\b|base64|\bunhexlify\b/i;
const READABLE = /^[\t\n\r -~]{4,}$/;

/** Code inside code: strings that are decoded before they run. */
export const decodedIn = (code: string): readonly string[] =>
  DECODES.test(code)
    ? stringsIn(code)
        .map((text) => Buffer.from(text, "base64").toString("utf8"))
        .filter((text) => READABLE.test(text))
    : [];

/** A file opened to be written anew, in the ways of all languages; then it is empty unless something is written. */
const OPENS_ANEW =
  /\bopen(?:Sync)?\([^()]*,(?:mode=)?["'](?:w[bt+]*|>)["']|\bfopen\([^()]*,["']w[bt+]*["']|\b(?:File|IO)\.(?:open|new)\([^()]*,["']w[bt+]*["']|\bcreateWriteStream\(|\bopen\b[^;]*["']\s*>(?!>)/;
const WRITES =
  /\.(?:end|write)\([^)]|\bwrite\w*\(?\s*["'`\w$[]|\bdump\w*\(|\bprintf?\b|\bsay\b|\bputs\b|<<|\bpipe\w*\(|\bcopy\w*\(|\bsave\w*\(|\bf(?:write|puts|putcsv)\(|\bto_\w+\(|\bstdout\s*=|\bstdio\b/;
/** `/dev/null` in the place of a file that is copied. */
const COPIES_NOTHING = /\bcp\w*\(["'`]\/dev\/null|\bcopy\w*\(["'`]\/dev\/null|\bcp\(["'`]\/dev\/null/i;

/** Inline code that leaves a file empty. */
export const findEmptyingCode = (given: string): Finding | undefined => {
  const code = plain(given);
  const empties = COPIES_NOTHING.test(code) || (OPENS_ANEW.test(code) && !WRITES.test(code));
  return empties ? finding("code-empties", given) : undefined;
};

/** Inline code that removes or empties something by its language's own means. */
export const codeDestroys = (given: string, language: string): Finding | undefined => {
  const code = plain(given);
  const deletion = LANGUAGES[language]?.deletes.exec(code);
  if (deletion !== undefined && deletion !== null) return finding("code-removes", deletion[0]);
  const statement = ASKS_DATABASE.test(code) ? stringsIn(code).find(sqlDestroys) : undefined;
  return statement === undefined ? undefined : finding("sql", statement);
};

/** What code hands to a shell: its strings, those that stand in a row as one command, and what stands in brackets. */
export const scriptsInCode = (given: string, language: string): readonly string[] => {
  if (LANGUAGES[language]?.runs.test(plain(given)) !== true) return [];
  const code = joinStrings(given);
  const rows = (code.match(SEQUENCES) ?? []).map((row) => stringsIn(row).join(" "));
  const bracketed = [...code.matchAll(BRACKETED)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  // `open(F, ">a")` of Perl names a file, not a command.
  return [...rows, ...stringsIn(code), ...bracketed]
    .filter((text) => !/^\s*\+?[<>]/.test(text))
    .map((text) => text.replace(/^[|!]\s*/, ""));
};
