/**
 * How an allowed command runs (GA-06): nothing inherited, nothing to page through, nothing a repository configured.
 * Pure builders; the executor starts the process.
 */

export type Setting = { readonly key: string; readonly value: string };

const PINNED_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const FALSE = "/bin/false";
/** Nothing can be made below it. */
const NOWHERE = "/dev/null";

const GIT_SETTINGS: readonly Setting[] = [
  { key: "core.fsmonitor", value: "false" },
  { key: "core.hooksPath", value: "/dev/null" },
  { key: "core.pager", value: "cat" },
  { key: "core.untrackedCache", value: "false" },
  { key: "core.editor", value: FALSE },
  { key: "core.askPass", value: FALSE },
  { key: "core.sshCommand", value: FALSE },
  { key: "core.alternateRefsCommand", value: FALSE },
  // Otherwise `git diff` rewrites the index and may run a hook.
  { key: "diff.autoRefreshIndex", value: "false" },
  { key: "diff.ignoreSubmodules", value: "all" },
  { key: "diff.submodule", value: "short" },
  { key: "status.submoduleSummary", value: "false" },
  { key: "submodule.recurse", value: "false" },
  { key: "log.showSignature", value: "false" },
  // A remerge writes objects and runs merge drivers.
  { key: "log.diffMerges", value: "separate" },
  // A format of the repository's own may check signatures.
  { key: "format.pretty", value: "medium" },
  { key: "gpg.program", value: FALSE },
  { key: "gpg.openpgp.program", value: FALSE },
  { key: "gpg.x509.program", value: FALSE },
  { key: "gpg.ssh.program", value: FALSE },
  { key: "safe.bareRepository", value: "explicit" },
  { key: "protocol.allow", value: "never" },
  { key: "credential.helper", value: "" },
  { key: "maintenance.auto", value: "false" },
  { key: "gc.auto", value: "0" },
  // The one reader that git is giving up: an alias of the repository takes its name over.
  { key: "alias.whatchanged", value: "log --raw --no-merges" },
];

/** Tools that a project could make fetch or start another version of themselves, or say what they did. */
const PROJECT_TOOLS: Readonly<Record<string, string>> = {
  npm_config_manage_package_manager_versions: "false",
  COREPACK_ENABLE_NETWORK: "0",
  COREPACK_ENABLE_PROJECT_SPEC: "0",
  YARN_IGNORE_PATH: "1",
  YARN_ENABLE_TELEMETRY: "0",
  GOTOOLCHAIN: "local",
  GOPROXY: "off",
  GOTELEMETRY: "off",
  GOFLAGS: "-mod=readonly",
  // It lists nothing without a cache; only a sandbox runs it, and there /tmp is its own.
  GOCACHE: "/tmp/go-build",
  CARGO_NET_OFFLINE: "true",
  COMPOSER_DISABLE_NETWORK: "1",
  COMPOSER_NO_INTERACTION: "1",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  CHECKPOINT_DISABLE: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
};

/** The whole environment of an allowed command; start the process with this and nothing else. */
export const hardenedEnvironment = (
  home: string,
  repository: readonly Setting[] = [],
): Readonly<Record<string, string>> => {
  const settings = [...GIT_SETTINGS, ...repository];
  const environment: Record<string, string> = {
    PATH: PINNED_PATH,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    SYSTEMD_COLORS: "0",
    EDITOR: FALSE,
    VISUAL: FALSE,
    GIT_EDITOR: FALSE,
    GIT_SEQUENCE_EDITOR: FALSE,
    GIT_ASKPASS: FALSE,
    SSH_ASKPASS: FALSE,
    GIT_SSH_COMMAND: FALSE,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // The settings of the home folder may name a file or a socket for these.
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
    // Should a signature be checked after all, gpg finds no place for keys, agents and locks.
    GNUPGHOME: NOWHERE,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    // pip runs the interpreter that its settings name, and writes the log that they name.
    PIP_CONFIG_FILE: NOWHERE,
    // findmnt keeps what it learns about disks here.
    BLKID_FILE: NOWHERE,
    npm_config_update_notifier: "false",
    npm_config_logs_max: "0",
    // Timings go there too, if the .npmrc of the project asks for them.
    npm_config_logs_dir: NOWHERE,
    npm_config_offline: "true",
    // Keeps top and npm from creating folders of their own when they start.
    XDG_CONFIG_HOME: NOWHERE,
    XDG_CACHE_HOME: NOWHERE,
    npm_config_cache: NOWHERE,
    ...PROJECT_TOOLS,
    GIT_CONFIG_COUNT: String(settings.length),
  };
  for (const [index, { key, value }] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
};

/** Ask this in every folder that `gitFolders` names, with the hardened environment, before running a git command there. */
export const GIT_FILTER_QUERY: readonly string[] = [
  "git",
  "config",
  "--null",
  "--name-only",
  "--includes",
  "--get-regexp",
  "^filter\\.",
];

const FILTERS_MAX = 64;
const FILTER = /^filter\.([\s\S]+)\.[a-z]+$/i;

/**
 * `filter.<name>.clean` and `.process` run on `git status` and `git diff`. Takes the answer to GIT_FILTER_QUERY and
 * returns settings that switch each filter off, or the reason why that cannot be done.
 */
export const neutraliseFilters = (
  answer: string,
): { readonly settings: readonly Setting[] } | { readonly refused: string } => {
  const names = new Set<string>();
  for (const key of answer.split("\0").filter((entry) => entry !== "")) {
    const name = FILTER.exec(key)?.[1];
    // Bytes that are no text have been replaced by now, so the real name cannot be given back to git.
    if (name === undefined || name.includes("\ufffd"))
      return { refused: `a filter setting that cannot be read: ${key}` };
    names.add(name);
  }
  if (names.size > FILTERS_MAX) return { refused: `more than ${FILTERS_MAX} filters` };
  const settings = [...names].flatMap((name) => [
    { key: `filter.${name}.clean`, value: "" },
    { key: `filter.${name}.smudge`, value: "" },
    { key: `filter.${name}.process`, value: "" },
    { key: `filter.${name}.required`, value: "false" },
  ]);
  return { settings };
};

/**
 * Reading an index that is split marks its other half as used, and no setting of git keeps it from that. Prints a line
 * where there is such a half; asked only where no sandbox keeps it as it is.
 */
export const SPLIT_INDEX_QUERY: readonly string[] = [
  "bash",
  "--noprofile",
  "--norc",
  "-c",
  'for half in "$(git rev-parse --git-dir)"/sharedindex.*; do [ ! -e "$half" ] || echo split; done',
];

/** No start-up files; the text is the canonical form and nothing else. */
export const shellArguments = (canonical: string): readonly string[] => [
  "bash",
  "--noprofile",
  "--norc",
  "-c",
  canonical,
];
