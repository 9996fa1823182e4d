import { describe, expect, it } from "vitest";
import { verdict } from "../../../../test/kit/shell-verdict.ts";

const HARMLESS = `LANG=C LC_ALL=C.UTF-8 LC_CTYPE=de_DE@euro LANGUAGE=de:en TZ=Europe/Berlin TZ=UTC+2 TZ= NO_COLOR=1 FORCE_COLOR=0
  CLICOLOR=1 CLICOLOR_FORCE=1 COLUMNS=200 LINES=50 CI=true DEBIAN_FRONTEND=noninteractive NODE_NO_WARNINGS=1
  GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_TERMINAL_PROMPT=false PAGER=cat GIT_PAGER= MANPAGER=cat BAT_PAGER=cat
  SYSTEMD_PAGER=`;

describe("a variable in front of a command", () => {
  it.each(HARMLESS.split(/\s+/))("[GA-05] chooses language, time zone or colours: %s", (assignment) => {
    expect(verdict(`${assignment} git log`)).toBe("read");
    expect(verdict(`env ${assignment} git log`)).toBe("read");
  });

  it.each([
    "GIT_OPTIONAL_LOCKS=1", // git status writes the index
    "GIT_TERMINAL_PROMPT=1",
    "PAGER=less",
    "GIT_PAGER='touch pwned'",
    "LC_ALL=/w/locale", // a path: old versions load it
    "LC_ALL=../../w",
    "LANG=a/b",
    "XLC_ALL=C",
    "MYLANG=C",
    "LANGX=C",
    "LC_=C",
    "TZ=../../w/zone",
    "TZ='$(x)'",
    "ATZ=UTC",
    "CI='a b'",
    "COLUMNS=$(cat a)",
    "PATH=.",
    "LD_PRELOAD=./x.so",
    "GIT_EXTERNAL_DIFF=./x",
    "GIT_DIR=x",
    "IFS=x",
    "HOME=.",
    "FOO=1",
  ])("[GA-05] may do nothing else: %s", (assignment) => {
    expect(verdict(`${assignment} git log`)).toMatch(/^environment: /);
  });

  it("[GA-05] is named with its value", () => {
    expect(verdict("GIT_OPTIONAL_LOCKS=1 git status")).toBe("environment: GIT_OPTIONAL_LOCKS=1");
    expect(verdict("LANG=$x ls")).toBe("environment: LANG=…");
  });

  it.each([
    ['while IFS= read -r line; do echo "$line"; done < a.txt', "read"],
    ['while IFS=: read -r user rest; do echo "$user"; done < /etc/passwd', "read"],
    ["IFS=: cat a.txt", "environment: IFS=:"],
    ["FOO=1 read -r line", "environment: FOO=1"],
  ])("[GA-05] separates fields for read alone: %s", (line, expected) => expect(verdict(line)).toBe(expected));
});

describe("a variable of the line itself", () => {
  it.each(["f=a.txt", "dir=src", "GITHUB=x", "COUNT=3", "name_1=x", "XDG=1", "UID_OF=1"])(
    "[GA-05] has any name of its own: %s",
    (assignment) => expect(verdict(`${assignment}; ls`)).toBe("read"),
  );

  it.each(
    `PATH HOME IFS ENV BASH_ENV SHELLOPTS PROMPT_COMMAND CDPATH GLOBIGNORE TMPDIR LD_PRELOAD DYLD_INSERT_LIBRARIES PS4 PS1 HISTFILE
    COMP_WORDS READLINE_LINE LC_ALL LANG TZ GIT_DIR GIT_CONFIG_COUNT XDG_CONFIG_HOME SSH_ASKPASS MANPAGER PAGER npm_config_cache
    NPM_TOKEN PIP_CONFIG_FILE PYTHONPATH SYSTEMD_PAGER MALLOC_PERTURB_ GCONV_PATH LOCPATH NLSPATH NODE_OPTIONS PERL5LIB RUBYOPT
    TERM EDITOR VISUAL LESSOPEN TAR_OPTIONS GREP_OPTIONS JAVA_TOOL_OPTIONS OPTIND RANDOM SECONDS LINENO _`.split(/\s+/),
  )("[GA-05] never is one that the shell or a program reads: %s", (name) => {
    expect(verdict(`${name}=x; ls`)).toBe(`shell-state: ${name}=`);
    expect(verdict(`for ${name} in a b; do ls; done`)).toBe(`shell-state: ${name}`);
    // What is read into `_` is gone before the next command.
    expect(verdict(`read ${name} < a.txt; ls`)).toBe(name === "_" ? "read" : `shell-state: read ${name}`);
  });
});
