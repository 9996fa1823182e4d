import type { Finding } from "./finding.ts";
import type { Argument } from "./resolve.ts";
import { sqlDestroys } from "./sql.ts";
import { stringsIn } from "./unwrap.ts";
import type { Invocation } from "./unwrap.ts";

/** Removal and erasure, by command. Each table is data; a row names what makes the command destructive. */

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

const REMOVERS =
  set(`rm rmdir unlink shred srm wipe scrub rimraf del-cli del erase trash-put wipefs blkdiscard mkfs mke2fs mkswap sfdisk
  userdel groupdel deluser delgroup dropdb dropuser`);

/** Command → patterns over its arguments, joined by blanks, options and all. */
const PATTERNS: Readonly<Record<string, readonly RegExp[]>> = {
  find: [/(?:^| )-delete(?: |$)/],
  zip: [/(?:^| )(?:-[a-zA-Z]*m[a-zA-Z]*|--move)(?: |$)/],
  tar: [/--remove-files/],
  rsync: [/--del(?:ete)?\b|--delete-\w+|--remove-source-files/],
  dd: [/(?:^| )of=\/dev\/(?!null|stdout|stderr)/],
  truncate: [/(?:^| )(?:-s ?0|--size[= ]0)(?: |$)/],
  crontab: [/(?:^| )-r/],
  "redis-cli": [/\bflush(?:all|db)\b/i],
  mysqladmin: [/\bdrop\b/i],
  docker: [
    /^(?:system|volume|image|container|network|builder) (?:prune|rm)\b/,
    /^(?:rm|rmi)\b/,
    /compose .*\bdown\b.* (?:-v|--volumes)\b/,
  ],
  podman: [/^(?:system|volume|image|container|network) (?:prune|rm)\b/, /^(?:rm|rmi)\b/],
  "docker-compose": [/\bdown\b.* (?:-v|--volumes)\b/, /\brm\b/],
  kubectl: [/^(?:-\S+ )*delete\b/, /^(?:-\S+ )*drain\b/],
  helm: [/^(?:uninstall|delete|del)\b/],
  terraform: [/\bdestroy\b/],
  tofu: [/\bdestroy\b/],
  aws: [/\bs3 (?:rm|rb)\b/, /\bs3 sync\b.*--delete/, / (?:delete|terminate|purge)-/],
  gsutil: [/(?:^| )(?:rm|rb)\b/],
  gcloud: [/\bdelete\b/],
  az: [/\bdelete\b/],
  gh: [/^\S+ delete\b/],
  npm: [/^unpublish\b/],
  heroku: [/pg:reset|apps:destroy|addons:destroy/],
  fly: [/\bdestroy\b/],
  flyctl: [/\bdestroy\b/],
  gio: [/^(?:trash|remove)\b/],
  diskutil: [/erase|partitionDisk|zeroDisk|secureErase/i],
  zfs: [/^destroy\b/],
  zpool: [/^destroy\b/],
  lvremove: [/^/],
  vgremove: [/^/],
  btrfs: [/subvolume delete/],
  chmod: [/(?:^| )-\w*R\w* .*(?:^| )(?:\/|~|\/\*|\/home\/[^/ ]+)(?: |$)/],
  chown: [/(?:^| )-\w*R\w* .*(?:^| )(?:\/|~|\/\*|\/home\/[^/ ]+)(?: |$)/],
  mv: [/ \/dev\/null$/],
  kill: [/(?:^| )-1$/, / -- -1(?: |$)/],
  mongosh: [/\.drop(?:Database)?\(|\.(?:delete|remove)(?:Many|One)?\(/],
  mongo: [/\.drop(?:Database)?\(|\.(?:delete|remove)(?:Many|One)?\(/],
  rails: [/db:(?:drop|reset|purge)/],
  rake: [/db:(?:drop|reset|purge)/],
  prisma: [/migrate reset|db push .*--force-reset/],
};

/** git, by subcommand, over the arguments behind it. */
const GIT: Readonly<Record<string, RegExp>> = {
  clean: /^(?!.*(?:^| )(?:-\w*n\w*|--dry-run)(?: |$)).*(?:^| )(?:-\w*f\w*|--force)(?: |$)/,
  reset: /--hard|--merge\b/,
  push: /(?:^| )(?:-\w*f\w*|--force\b|--force-with-lease\b|--force-if-includes\b|--delete|-\w*d\w*|--mirror|--prune)|(?:^| )\+\S|(?:^| ):\S/,
  checkout: /(?:^| )(?:-f|--force)(?: |$)|(?:^| )-- |(?:^| )\.(?: |$)/,
  switch: /(?:^| )(?:-f|--force|--discard-changes)(?: |$)/,
  restore: /^(?!.*--staged(?!.*(?:--worktree|-W)))(?!.*(?:^| )-S(?: |$))/,
  stash: /^(?:clear|drop)\b/,
  branch: /(?:^| )(?:-\w*D\w*|-\w*d\w*|--delete)(?: |$)/,
  tag: /(?:^| )(?:-\w*d\w*|--delete)(?: |$)/,
  rm: /^(?!.*--cached)/,
  reflog: /^(?:expire|delete)\b/,
  gc: /--prune=(?:now|all)/,
  prune: /^/,
  worktree: /^(?:remove|prune)\b/,
  "filter-branch": /^/,
  "filter-repo": /^/,
  "update-ref": /(?:^| )-d(?: |$)/,
};

const GIT_VALUED = set("-C -c --git-dir --work-tree --namespace");

const gitParts = (args: readonly Argument[]): { readonly verb: string; readonly rest: string } => {
  let index = 0;
  while (args[index]?.text.startsWith("-") === true) index += GIT_VALUED.has(args[index]?.text ?? "") ? 2 : 1;
  return { verb: args[index]?.text ?? "", rest: line(args.slice(index + 1)) };
};

const line = (args: readonly Argument[]): string => args.map((argument) => argument.text).join(" ");

const finding = (code: string, matched: string): Finding => ({ class: "destructive", code, matched });

const DATABASE_CLIENTS =
  set(`psql mysql mariadb sqlite3 sqlite mycli pgcli litecli usql duckdb cockroach clickhouse-client sqlcmd bq snowsql
  cqlsh sqlplus isql`);

const byTable = ({ name, args }: Invocation): Finding | undefined => {
  const given = line(args);
  const patterns = Object.hasOwn(PATTERNS, name) ? PATTERNS[name] : undefined;
  return patterns?.some((pattern) => pattern.test(given)) === true
    ? finding(`${name}-destroys`, `${name} ${given}`)
    : undefined;
};

const byGit = ({ args }: Invocation): Finding | undefined => {
  const { verb, rest } = gitParts(args);
  const pattern = Object.hasOwn(GIT, verb) ? GIT[verb] : undefined;
  return pattern?.test(rest) === true ? finding(`git-${verb}`, `git ${verb} ${rest}`) : undefined;
};

const asksForHelp = (args: readonly Argument[]): boolean =>
  args.length === 1 && /^--(?:help|version)$/.test(args[0]?.text ?? "");

export const isRemover = (name: string): boolean => REMOVERS.has(name) || name.startsWith("mkfs.");

export const findDestructive = (invocation: Invocation): Finding | undefined => {
  const { name, args, input } = invocation;
  if (isRemover(name) && !asksForHelp(args)) return finding("removes", `${name} ${line(args)}`);
  if (name === "git") return byGit(invocation);
  if (DATABASE_CLIENTS.has(name)) {
    const statement = [line(args), input?.text ?? ""].find(sqlDestroys);
    if (statement !== undefined) return finding("sql", `${name} ${statement}`);
  }
  return byTable(invocation);
};

const DELETES_IN_CODE =
  /\b(?:unlink(?:Sync)?|rm(?:Sync)?|rmdir(?:Sync)?|rmtree|removedirs|remove_tree|rm_rf?|rm_f|deleteSync|emptyDirSync|removeSync|File\.delete|FileUtils\.(?:rm|remove)\w*|os\.remove|Deno\.remove(?:Sync)?|Dir\.(?:rmdir|delete|unlink))\s*\(|\bunlink\s+["'$@<]|\b(?:File\.delete|FileUtils\.rm\w*|rmtree)\s+["']/;
const RUNS_IN_CODE =
  /\b(?:system|exec\w*|spawn\w*|popen\d?|check_output|check_call|subprocess|child_process|Bun\.\$|Deno\.Command|run|call|shell_exec|passthru|do shell script)\b|`|%x|\bqx\b/;

/** Inline code of an interpreter: deletions by its library, and the strings it hands to a shell. */
export const codeDestroys = (code: string): Finding | undefined => {
  const deletion = DELETES_IN_CODE.exec(code);
  if (deletion !== null) return finding("code-removes", deletion[0]);
  const remover = RUNS_IN_CODE.test(code) ? stringsIn(code).find((text) => isRemover(text.trim())) : undefined;
  return remover === undefined ? undefined : finding("code-removes", remover);
};

export const scriptsInCode = (code: string): readonly string[] => (RUNS_IN_CODE.test(code) ? stringsIn(code) : []);
