/**
 * What "destructive" means here (AE-02): something that was there is gone afterwards, nothing takes its place, and the
 * plan's own tools do not bring it back. So these are destructive:
 *
 * - removal of files and folders, by whatever program (`rm`, `find -delete`, `rsync --delete`, `zip -m`, `shred`);
 * - emptying a file that exists (`: > f`, `cp /dev/null f`, `truncate -s 0 f`), and writing to a disk past its file system;
 * - taking from git what no commit holds, or the refs and logs by which a commit is found (`checkout -- .`, `branch -D`);
 * - removal of what lives elsewhere: containers, clusters, clouds, databases, backups.
 *
 * These are edits and pass: other content for a file (`sed -i`, `> f` with content, `cp`, `mv` and `ln -sf` over another
 * file, `patch`), new files, dependencies removed through a package manager, build folders cleaned by a build tool, and
 * whatever git can undo by itself (commit, merge, rebase, a mixed reset, stash and pop).
 */
import { namesIn } from "../finding.ts";
import type { EditPlace, Finding } from "../finding.ts";
import { findEmptying, type Touched } from "./emptying.ts";
import { gitDestroys } from "./git-destroys.ts";
import { destroysElsewhere, ordersDestroy } from "./remote-destroys.ts";
import type { Argument } from "../resolve.ts";
import { sqlDestroys } from "./sql.ts";
import type { Invocation } from "../invocation.ts";
import { findStrictlyDestructive } from "./strictly-destructive.ts";

const REMOVERS =
  namesIn(`rm rmdir unlink shred srm wipe scrub rimraf del-cli del erase trash trash-put trash-empty rmtrash wipefs blkdiscard mkfs mke2fs
  mkswap sfdisk userdel groupdel deluser delgroup dropdb dropuser lvremove vgremove pvremove bleachbit trash-cli empty-trash-cli
  tmpreaper tmpwatch`);

/** The whole machine, or a whole home. */
const EVERYTHING_BELOW = /(?:^| )-\w*R\w* (?:.* )?(?:\/|~|\/\*|\/home\/[^/ ]+)(?: |$)/;

/** Command → patterns over its arguments, joined by blanks, options and all. */
const PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  find: [/(?:^| )-delete(?: |$)/],
  zip: [/(?:^| )(?:-[a-zA-Z0-9]*m[a-zA-Z0-9]*|--move)(?: |$)/],
  tar: [/--remove-files|(?:^| )--delete(?: |$)|--recursive-unlink/],
  svn: [/^(?:revert|rm|remove|del|delete)\b/, /^cleanup\b.*--remove-/],
  hg: [/^(?:revert|purge|strip|rm|remove)\b/, /^(?:up|update|co|checkout)\b.* (?:-C|--clean)\b/],
  fdupes: [/(?:^| )-\w*d/],
  jdupes: [/(?:^| )-\w*d/],
  rdfind: [/-deleteduplicates true/],
  "7z": [/(?:^| )-sdel\b|^d /],
  rar: [/^(?:m|mf|d) /],
  rsync: [/--del(?:ete)?\b|--remove-source-files/],
  robocopy: [/\/(?:mir|purge|move?)\b/i],
  crontab: [/(?:^| )-\w*r/],
  chmod: [EVERYTHING_BELOW],
  chown: [EVERYTHING_BELOW],
  kill: [/(?:^| )-1$/],
  dd: [/(?:^| )of=\/dev\/(?!null|stdout|stderr|tty|fd\/)/],
};

const line = (args: readonly Argument[]): string => args.map((argument) => argument.text).join(" ");

const finding = (code: string, matched: string): Finding => ({ class: "destructive", code, matched });

export const DATABASE_CLIENTS =
  namesIn(`psql mysql mariadb sqlite3 sqlite mycli pgcli litecli usql duckdb cockroach clickhouse-client sqlcmd bq snowsql
  cqlsh sqlplus isql`);

const byTable = ({ name, args }: Invocation): Finding | undefined => {
  const given = line(args);
  const patterns = Object.hasOwn(PATTERNS, name) ? PATTERNS[name] : undefined;
  return patterns?.some((pattern) => pattern.test(given)) === true || destroysElsewhere(name, args)
    ? finding(`${name}-destroys`, `${name} ${given}`)
    : undefined;
};

const byGit = ({ args }: Invocation): Finding | undefined => {
  const found = gitDestroys(args);
  return found === undefined ? undefined : finding(`git-${found.verb}`, `git ${found.verb} ${found.line}`);
};

const asksForHelp = (args: readonly Argument[]): boolean =>
  args.length === 1 && /^--(?:help|version)$/.test(args[0]?.text ?? "");

/** PowerShell's own; some of its `Remove-` only forget what the session holds. */
const CMDLETS =
  /^(?:remove-(?!(?:module|variable|job|event|alias|pssession|psdrive|psbreakpoint|typedata)$)\w+|clear-(?:content|item|recyclebin|disk)|format-volume)$/i;

export const isRemover = (name: string): boolean =>
  REMOVERS.has(name) || name.startsWith("mkfs.") || CMDLETS.test(name);

const bySql = ({ name, args, input }: Invocation): Finding | undefined => {
  const statement = DATABASE_CLIENTS.has(name) ? [line(args), input?.text ?? ""].find(sqlDestroys) : undefined;
  return statement === undefined ? undefined : finding("sql", `${name} ${statement}`);
};

const byOrders = ({ name, args, input }: Invocation): Finding | undefined => {
  const said = input?.text ?? "";
  return ordersDestroy(name, args, said) ? finding(`${name}-destroys`, `${name} ${line(args)} ${said}`) : undefined;
};

export const findDestructive = (invocation: Invocation, place: EditPlace, touched: Touched): Finding | undefined => {
  const { name, args } = invocation;
  if (isRemover(name) && !asksForHelp(args)) return finding("removes", `${name} ${line(args)}`);
  if (name === "git") return byGit(invocation);
  return (
    bySql(invocation) ??
    byOrders(invocation) ??
    findEmptying(invocation, place, touched) ??
    byTable(invocation) ??
    findStrictlyDestructive(invocation, place)
  );
};
