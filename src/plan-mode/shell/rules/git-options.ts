import { list } from "./rule.ts";
import type { OptionTable } from "./rule.ts";

/** The option families of git's readers, composed by `git.ts`. Long names are exact: git itself takes abbreviations. */

const DIFF_FLAGS = "pusRabwzrtcm0W";
const DIFF_LONG =
  list(`patch no-patch unified=? raw patch-with-raw patch-with-stat indent-heuristic no-indent-heuristic minimal patience
  histogram anchored= diff-algorithm= stat=? numstat shortstat dirstat=? cumulative dirstat-by-file=? summary name-only name-status
  submodule=? color=? no-color color-moved=? no-color-moved color-moved-ws= word-diff=? word-diff-regex= color-words=? no-renames
  rename-empty no-rename-empty check ws-error-highlight= full-index binary abbrev=? no-abbrev break-rewrites=? find-renames=? find-copies=?
  find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex relative=? no-relative text ignore-cr-at-eol
  ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context=
  function-context exit-code quiet no-ext-diff no-textconv ignore-submodules=? src-prefix= dst-prefix= no-prefix default-prefix
  line-prefix= ita-invisible-in-index ita-visible-in-index stat-width= stat-name-width= stat-count= stat-graph-width= compact-summary
  cc combined-all-paths merge-base cached staged no-index base ours theirs root null find-object= rotate-to= skip-to= max-depth=
  output-indicator-new= output-indicator-old= output-indicator-context=`);
const DIFF_HARMFUL = "--output --ext-diff --textconv -O";

const REVISION_LONG =
  list(`max-count= skip= since= since-as-filter= after= until= before= author= committer= grep-reflog= grep= all-match
  invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents=
  max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches=? tags=? remotes=? glob=
  exclude= exclude-hidden= reflog single-worktree ignore-missing bisect stdin cherry-mark cherry-pick left-only
  right-only cherry walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse simplify-merges
  ancestry-path=? date-order author-date-order topo-order reverse no-walk=? do-walk date= relative-date parents children left-right
  graph no-graph show-linear-break=? count use-mailmap mailmap no-use-mailmap encoding= expand-tabs=? no-expand-tabs notes=? no-notes
  show-notes=? standard-notes no-standard-notes pretty=? format= abbrev-commit no-abbrev-commit oneline log-size decorate=? no-decorate
  decorate-refs= decorate-refs-exclude= clear-decorations source follow full-diff diff-merges= no-diff-merges
  dd in-commit-order objects objects-edge unpacked timestamp header disk-usage=? filter= missing= quiet`);

export const diffOptions: OptionTable = {
  flags: `${DIFF_FLAGS}1q23`,
  valued: "SGIl",
  optional: "BMCDXU",
  long: DIFF_LONG,
  harmful: DIFF_HARMFUL,
};

export const logOptions: OptionTable = {
  flags: `${DIFF_FLAGS}igEFPqh`,
  valued: "nSGIlL",
  optional: "BMCDXU",
  numeric: true,
  long: `${DIFF_LONG} ${REVISION_LONG}`,
  harmful: `${DIFF_HARMFUL} --show-signature --alternate-refs --exec`,
};

export const plumbingOptions: OptionTable = { ...logOptions, long: `${logOptions.long ?? ""} no-commit-id always` };

export const revisionOptions: OptionTable = { flags: "iEFPq", valued: "n", numeric: true, long: REVISION_LONG };

export const blameOptions: OptionTable = {
  flags: "bltfnspewc",
  valued: "LS",
  optional: "MC",
  long: list(`root show-stats line-porcelain porcelain incremental show-name show-number show-email reverse first-parent date= encoding=
    contents= abbrev=? ignore-rev= ignore-revs-file= color-lines color-by-age minimal no-textconv progress no-progress since= diff-algorithm=`),
  harmful: "--output --textconv",
};

/** Options that filter and format lists of refs, as in `branch`, `tag` and `for-each-ref`. */
export const REF_LIST_LONG =
  list(`list contains=? no-contains=? with=? without=? merged=? no-merged=? points-at= sort= format= color=? no-color
  column=? no-column ignore-case omit-empty`);

/** Whatever else begins with a dash `rev-parse` would print or, as with `--help`, hand to somebody else. */
export const revParseOptions: OptionTable = {
  flags: "q",
  long: list(`abbrev-ref=? absolute-git-dir after= all before= bisect branches=? default= disambiguate= end-of-options exclude=
    exclude-hidden= flags git-common-dir git-dir git-path= glob= is-bare-repository is-inside-git-dir is-inside-work-tree
    is-shallow-repository local-env-vars max-age= min-age= no-flags no-revs not path-format= prefix= quiet remotes=? resolve-git-dir=
    revs-only shared-index-path short=? show-cdup show-object-format=? show-prefix show-ref-format
    show-superproject-working-tree show-toplevel since= sq sq-quote symbolic symbolic-full-name tags=? until= verify`),
};
