/** Filters whose options or operands can name an output file or run a program. */
import { checkAwk, opensComputed } from "../scripts/awk.ts";
import { checkSed, rewriteSed } from "../scripts/sed.ts";
import { stop } from "../verdict.ts";
import { list } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

/** `@file` makes the binutils read more options from a file. */
const checkResponseFile = (call: Call): void => {
  for (const shape of call.shapes)
    if (shape.prefix.startsWith("@") || (shape.prefix === "" && shape.text === undefined))
      stop("operand", `${call.name} @file`);
};

const YQ_VERB = /^(?:e|ea|eval|eval-all)$/;

/** The first operand that is no verb is the expression; files may be computed. */
const checkYq = (call: Call): void => {
  const expression = call.operands.findIndex(({ text }) => text === undefined || !YQ_VERB.test(text));
  for (const [at, { text }] of call.operands.entries())
    if (text === undefined ? at <= expression : /\b(?:system|load_?ext)\b/.test(text)) stop("script", call.name);
};

const diffOptions = {
  flags: "qsceyptTbBwZEaridnuN",
  valued: "UCWIxXFDSL",
  numeric: true,
  long: list(`normal brief report-identical-files context=? unified=? ed rcs side-by-side width= left-column suppress-common-lines
    show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference
    new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from= starting-file=
    from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space
    ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= line-format= old-line-format= new-line-format=
    unchanged-line-format= old-group-format= new-group-format= unchanged-group-format= changed-group-format= horizon-lines=
    minimal speed-large-files color=? palette= help version`),
  harmful: "-l --paginate",
} as const;

export const TEXT: readonly Rule[] = [
  {
    names: "sort gsort",
    options: {
      flags: "bdfghiMnRrVcCmsuz",
      valued: "ktS",
      long: list(`ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
        human-numeric-sort numeric-sort random-sort reverse version-sort sort= check=? merge key= field-separator= stable
        buffer-size= unique zero-terminated parallel= batch-size= debug random-source= files0-from= help version`),
      harmful: "-o --output -T --temporary-directory --compress-program",
    },
  },
  {
    names: "uniq",
    options: {
      flags: "cdDiuz",
      valued: "fsw",
      long: "count repeated all-repeated=? group=? skip-fields= ignore-case skip-chars= unique zero-terminated check-chars= help version",
    },
    // The second operand is an output file, even one that looks like an option where options end at the first operand.
    operandsEndOptions: true,
    operandsMax: 1,
  },
  {
    names: "shuf",
    options: {
      flags: "erz",
      valued: "in",
      long: "echo input-range= head-count= repeat zero-terminated random-source= help version",
      harmful: "-o --output",
    },
  },
  {
    names: "xxd",
    // Only the first letter of an option counts, so letters cannot be bundled.
    options: {
      single:
        "-a -b -C -d -e -E -h -i -p -ps -plain -postscript -r -revert -u -v -c= -cols= -g= -l= -len= -n= -o= -s= -seek= -R=",
      valued: "cgls",
    },
    operandsEndOptions: true,
    operandsMax: 1,
  },
  {
    names: "base64 base32 basenc gbase64",
    options: {
      flags: "diD",
      valued: "wb",
      long: "decode ignore-garbage wrap= base64 base64url base32 base32hex base16 base2msbf z85 help version",
      harmful: "-o --output",
    },
  },
  {
    names: "iconv",
    options: {
      flags: "lcs",
      valued: "ft",
      long: "from-code= to-code= list silent verbose help version",
      harmful: "-o --output",
    },
  },
  { names: "diff gdiff", options: diffOptions, marker: "--" },
  // Its settings name the program that compares.
  { names: "colordiff", options: diffOptions, withoutHome: true },
  {
    names: "diff3",
    options: {
      flags: "AaeEmTxX3i",
      valued: "L",
      long: "show-all text ed show-overlap merge easy-only initial-tab label= strip-trailing-cr",
      harmful: "--diff-program",
    },
  },
  {
    names: "sdiff",
    options: {
      flags: "lsabBdEHiWZt",
      valued: "wI",
      long: "suppress-common-lines left-column width= ignore-case ignore-all-space",
      harmful: "-o --output --diff-program",
    },
  },
  {
    names: "sed gsed",
    options: {
      flags: "nErsuz",
      valued: "e",
      long: "quiet silent expression= regexp-extended separate unbuffered null-data line-length= posix sandbox debug help version",
      harmful: "-i --in-place -I -f --file",
    },
    marker: "--",
    check: checkSed,
    rewrite: rewriteSed,
  },
  {
    names: "awk gawk mawk nawk original-awk",
    options: {
      valued: "Fv",
      long: "field-separator= assign= posix re-interval traditional version help",
      flags: "V",
      harmful:
        "-f --file -i --include -l --load -o --pretty-print -p --profile -d --dump-variables -E --exec -e --source -D --debug -W",
    },
    operandsEndOptions: true,
    check: checkAwk,
    sandboxed: opensComputed,
  },
  {
    names: "yq xq tomlq",
    options: {
      flags: "rcCMPNenjyYS",
      valued: "opI",
      long: list(`raw-output compact-output colors no-colors prettyPrint no-doc exit-status null-input tojson output-format= input-format= indent=
        unwrapScalar=? yaml-output yml-output sort-keys arg= argjson= help version`),
      harmful: "-i --in-place --inplace -s --split-exp --split-exp-file",
    },
    marker: "--",
    check: checkYq,
  },
  {
    names: "bat batcat",
    options: {
      flags: "pnAuPSf",
      valued: "lrHm",
      long: list(`plain number show-all style= color= paging= language= line-range= highlight-line= theme= wrap= tabs= decorations= file-name=
        diff diff-context= map-syntax= unbuffered list-themes list-languages terminal-width= no-config help version`),
      harmful: "--pager",
    },
    inject: ["--paging=never"],
    marker: "--",
    check: (call) => {
      if (call.operands[0]?.text === "cache") stop("known-write", "bat cache");
    },
  },
  {
    names: "xmllint",
    options: {
      long: "",
      single:
        "--format --xpath= --noout --recover --noblanks --html --nonet --version --c14n --schema= --valid --encode= --pretty= --huge",
      harmful: "--output -o --shell",
    },
    inject: ["--nonet"],
    check: (call) => {
      for (const { text } of call.shapes) if (text?.includes("://") === true) stop("network", `xmllint ${text}`);
    },
  },
  {
    names: "nm gnm",
    options: {
      flags: "aABCDfghlnopPrsSuvVX",
      valued: "tf",
      long: "debug-syms demangle=? dynamic extern-only defined-only line-numbers numeric-sort print-size size-sort undefined-only no-sort reverse-sort version help",
      harmful: "--plugin",
    },
    check: checkResponseFile,
  },
  {
    names: "objdump",
    options: {
      flags: "afphxdDSsgGrRtTCwzlF",
      valued: "bmMjP",
      long: "archive-headers file-headers private-headers section-headers headers all-headers disassemble=? disassemble-all source full-contents syms dynamic-syms reloc dynamic-reloc demangle=? section= no-show-raw-insn start-address= stop-address= wide version help",
    },
    check: checkResponseFile,
  },
  {
    names: "c++filt cxxfilt llvm-cxxfilt",
    options: {
      flags: "_nptirRhv",
      valued: "s",
      long: list(`strip-underscore no-strip-underscore no-params no-verbose types format= recurse-limit no-recurse-limit
        recursion-limit no-recursion-limit help version`),
    },
    check: checkResponseFile,
  },
  {
    names: "diffstat",
    options: { flags: "bcCEhkKlmqRstTuV", valued: "fnNprw", harmful: "-o -e" },
    // It unpacks what is compressed by a program that it starts through a shell, standard input by way of a file.
    operand: /^[\w./+][\w./+-]*$/,
    sandboxed: true,
  },
  { names: "size", options: { flags: "ABdoxt", long: "format= radix= totals version help" }, check: checkResponseFile },
  {
    names: "tokei",
    options: { flags: "fh", valued: "tseo", long: "files type= sort= exclude= output= languages hidden version help" },
  },
  { names: "envsubst", options: { flags: "v", long: "variables version help" } },
];
