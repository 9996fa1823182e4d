import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changes, createFixture, missingPrograms, runAllowed, setUp, snapshot } from "./shell-fixture.ts";

type Hostile = { readonly id: string; readonly name: string; readonly setup: string; readonly cmd: string };

const cases = readFileSync(new URL("shell/hardening.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Hostile);

const missing = missingPrograms();
if (missing !== undefined) process.stdout.write(`shell hardening: skipped, ${missing}\n`);

describe.skipIf(missing !== undefined)("a hostile repository or environment", () => {
  it("[GA-06] bites without the gate, so that the cases below prove something", () => {
    const fixture = createFixture();
    try {
      setUp(fixture, "git config diff.external /w/evil.sh; git diff");
      expect(existsSync(`${fixture.folder}/pwned`)).toBe(true);
    } finally {
      fixture.remove();
    }
  });

  it.each(cases)("[GA-06] stays inert: $name", ({ setup, cmd }) => {
    const fixture = createFixture();
    try {
      setUp(fixture, setup);
      const before = snapshot(fixture.folder);
      runAllowed(fixture, cmd);
      expect(changes(before, snapshot(fixture.folder))).toEqual([]);
    } finally {
      fixture.remove();
    }
  });

  it("[GA-06] looks for filters where the shell goes, not where a link leads", () => {
    const fixture = createFixture();
    try {
      setUp(fixture, "mkdir -p /tmp/far/x /tmp/far/nest; ln -s /tmp/far/x link; git clone -q . nest");
      setUp(
        fixture,
        "cd nest; echo '* filter=x' > .git/info/attributes; git config filter.x.clean /w/evil.sh; echo b > a.txt",
      );
      const before = snapshot(fixture.folder);
      const { ran } = runAllowed(fixture, "cd link/../nest && git diff");
      expect({ ran, changed: changes(before, snapshot(fixture.folder)) }).toEqual({ ran: true, changed: [] });
    } finally {
      fixture.remove();
    }
  });

  /** The manual of a git command is shown by a program that the repository chooses. */
  const MANUAL = "git config man.viewer evil; git config man.evil.cmd /w/evil.sh; git config help.format man";

  it("[GA-06] a repository's own viewer of manuals bites without the gate", () => {
    const fixture = createFixture();
    try {
      setUp(fixture, `${MANUAL}; git rev-parse --help`);
      expect(existsSync(`${fixture.folder}/pwned`)).toBe(true);
    } finally {
      fixture.remove();
    }
  });

  it.each([
    "git rev-parse --help",
    "git rev-parse --'help'",
    "x=--help; git rev-parse $x",
    "git rev-parse $(cat list.txt)",
    "git rev-parse *",
    "git rev-parse -*",
    "git log --help",
    "git --help rev-parse",
    "git -h rev-parse",
    "git --version --help",
    "git version --help",
    "git help rev-parse",
    "printf -- --help | xargs git rev-parse",
    "find . -maxdepth 1 -name '--help' -exec git rev-parse {} +",
  ])("[GA-06] opens no manual with a program that the repository names: %s", (command) => {
    const fixture = createFixture();
    try {
      setUp(fixture, `${MANUAL}; rm -r -- [a-z]*.txt src sub; printf x > ./--help; printf -- --help > list.txt`);
      runAllowed(fixture, command);
      expect(existsSync(`${fixture.folder}/pwned`)).toBe(false);
    } finally {
      fixture.remove();
    }
  });

  const VIEW = `sqlite3 v.db "create view v as select edit('', 'touch /w/pwned')"`;
  const LOG = `sqlite3 l.db "pragma journal_mode=wal; create table t(x)"`;

  it.each([
    { program: "sqlite3", setup: VIEW, command: "sqlite3 -readonly v.db 'select * from v'" },
    { program: "sqlite3", setup: LOG, command: "sqlite3 -readonly l.db 'select * from t'" },
    { program: "npm", setup: "printf 'timing=true\nlogs-dir=/w/src' > .npmrc", command: "npm ls" },
    {
      program: "pip",
      setup: "mkdir -p ~/.pip; printf '[global]\npython=/w/evil.sh' > ~/.pip/pip.conf",
      command: "pip list",
    },
    { program: "curl", setup: "echo 'stderr = /w/pwned' > ~/.curlrc", command: "curl --version" },
    { program: "rsync", setup: "echo 'rsync exec --version /w/evil.sh' > ~/.popt", command: "rsync --version" },
    { program: "gdb", setup: "echo 'shell touch /w/pwned' > ~/.gdbearlyinit", command: "gdb --version" },
    { program: "mysql", setup: "printf '[mysql]\ntee=/w/pwned' > ~/.my.cnf", command: "mysql --version" },
    { program: "colordiff", setup: "echo 'diff_cmd=/w/evil.sh' > ~/.colordiffrc", command: "colordiff a.txt b.txt" },
    {
      program: "git",
      setup: "for k in normal event perf; do git config --global trace2.${k}Target /w/pwned; done",
      command: "git log",
    },
    {
      program: "docker",
      setup: "mkdir -p ~/.docker/cli-plugins; cp evil.sh ~/.docker/cli-plugins/docker-evil",
      command: "docker --help",
    },
  ])("[GA-06] no program does what its own files ask for: $command", ({ program, setup, command }) => {
    const fixture = createFixture();
    try {
      setUp(fixture, setup);
      const before = snapshot(fixture.folder);
      const { ran } = runAllowed(fixture, command);
      expect({ program, ran, changed: changes(before, snapshot(fixture.folder)) }).toEqual({
        program,
        ran: true,
        changed: [],
      });
    } finally {
      fixture.remove();
    }
  });

  it("[GA-06] shows history in git's own format: one that the repository sets would check signatures", () => {
    const fixture = createFixture();
    try {
      setUp(fixture, "git config format.pretty %G?");
      const lines = ["git log -1", "git show -s"].map((command) => runAllowed(fixture, command));
      expect(lines).toEqual(lines.map(() => expect.objectContaining({ stdout: expect.stringMatching(/^commit /) })));
    } finally {
      fixture.remove();
    }
  });

  it.each(["top -b -n 1", "npm ls"])("[GA-06] leaves nothing in the person's home: %s", (command) => {
    const fixture = createFixture();
    try {
      const { ran } = runAllowed(fixture, command);
      expect({ ran, left: [...snapshot(fixture.home).keys()] }).toEqual({ ran: true, left: [] });
    } finally {
      fixture.remove();
    }
  });
});
