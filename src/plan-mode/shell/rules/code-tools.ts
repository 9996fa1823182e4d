/** Tools that look through code and documents: counters, indexers, manuals, and modules of Python that print. */
import { literalShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { text } from "../command-tree.ts";
import type { Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";
import { has, leads, list } from "./rule.ts";
import type { Call, Nested, Option, OptionTable, Rule } from "./rule.ts";

/** Without this it imports modules from the folder where it runs, and from the person's own. */
const ISOLATED = ["-I", "-m"].map(text);
const OWN_FLAG = /^-[IEsBSu]$/;
const PIP = "pip";

/** Modules that print what they are given; what they may be given besides files is named. */
const MODULES: Readonly<Record<string, { readonly options: RegExp; readonly filesMax: number }>> = {
  // A second file would be the one to write.
  "json.tool": {
    options: /^--(?:sort-keys|no-ensure-ascii|json-lines|indent=\d+|tab|no-indent|compact)$/,
    filesMax: 1,
  },
  site: { options: /^--(?:user-base|user-site)$/, filesMax: 0 },
  sysconfig: { options: /^$/, filesMax: 0 },
  platform: { options: /^$/, filesMax: 0 },
  tokenize: { options: /^-e$/, filesMax: 1 },
  ast: { options: /^(?:-[ai]|--include-attributes)$/, filesMax: 1 },
  dis: { options: /^-[CO]$/, filesMax: 1 },
};

const isFile = (shape: Shape): boolean => shape.arity === "one" && shape.safeStart;

const checkModule = (name: string, rest: readonly Shape[]): void => {
  const module = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
  if (module === undefined) return stop("runs-programs", `python -m ${name}`, "Only modules that print are reads.");
  const isIndent = (shape: Shape | undefined): boolean => shape?.text === "--indent" && name === "json.tool";
  const files = rest.filter(
    (shape, at) =>
      !isIndent(shape) &&
      !(isIndent(rest[at - 1]) && /^\d+$/.test(shape.text ?? "")) &&
      (shape.text === undefined || !module.options.test(shape.text)),
  );
  const odd = files.find((shape) => !isFile(shape));
  if (odd !== undefined) stop("unknown-option", `python -m ${name} ${odd.text ?? "…"}`);
  if (files.length > module.filesMax) stop("operand", `python -m ${name}: at most ${module.filesMax}`);
  return undefined;
};

const versionOf = ({ name, shapes }: Call): readonly Word[] => {
  const only = shapes.length === 1 ? (shapes[0]?.text ?? "") : "";
  if (!/^(?:-V|-VV|--version|--help)$/.test(only))
    stop("runs-programs", `${name} ${only}`, "Only --version and modules that print are reads.");
  return shapes.map((shape) => shape.word);
};

const rewritePython = (call: Call, nested: Nested): readonly Word[] => {
  const { shapes } = call;
  const at = shapes.findIndex((shape) => !OWN_FLAG.test(shape.text ?? ""));
  const verb = shapes[at]?.text;
  const attached = /^-(?:I?m)(.*)$/s.exec(verb ?? "");
  if (attached === null) return versionOf(call);
  const given = attached[1] === "" ? shapes[at + 1] : literalShape(attached[1] ?? "");
  const rest = shapes.slice(attached[1] === "" ? at + 2 : at + 1);
  const name = given?.text ?? stop("dynamic-word", "python -m");
  if (name === PIP) return [...ISOLATED, text(name), ...nested([literalShape(PIP), ...rest]).slice(1)];
  checkModule(name, rest);
  return [...ISOLATED, text(name), ...rest.map((shape) => shape.word)];
};

const isQuestion = ({ name }: Option): boolean => /^--(?:list-.*|version|help)$/.test(name);

/** With a file to look at, some versions write their list in spite of a question, or of `-x` behind the file. */
const checkTags = (call: Call): void => {
  const asks = call.operands.length === 0 && call.options.some(isQuestion);
  const prints = leads(call, "-x") && !has(call, "-f");
  if (!asks && !prints) stop("missing-option", "ctags needs -x");
};

/** The text goes to standard output only where that is said. */
const checkToText = (call: Call): void => {
  if (call.operands.length !== 2 || call.operands[1]?.text !== "-")
    stop("missing-option", `${call.name} needs - as its second file`);
};

const AST_GREP: OptionTable = {
  valued: "plABCrj",
  long: "pattern= lang= selector= strictness= json=? color= heading= after= before= context= globs= no-ignore= threads= debug-query=? inspect=",
  harmful: "-U --update-all -i --interactive",
};

export const CODE_TOOLS: readonly Rule[] = [
  {
    names: "python python2 python3 pypy3",
    options: "any",
    withoutHome: true,
    rewrite: rewritePython,
  },
  {
    names: "cloc",
    options: {
      flags: "",
      long: list(`quiet csv json yaml xml md by-file by-file-by-lang by-percent= vcs= exclude-dir= exclude-lang= include-lang= exclude-ext=
        include-ext= match-f= not-match-f= match-d= not-match-d= fullpath git hide-rate sum-one skip-uniqueness show-lang=? show-ext=?
        processes= version help max-file-size= timeout= force-lang=`),
      harmful:
        "--out --report-file --extract-with --lang-no-ext --sum-reports --write-lang-def --config --use-sloccount",
    },
    // It reads its options from a file there.
    withoutHome: true,
    sandboxed: true,
  },
  {
    names: "scc",
    options: {
      flags: "cdlpvwabz",
      valued: "fisMxnN",
      long: list(`by-file wide no-cocomo no-complexity no-duplicates no-gen no-min no-large format= include-ext= exclude-dir= exclude-ext=
        exclude-file= not-match= sort= uloc dryness count-as= languages version help ci no-size`),
      harmful: "-o --output --format-multi",
    },
    sandboxed: true,
  },
  {
    names: "ast-grep sg",
    // Without a verb it runs a pattern.
    options: AST_GREP,
    operandsEndOptions: true,
    // Languages of the project's own are libraries that it loads.
    sandboxed: true,
    subcommands: [
      { names: "run", options: AST_GREP },
      {
        names: "scan",
        options: {
          valued: "r",
          long: "rule= inline-rules= json=? color= report-style= globs= filter=",
          harmful: "-U --update-all -i --interactive",
        },
      },
    ],
    check: (call) => {
      if (call.shapes.length === 0) stop("unknown-command", "ast-grep");
    },
  },
  {
    names: "ctags universal-ctags",
    options: {
      flags: "xRn",
      valued: "f",
      long: list(`list-kinds=? list-languages list-maps=? list-fields=? list-extras=? list-features list-kinds-full=? languages=
        exclude= kinds-c= kinds-c++= kinds-python= kinds-javascript= kinds-typescript= kinds-go= fields= sort= recurse=? language-force=
        output-format= options= version help`),
      harmful: "-o -a -e -u --append -L",
    },
    // Settings of the project and of the person could name the file to write.
    inject: ["--options=NONE"],
    withoutHome: true,
    literal: true,
    check: (call) => {
      checkTags(call);
      if (call.options.some(({ name, value }) => name === "--options" && value?.text !== "NONE"))
        stop("harmful-option", "ctags --options");
    },
  },
  {
    names: "ack",
    options: {
      flags: "ilLcwvnHhoQsx1fgrR",
      valued: "ABCm",
      long: list(`ignore-case smart-case literal word-regexp invert-match files-with-matches files-without-matches count with-filename
        no-filename after-context= before-context= context= max-count= type= ignore-dir= noignore-dir= ignore-file= nocolor color
        noheading heading group nogroup break nobreak column python js ts perl ruby php go rust java cpp cc shell yaml json html css
        md markdown noenv nopager help-types version`),
      harmful: "--pager --ackrc --output --create-ackrc",
    },
    inject: ["--noenv", "--nopager"],
    marker: "--",
  },
  {
    names: "jar",
    options: "any",
    sandboxed: true,
    check: (call) => {
      if (
        !/^(?:-?tv?f|--list|-tf|-tvf)$/.test(call.shapes[0]?.text ?? "") ||
        call.shapes.some(({ text: one }) => one?.startsWith("@") !== false)
      )
        stop("known-write", "jar", "Only jar tf is a read.");
    },
  },
  {
    names: "pdftotext",
    options: { flags: "q", valued: "fl", single: "-layout -raw -nopgbrk -q -f= -l= -enc=" },
    check: checkToText,
    sandboxed: true,
  },
  { names: "pdfinfo", options: { single: "-box -meta -isodates -f= -l=" }, operandsMax: 1, sandboxed: true },
  { names: "gofmt", options: { single: "-l -d -e -s -r=", harmful: "-w -cpuprofile" }, sandboxed: true },
  {
    names: "javap",
    options: { single: "-c -p -v -s -l -public -private -protected -verbose -constants -cp= -classpath=" },
    sandboxed: true,
  },
  { names: "jps", options: { flags: "qmlvV" }, operandsMax: 0, sandboxed: true },
  { names: "csvlook csvcut csvstat csvgrep csvsort gron", options: "any", sandboxed: true },
  { names: "ssh-keygen", options: { flags: "lv", valued: "fE" }, requires: "-l", operandsMax: 0, sandboxed: true },
  { names: "otool", options: { flags: "LlhtdDIarSsvVfGoPxX" } },
  {
    names: "hexyl dust duf procs",
    options: { flags: "arhnsCvbd", valued: "lcn", long: "length= skip= version help depth= all json" },
    sandboxed: true,
  },
  {
    names: "difft",
    options: { long: "version list-languages" },
    requires: "--version --list-languages",
    operandsMax: 0,
  },
];
