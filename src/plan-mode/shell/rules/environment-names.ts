/** Which variables a read-only line may set: for one command (exported), and for the rest of the line (not exported). */

const LOCALE = /^(?:LC_[A-Z]+|LANG|LANGUAGE)$/;
const LOCALE_VALUE = /^[\w.@:+-]*$/;
const TIME_ZONE = /^[\w.@:+/-]*$/;
const SWITCHES: ReadonlySet<string> = new Set(
  "NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES CI DEBIAN_FRONTEND NODE_NO_WARNINGS".split(" "),
);
const OFF = /^(?:0|false)$/;
const SWITCH_VALUE = /^[\w.-]*$/;
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  // Switched on, `git status` rewrites the index.
  ["GIT_OPTIONAL_LOCKS", OFF],
  ["GIT_TERMINAL_PROMPT", OFF],
  // How it shows; nothing that logs or runs.
  ["LESS", /^-?[FRSXiMNqQeE]*$/],
]);
const PAGERS: ReadonlySet<string> = new Set(["PAGER", "GIT_PAGER", "MANPAGER", "BAT_PAGER", "SYSTEMD_PAGER"]);

const isHarmless = (name: string, value: string, command: string): boolean => {
  if (LOCALE.test(name)) return LOCALE_VALUE.test(value);
  if (name === "TZ") return TIME_ZONE.test(value) && !value.includes("..");
  const wanted = VALUES.get(name);
  if (wanted !== undefined) return wanted.test(value);
  if (SWITCHES.has(name)) return SWITCH_VALUE.test(value);
  if (PAGERS.has(name)) return value === "cat" || value === "";
  // Before `cd` it would lead elsewhere than the line says.
  if (name === "HOME") return value === "/dev/null" && command === "env";
  return name === "IFS" && command === "read";
};

/** What is wrong with `NAME=value command`, if anything. */
export const environmentRefusal = (name: string, value: string | undefined, command: string): string | undefined =>
  value !== undefined && isHarmless(name, value, command) ? undefined : `${name}=${value ?? "…"}`;

// Variables that bash itself reads or evaluates, and those that the hardened environment exports.
const SHELL_NAMES: ReadonlySet<string> = new Set(
  `_ ENV IFS PATH HOME PWD OLDPWD CDPATH GLOBIGNORE SHELLOPTS EXECIGNORE FIGNORE FUNCNEST FUNCNAME INPUTRC LANG LANGUAGE
  MAIL MAILCHECK MAILPATH OPTARG OPTERR OPTIND POSIXLY_CORRECT PPID PROMPT_COMMAND PROMPT_DIRTRIM RANDOM SRANDOM REPLY SECONDS
  EPOCHSECONDS EPOCHREALTIME SHELL SHLVL TERM TERMCAP TERMINFO TIMEFORMAT TMOUT TMPDIR TMP TEMP UID EUID GROUPS HOSTNAME HOSTTYPE
  MACHTYPE OSTYPE LINENO DIRSTACK COPROC MAPFILE PIPESTATUS CHILD_MAX COLUMNS LINES FCEDIT EDITOR VISUAL PAGER IGNOREEOF TZ
  histchars auto_resume USER LOGNAME MANPATH NODE_OPTIONS PERL5LIB PERL5OPT RUBYOPT RUBYLIB PYTHONPATH JAVA_TOOL_OPTIONS GREP_OPTIONS
  LESSOPEN LESSCLOSE LESS GZIP TAR_OPTIONS GNUPGHOME`
    .trim()
    .split(/\s+/),
);
const SHELL_PREFIX =
  /^(?:BASH|COMP|HIST|READLINE|PS\d|LC_|LD_|DYLD_|GIT_|npm_|NPM_|PIP_|BLKID_|PYTHON|SYSTEMD|MALLOC|GCONV|LOCPATH|NLSPATH|XDG_|SSH_|MANPAGER|COREPACK_|YARN_|GO[A-Z]|CARGO_|COMPOSER_|DOTNET_|CHECKPOINT_|HOMEBREW_)/;

export const isAssignable = (name: string): boolean => !SHELL_NAMES.has(name) && !SHELL_PREFIX.test(name);
