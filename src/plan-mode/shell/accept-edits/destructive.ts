import type { EditPlace, Finding } from "./finding.ts";
import { findEmptying, type Touched } from "./emptying.ts";
import { gitDestroys } from "./git-destroys.ts";
import { destroysElsewhere } from "./remote-destroys.ts";
import type { Argument } from "./resolve.ts";
import { sqlDestroys } from "./sql.ts";
import { stringsIn } from "./unwrap.ts";
import type { Invocation } from "./unwrap.ts";

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

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

const REMOVERS =
  set(`rm rmdir unlink shred srm wipe scrub rimraf del-cli del erase trash trash-put trash-empty rmtrash wipefs blkdiscard mkfs mke2fs
  mkswap sfdisk userdel groupdel deluser delgroup dropdb dropuser lvremove vgremove pvremove bleachbit`);

/** Command → patterns over its arguments, joined by blanks, options and all. */
const PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  find: [/(?:^| )-delete(?: |$)/],
  zip: [/(?:^| )(?:-[a-zA-Z]*m[a-zA-Z]*|--move)(?: |$)/],
  tar: [/--remove-files|(?:^| )--delete(?: |$)/],
  "7z": [/(?:^| )-sdel\b|^d /],
  rar: [/^(?:m|mf|d) /],
  rsync: [/--del(?:ete)?\b|--delete-\w+|--remove-source-files/],
  robocopy: [/\/(?:mir|purge|move?)\b/i],
  crontab: [/(?:^| )-\w*r/],
  chmod: [/(?:^| )-\w*R\w* .*(?:^| )(?:\/|~|\/\*|\/home\/[^/ ]+)(?: |$)/],
  chown: [/(?:^| )-\w*R\w* .*(?:^| )(?:\/|~|\/\*|\/home\/[^/ ]+)(?: |$)/],
  kill: [/(?:^| )-1$/, / -- -1(?: |$)/],
  dd: [/(?:^| )of=\/dev\/(?!null|stdout|stderr|tty|fd\/)/],
};

const line = (args: readonly Argument[]): string => args.map((argument) => argument.text).join(" ");

const finding = (code: string, matched: string): Finding => ({ class: "destructive", code, matched });

const DATABASE_CLIENTS =
  set(`psql mysql mariadb sqlite3 sqlite mycli pgcli litecli usql duckdb cockroach clickhouse-client sqlcmd bq snowsql
  cqlsh sqlplus isql`);
const CONNECTIONS = set("nc ncat netcat telnet socat");

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

export const isRemover = (name: string): boolean => REMOVERS.has(name) || name.startsWith("mkfs.");

const bySql = ({ name, args, input }: Invocation): Finding | undefined => {
  const statement = DATABASE_CLIENTS.has(name) ? [line(args), input?.text ?? ""].find(sqlDestroys) : undefined;
  return statement === undefined ? undefined : finding("sql", `${name} ${statement}`);
};

/** memcached and redis take their orders as plain lines. */
const byConnection = ({ name, input }: Invocation): Finding | undefined => {
  const said = CONNECTIONS.has(name) ? (input?.text ?? "") : "";
  return /^\s*flush(?:_all|all|db)\b/im.test(said) ? finding(`${name}-destroys`, `${said} | ${name}`) : undefined;
};

export const findDestructive = (invocation: Invocation, place: EditPlace, touched: Touched): Finding | undefined => {
  const { name, args } = invocation;
  if (isRemover(name) && !asksForHelp(args)) return finding("removes", `${name} ${line(args)}`);
  if (name === "git") return byGit(invocation);
  return (
    bySql(invocation) ?? byConnection(invocation) ?? findEmptying(invocation, place, touched) ?? byTable(invocation)
  );
};

const DELETES_IN_CODE =
  /\b(?:unlink(?:Sync)?|rm(?:Sync)?|rmdir(?:Sync)?|rmtree|removedirs|remove_tree|rm_rf?|rm_f|deleteSync|emptyDirSync|removeSync|File\.delete|FileUtils\.(?:rm|remove)\w*|os\.remove|Deno\.remove(?:Sync)?|Dir\.(?:rmdir|delete|unlink))\s*\(|\bunlink\s+["'$@<]|\b(?:File\.delete|FileUtils\.rm\w*|rmtree)\s+["']/;
/** Emptying in code: a file cut to nothing, written with nothing, or opened for writing and closed again. */
const EMPTIES_IN_CODE =
  /\b(?:f?truncateSync|os\.f?truncate|fs\.f?truncate|File\.truncate|ftruncate)\s*\(|\.truncate\(\s*0?\s*\)|\bwriteFile(?:Sync)?\([^,()]+,\s*(?:''|""|``)\s*[,)]|\bwrite_(?:text|bytes)\(\s*b?(?:''|"")\s*\)|\bopen\([^()]*,\s*(?:mode=)?['"]w[bt+]*['"]\s*\)\.close\(|\bfile_put_contents\([^,()]+,\s*(?:''|"")\s*\)|\bFile\.write\([^,()]+,\s*(?:''|"")\s*\)|\b(?:Remove-Item|Clear-Content|Format-Volume|Clear-RecycleBin)\b/;
const RUNS_IN_CODE =
  /\b(?:system|exec\w*|spawn\w*|popen\d?|check_output|check_call|subprocess|child_process|Bun\.\$|Deno\.Command|run|call|shell_exec|passthru|do shell script)\b|`|%x|\bqx\b/;

/** Inline code of an interpreter: deletions by its library, and the strings it hands to a shell. */
export const codeDestroys = (code: string): Finding | undefined => {
  const deletion = DELETES_IN_CODE.exec(code) ?? EMPTIES_IN_CODE.exec(code);
  if (deletion !== null) return finding("code-removes", deletion[0]);
  const remover = RUNS_IN_CODE.test(code) ? stringsIn(code).find((text) => isRemover(text.trim())) : undefined;
  return remover === undefined ? undefined : finding("code-removes", remover);
};

export const scriptsInCode = (code: string): readonly string[] => (RUNS_IN_CODE.test(code) ? stringsIn(code) : []);
