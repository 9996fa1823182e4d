/**
 * Languages and build tools that answer without loading files of the project: version queries, and lists of packages.
 * What chooses or runs code of the project first stands in `project-tools.ts`.
 */
import { checkSqlite, rewriteSqlite } from "../scripts/sqlite.ts";
import { literalShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { stop } from "../verdict.ts";
import { couldNameHost, has, leads, needsVerb } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

const TWO_DASHES = `bash zsh dash fish node nodejs ruby perl lua gcc g++ cc c++
  clang clang++ cpp ld as make gmake cmake ctest ninja meson podman psql mysql mongod redis-server wget tmux screen vim
  nvim emacs code gh hyperfine fzf delta less rsync gdb lldb strace man zip ffmpeg convert magick
  pandoc ruff black mypy nginx git-lfs hadolint protoc swift ghc stack julia nasm valgrind watch parallel rclone npx docker
  ldd`;

/** Other spellings of the version query, and the tools that understand them. */
const SHORT: Readonly<Record<string, ReadonlySet<string>>> = {
  "-v": new Set("node nodejs ruby perl npm npx gcc g++ cc clang docker nginx make gmake".split(" ")),
  "-V": new Set("ssh tmux curl wget psql mysql rsync".split(" ")),
  "-version": new Set(["java", "javac"]),
};
const ONLY_VERSION = /^--(?:version|help)$/;

/** Allows a tool with nothing but its version query: `ldd` with a file would run it. */
const versionOnly = (call: Call): void => {
  const only = call.shapes.length === 1 ? (call.shapes[0]?.text ?? "") : "";
  const short = Object.hasOwn(SHORT, only) && SHORT[only]?.has(call.name) === true;
  if (!short && !ONLY_VERSION.test(only))
    stop("runs-programs", `${call.name} ${only}`, "Only its --version and --help are reads.");
};

const QUERIES_OF_NPM = {
  long: "all depth= json long parseable global omit= include= link package-lock-only prod production dev silent",
  flags: "gls",
} as const;

const x509Options =
  "-in= -noout -text -subject -issuer -dates -startdate -enddate -serial -fingerprint -sha256 -sha1 -pubkey -ext= -inform= -email -purpose -checkend= -nameopt= -certopt=";

/** `-in org.openssl.engine:./evil.so:x` loads a library; a file has no scheme. */
const checkCertificate = (call: Call): void => {
  for (const { name, value } of call.options)
    if (name === "-in" && value !== undefined && couldNameHost(value)) stop("operand", `${call.name} ${value.prefix}`);
};

/** Without it the certificate or the key itself is written out, and a request made anew. */
const LOOKS_ONLY = "-noout";

const OPENSSL_LOOKS: readonly Rule[] = [
  ["req", "-in= -noout -text -subject -pubkey -verify -inform= -nameopt="],
  ["crl", "-in= -noout -text -issuer -lastupdate -nextupdate -crlnumber -fingerprint -inform= -nameopt="],
].map(([names = "", single = ""]) => ({
  names,
  options: { single, harmful: "-o -n -e -k -x" },
  operandsMax: 0,
  check: (call) => {
    if (!leads(call, LOOKS_ONLY)) stop("runs-programs", call.name);
    checkCertificate(call);
  },
}));

/** Many tools read their settings before they answer a version query, and settings can name files and programs. */
const versionRule = (names: string, quiet?: string): Rule => ({
  names,
  options: "any",
  withoutHome: true,
  inject: quiet === undefined ? [] : [quiet],
  // without an option to inject nothing is filtered: a computed word has no text either, and must stay
  check: (call) =>
    versionOnly(quiet === undefined ? call : { ...call, shapes: call.shapes.filter(({ text }) => text !== quiet) }),
});

/** `pip freeze` asks the version control of each project that is installed in place, whose settings may run programs. */
const freezeAsList = (shapes: readonly Shape[]): readonly Shape[] => {
  const at = shapes.findIndex(({ prefix }) => !prefix.startsWith("-"));
  if (shapes[at]?.text !== "freeze") return shapes;
  const rest = shapes.slice(at + 1).filter((shape) => shape.text !== "--all");
  return [...shapes.slice(0, at), ...["list", "--format=freeze"].map(literalShape), ...rest];
};

export const DEV_TOOLS: readonly Rule[] = [
  // Java leaves statistics of every run in /tmp unless it is told not to.
  versionRule("java", "-XX:-UsePerfData"),
  versionRule("javac", "-J-XX:-UsePerfData"),
  // It finds the home folder in the user database too.
  versionRule("curl", "-q"),
  versionRule(`${TWO_DASHES} ssh`),
  {
    names: "pip pip3",
    options: { flags: "V", long: "version" },
    operandsEndOptions: true,
    normalise: freezeAsList,
    subcommands: [
      {
        names: "list",
        options: { flags: "l", long: "format= user local not-required exclude= verbose disable-pip-version-check" },
      },
      { names: "show", options: { flags: "f", long: "files verbose disable-pip-version-check" } },
      { names: "check", options: {}, operandsMax: 0 },
      {
        names: "cache",
        options: {},
        operandsEndOptions: true,
        subcommands: [{ names: "dir info list", options: { long: "format=" } }],
      },
      {
        names: "config",
        options: {},
        operandsEndOptions: true,
        subcommands: [{ names: "list get", options: { flags: "v", long: "user global site verbose" } }],
      },
    ],
    check: (call) => {
      if (call.shapes.length === 0) stop("unknown-command", "pip");
    },
  },
  {
    names: "npm",
    options: { flags: "vlsgh", long: "version global help" },
    operandsEndOptions: true,
    subcommands: [
      { names: "ls list ll la", options: QUERIES_OF_NPM },
      { names: "explain why", options: { long: "json" } },
      { names: "query", options: { long: "global workspaces package-lock-only" } },
      { names: "bin", options: { flags: "g", long: "global" }, operandsMax: 0 },
      // Without a name it lists the scripts; with one it runs it.
      { names: "run run-script", options: { long: "json" }, operandsMax: 0 },
      { names: "root prefix", options: { flags: "g", long: "global" }, operandsMax: 0 },
      {
        names: "config c",
        options: {},
        operandsEndOptions: true,
        subcommands: [{ names: "get list ls", options: { flags: "l", long: "json global location=" } }],
      },
      {
        names: "pkg",
        options: {},
        operandsEndOptions: true,
        subcommands: [{ names: "get", options: { long: "json" } }],
      },
    ],
    check: (call) => {
      if (call.shapes.length === 0) stop("unknown-command", "npm");
      // In front of a verb it could show the manual of that verb, with the program that the project names.
      if (call.shapes.length > 1 && has(call, "-h --help")) stop("harmful-option", "npm --help");
    },
  },
  {
    names: "shellcheck",
    options: {
      flags: "axV",
      valued: "esfioSPCW",
      long: "check-sourced color=? include= exclude= extended-analysis= format= list-optional norc rcfile= enable= source-path= shell= severity= wiki-link-count= external-sources version help",
    },
  },
  {
    names: "openssl",
    options: {},
    operandsEndOptions: true,
    check: needsVerb,
    subcommands: [
      { names: "version", options: { single: "-a -v -d -b -p" } },
      { names: "dgst", options: { single: "-sha1 -sha256 -sha384 -sha512 -md5 -r -hex" } },
      { names: "sha1 sha256 sha384 sha512 md5", options: { single: "-r -hex" } },
      { names: "ciphers", options: { single: "-v -V -s -tls1_2 -tls1_3" }, literal: true },
      ...OPENSSL_LOOKS,
      { names: "x509", options: { single: x509Options, harmful: "-o" }, operandsMax: 0, check: checkCertificate },
    ],
  },
  {
    names: "sqlite3",
    options: {
      single:
        "-readonly -safe -header -noheader -csv -json -line -list -column -box -table -markdown -html -tabs -batch -bail -version --version -nullvalue= -separator= -init=",
      harmful: "-c -i",
    },
    requires: "-readonly -version --version",
    // Not only the query calls functions: what a view of the file calls runs as well, `edit('', 'any command')` for one.
    inject: ["-safe", "-init", "/dev/null"],
    rewrite: rewriteSqlite,
    check: (call) => {
      const start = call.options.filter((option) => option.name === "-init");
      if (start.some((option) => option.value?.text !== "/dev/null")) stop("harmful-option", "sqlite3 -init");
      if (!has(call, "-version --version") || call.operands.length > 0) checkSqlite(call);
    },
  },
];
