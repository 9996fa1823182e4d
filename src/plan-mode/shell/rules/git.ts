/**
 * git: the readers among its commands. Drivers that a repository configures are switched off in every call. Every verb
 * names its options, and none has `--help`: the manual is shown by a program that the repository may choose.
 */
import { text } from "../command-tree.ts";
import { stop } from "../verdict.ts";
import {
  blameOptions,
  diffOptions,
  logOptions,
  plumbingOptions,
  REF_LIST_LONG,
  revisionOptions,
  revParseOptions,
} from "./git-options.ts";
import { isHarmlessSetting } from "./git-settings.ts";
import { printsLog, printsMergeBase, printsRevList, printsRevParse } from "./prints.ts";
import { has, leads, list } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

const NO_DRIVERS = ["--no-ext-diff", "--no-textconv"];
/** A repository's `.gitmodules` overrides the setting `diff.ignoreSubmodules`; only the option overrides both. */
const NO_SUBMODULES = ["--ignore-submodules=all"];

const CHECKS_SIGNATURE = /%[-+ ]?G|%\(\*?signature|^-?(?:v(?:ersion)?:)?\*?signature|%\(trailers.*command/;

/** `%G…`, `%(signature)` and an order by it run gpg, and not every git command lets `gpg.program` name another. */
const checkFormat = (call: Call): void => {
  for (const option of call.options) {
    if (!["--format", "--pretty", "--sort", "--group"].includes(option.name) || option.value === undefined) continue;
    const format = option.value.text;
    if (format === undefined || CHECKS_SIGNATURE.test(format))
      stop("harmful-option", `${call.name} ${option.name}=${format ?? "…"}`);
  }
};

/** Other values start git inside a submodule, where none of our settings reach, or write objects for a remerge. */
const VALUES: Readonly<Record<string, RegExp>> = {
  "--submodule": /^(?:short|log)$/,
  "--ignore-submodules": /^all$/,
  "--diff-merges": /^(?:off|none|on|m|first-parent|1|separate|combined|c|dense-combined|cc)$/,
};

const checkValues = (call: Call): void => {
  for (const { name, value } of call.options) {
    const wanted = value === undefined ? undefined : VALUES[name];
    if (wanted?.test(value?.text ?? "") === false) stop("harmful-option", `${call.name} ${name}=${value?.text ?? "…"}`);
  }
};

/** Any other word is a name that the repository's `pretty.<name>` explains, and git takes the beginning of one as well. */
const PRETTY = /%|^t?format:|^(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw)$/;

const checkPretty = (call: Call): void => {
  checkFormat(call);
  for (const { name, value } of call.options)
    if ((name === "--format" || name === "--pretty") && value?.text !== undefined && !PRETTY.test(value.text))
      stop("harmful-option", `${call.name} ${name}=${value.text}`, "Write the format out: --format='%h %s'.");
};

const checkHistory = (call: Call): void => {
  checkPretty(call);
  checkValues(call);
};

/** An operand is a pattern only where git is told to list; otherwise it is the name of something to create. */
const listsOnly = (call: Call): void => {
  checkFormat(call);
  const listing = has(call, "-l -n --list --contains --no-contains --with --without --merged --no-merged --points-at");
  if (call.operands.length > 0 && !listing)
    stop("known-write", `${call.name} ${call.operands[0]?.text ?? "…"}`, "Add --list to list.");
};

const GETTERS = "--get --get-all --get-regexp --get-urlmatch -l --list";

/** `git config name` reads, `git config name value` writes. */
const checkConfig = (call: Call): void => {
  const first = call.operands[0]?.text;
  if (leads(call, GETTERS) || first === "get" || first === "list") return;
  // Behind the name git reads no option: what looks like one would be the value.
  const isAlone = call.operands.length === 1 && call.options.length === call.leading;
  const name = isAlone && first?.includes(".") === true;
  if (!name) stop("known-write", `git config ${first ?? ""}`, "Use git config --get or --list.");
};

/** Of several operands the first ones are revisions. */
const onlyFile = (call: Call): void => {
  if (call.needsMarker === true && (call.beforeDashes !== undefined || call.operands.length > 1))
    stop("dynamic-word", call.name, "Put -- in front of the file.");
};

/** What git reads behind it is a revision or a path, never an option. */
const REVISIONS = "--end-of-options";

const verb = (names: string, rest: Omit<Rule, "names">): Rule => ({ names, ...rest });

const HISTORY: readonly Rule[] = [
  verb("log", { options: logOptions, inject: NO_DRIVERS, check: checkHistory, prints: printsLog, marker: REVISIONS }),
  verb("whatchanged", { options: logOptions, inject: NO_DRIVERS, check: checkHistory, marker: REVISIONS }),
  verb("show", { options: logOptions, inject: NO_DRIVERS, check: checkHistory, marker: REVISIONS }),
  verb("reflog", {
    options: logOptions,
    check: (call) => {
      checkHistory(call);
      const first = call.operands[0]?.text;
      if (call.operands.length > 0 && (first === undefined || ["expire", "delete", "drop", "write"].includes(first)))
        stop("known-write", `git reflog ${first ?? "…"}`);
    },
    // Spelled out, because the drivers can only be switched off behind `show`.
    rewrite: (call) => {
      const words = call.shapes.map((shape) => shape.word);
      const first = call.shapes[0]?.text ?? "";
      if (first === "exists" || first === "list") return words;
      return ["show", ...NO_DRIVERS].map(text).concat(first === "show" ? words.slice(1) : words);
    },
  }),
  verb("diff", {
    options: diffOptions,
    inject: [...NO_DRIVERS, ...NO_SUBMODULES],
    check: checkValues,
    marker: REVISIONS,
  }),
  // It runs git log inside, whose drivers no option of its own switches off.
  verb("range-diff", {
    options: {
      ...diffOptions,
      long: `${diffOptions.long ?? ""} creation-factor= no-dual-color left-only right-only no-notes notes=? diff-merges=`,
    },
    inject: NO_DRIVERS,
    check: checkValues,
    marker: REVISIONS,
    sandboxed: true,
  }),
  verb("diff-tree diff-index diff-files", {
    marker: REVISIONS,
    options: plumbingOptions,
    inject: [...NO_DRIVERS, ...NO_SUBMODULES],
    check: checkHistory,
  }),
  verb("rev-list", { options: revisionOptions, check: checkPretty, prints: printsRevList, marker: REVISIONS }),
  verb("shortlog", {
    options: {
      ...revisionOptions,
      flags: "nsecEFPi",
      optional: "w",
      valued: "",
      long: `${revisionOptions.long ?? ""} numbered summary email committer group=`,
    },
    check: checkPretty,
  }),
  // Behind the marker for revisions it would still read options; behind this one there is only the file.
  verb("blame annotate", { options: blameOptions, inject: ["--no-textconv"], marker: "--", check: onlyFile }),
  verb("cherry", { options: { flags: "v", long: "abbrev=?" } }),
  verb("merge-base", {
    options: { flags: "a", long: "all octopus independent is-ancestor fork-point" },
    prints: printsMergeBase,
    marker: REVISIONS,
  }),
  verb("describe", {
    options: {
      long: "all tags contains abbrev=? candidates= exact-match debug long match= exclude= always first-parent",
      harmful: "--dirty --broken",
    },
  }),
  verb("name-rev", { options: { long: "tags refs= exclude= all name-only no-undefined always" } }),
  verb("show-branch", {
    options: {
      flags: "ar",
      optional: "g",
      long: "remotes all current topo-order date-order sparse more= list merge-base independent no-name sha1-name topics color=? no-color reflog=?",
    },
  }),
];

const TREES: readonly Rule[] = [
  verb("status", {
    check: checkValues,
    inject: NO_SUBMODULES,
    options: {
      flags: "sbzM",
      optional: "u",
      long: "short branch show-stash porcelain=? long untracked-files=? ignore-submodules=? ignored=? null column=? no-column ahead-behind no-ahead-behind renames no-renames find-renames=?",
    },
  }),
  verb("ls-files", {
    options: {
      flags: "cdoismukzvtf",
      valued: "xX",
      long: list(`cached deleted others ignored stage unmerged killed modified directory no-empty-directory empty-directory eol sparse deduplicate
        exclude= exclude-from= exclude-per-directory= exclude-standard error-unmatch with-tree= full-name abbrev=?
        debug format= resolve-undo`),
    },
    marker: "--",
  }),
  verb("ls-tree", {
    options: { flags: "drtlz", long: "long name-only name-status object-only full-name full-tree abbrev=? format=" },
    marker: REVISIONS,
  }),
  verb("grep", {
    options: {
      flags: "aIiwvhHEGFPnlLzocrpqW",
      valued: "eABCfm",
      numeric: true,
      long: list(`cached untracked no-index no-exclude-standard exclude-standard text ignore-case word-regexp invert-match full-name
        extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match
        null only-matching count color=? no-color break heading show-function context= after-context= before-context=
        function-context max-count= threads= and or not all-match quiet max-depth= recursive no-recursive no-textconv`),
      harmful: "-O --open-files-in-pager --textconv --ext-grep --recurse-submodules",
    },
    inject: ["--no-textconv"],
  }),
  verb("cat-file", {
    options: {
      flags: "tsep",
      long: "batch=? batch-check=? batch-all-objects buffer unordered follow-symlinks allow-unknown-type use-mailmap mailmap",
      harmful: "--textconv --filters --batch-command",
    },
    marker: REVISIONS,
  }),
  verb("rev-parse", { options: revParseOptions, prints: printsRevParse }),
  verb("check-ignore", {
    options: { flags: "qvzn", long: "quiet verbose stdin non-matching no-index" },
    marker: "--",
  }),
  verb("hash-object", {
    options: { valued: "t", long: "stdin stdin-paths no-filters literally", harmful: "-w --path" },
    marker: "--",
  }),
  verb("apply", {
    options: {
      flags: "Rvqz",
      valued: "pC",
      long: list(`stat numstat summary check reverse verbose quiet directory= include= exclude= ignore-space-change ignore-whitespace
        whitespace= recount unidiff-zero inaccurate-eof no-add`),
      harmful: "--apply --index --cached --3way -3 --reject --build-fake-ancestor --intent-to-add -N",
    },
    requires: "--stat --numstat --summary --check",
    marker: "--",
  }),
  verb("archive", {
    options: { flags: "l", long: "list", harmful: "-o --output" },
    requires: "-l --list",
    operandsMax: 0,
  }),
  verb("check-attr", { options: { flags: "az", long: "all cached stdin source=" } }),
  verb("check-ref-format", { options: { long: "branch allow-onelevel normalize refspec-pattern" } }),
  verb("fsck", {
    options: {
      flags: "v",
      long: list(`full no-full strict unreachable dangling no-dangling connectivity-only name-objects verbose progress no-progress root
        tags cache no-reflogs references`),
      harmful: "--lost-found",
    },
  }),
  verb("lfs", {
    options: {},
    operandsEndOptions: true,
    sandboxed: true,
    subcommands: [
      verb("ls-files status env version", {
        options: { flags: "lsand", long: "long size all name-only debug json porcelain deleted include= exclude=" },
      }),
    ],
    check: (call) => {
      if (call.shapes.length === 0) stop("unknown-command", call.name);
    },
  }),
  verb("count-objects", { options: { flags: "vH", long: "verbose human-readable" } }),
  verb("verify-pack", { options: { flags: "vs", long: "verbose stat-only" } }),
];

const REFS: readonly Rule[] = [
  verb("branch", {
    options: {
      flags: "arvqil",
      long: `${REF_LIST_LONG} all remotes verbose quiet show-current abbrev=? no-abbrev`,
      harmful:
        "-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream --edit-description --track --create-reflog",
    },
    check: listsOnly,
  }),
  verb("tag", {
    options: {
      flags: "li",
      optional: "n",
      long: REF_LIST_LONG,
      harmful: "-d -a -s -u -f -m -F -v -e --delete --annotate --sign --force --message --file --verify --edit",
    },
    check: listsOnly,
  }),
  verb("for-each-ref", {
    options: {
      flags: "sp",
      long: `${REF_LIST_LONG} count= shell perl python tcl stdin exclude= include-root-refs start-after=`,
    },
    check: checkFormat,
  }),
  verb("show-ref", {
    options: {
      flags: "dqsh",
      long: "head heads branches tags dereference hash=? verify exists abbrev=? quiet exclude-existing=?",
    },
  }),
  verb("symbolic-ref", {
    options: { flags: "q", long: "short quiet recurse no-recurse", harmful: "-d --delete -m" },
    operandsMax: 1,
  }),
  verb("remote", {
    options: { flags: "v", long: "verbose" },
    operandsEndOptions: true,
    subcommands: [
      verb("get-url", { options: { long: "push all" } }),
      verb("show", { options: { flags: "n" }, requires: "-n" }),
    ],
  }),
  verb("stash", {
    options: {},
    operandsEndOptions: true,
    subcommands: [
      verb("list", { options: logOptions, inject: NO_DRIVERS, check: checkHistory }),
      verb("show", {
        options: {
          ...diffOptions,
          long: `${diffOptions.long ?? ""} include-untracked only-untracked no-include-untracked`,
        },
        inject: NO_DRIVERS,
        check: checkValues,
      }),
    ],
    check: (call) => {
      if (call.shapes.length === 0) stop("known-write", "git stash");
    },
  }),
  verb("worktree", {
    options: {},
    operandsEndOptions: true,
    subcommands: [verb("list", { options: { flags: "vz", long: "porcelain verbose" } })],
  }),
  verb("notes", {
    options: { long: "ref=" },
    operandsEndOptions: true,
    subcommands: [
      verb("list get-ref", { options: {} }),
      // Starts `git show` on whatever the note is: on a commit it runs the drivers, and takes no option against them.
      verb("show", {
        options: { long: "ref=" },
        check: (call) => stop("runs-programs", call.name, "Use git log -1 --format=%N, with --notes=<ref>."),
      }),
    ],
  }),
  verb("bisect", {
    options: {},
    operandsEndOptions: true,
    subcommands: [verb("log terms", { options: { long: "term-good term-bad term-old term-new" } })],
  }),
  verb("submodule", {
    options: { flags: "q", long: "quiet" },
    operandsEndOptions: true,
    subcommands: [verb("status", { options: { long: "cached", harmful: "--recursive" } })],
  }),
  verb("sparse-checkout", { options: {}, operandsEndOptions: true, subcommands: [verb("list", { options: {} })] }),
  verb("bundle", { options: {}, operandsEndOptions: true, subcommands: [verb("list-heads verify", { options: {} })] }),
];

const SETTINGS: readonly Rule[] = [
  verb("config", {
    options: {
      flags: "lz",
      valued: "f",
      long: list(`get get-all get-regexp get-urlmatch list global local system worktree file= blob= name-only null show-origin show-scope
        show-names type= bool int bool-or-int path expiry-date no-type includes no-includes default= all regexp value= fixed-value url=`),
      harmful: "-e --edit --add --unset --unset-all --replace-all --remove-section --rename-section",
    },
    check: checkConfig,
  }),
  verb("var", { options: { flags: "l" } }),
  verb("version", { options: { long: "build-options" } }),
  verb("stripspace", { options: { flags: "sc", long: "strip-comments comment-lines" } }),
  verb("column", { options: { long: "mode= width= indent= padding= nl=" } }),
];

export const GIT: readonly Rule[] = [
  {
    names: "git",
    options: {
      flags: "Pv",
      valued: "Cc",
      long: "no-pager no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-replace-objects no-lazy-fetch version build-options html-path man-path info-path exec-path",
      harmful: "-p --paginate --git-dir --work-tree --config-env --exec-path --namespace --super-prefix",
    },
    operandsEndOptions: true,
    check: (call) => {
      for (const { name, value } of call.options)
        if (name === "-c" && !isHarmlessSetting(value?.text ?? "")) stop("harmful-option", "git -c");
    },
    subcommands: [...HISTORY, ...TREES, ...REFS, ...SETTINGS],
  },
];
