import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";

/**
 * The printed forms of sed and awk scripts on every version that this machine has. POSIX ends a label with a newline and
 * nothing else, and the BSDs follow it: what is printed must mean the same to them.
 */

const present = (all: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  all.filter(([program = "", ...args]) => {
    const found = spawnSync(program, [...args, "--version"], { stdio: "ignore", input: "" }).error === undefined;
    if (!found) process.stdout.write(`shell dialects: ${[program, ...args].join(" ")} is not installed\n`);
    return found;
  });

const SEDS = present([["sed"], ["gsed"], ["bsdsed"], ["minised"], ["busybox", "sed"], ["toybox", "sed"]]);
const AWKS = present([["awk"], ["gawk"], ["mawk"], ["original-awk"], ["busybox", "awk"]]);

const INPUT = "alpha x\nbeta y\ngamma z\n";

const SED_LINES = [
  ["sed ':a;N;$!ba;s/\\n/,/g' in", "alpha x,beta y,gamma z\n"],
  ["sed -n '/beta/{p;b};$p' in", "beta y\ngamma z\n"],
  ["sed 's/x/1/;t;s/$/!/' in", "alpha 1\nbeta y!\ngamma z!\n"],
  ["sed -e ':x;s/a/A/;tx' -e 's/A/a/' in", "alphA x\nbeta y\ngammA z\n"],
  ['for i in 2; do sed -n "${i}p" in; done', "beta y\n"],
] as const;

const AWK_LINES = [
  ["awk '{ print $1 }' in", "alpha\nbeta\ngamma\n"],
  ["awk '/beta/,/gamma/ { n++ } END { print n / 2 }' in", "1\n"],
  ["awk -F' ' -v k=2 'NR == k { print $k }' in", "y\n"],
  ['awk \'{ a[$2] = $1 } END { print length(a["x"]) > "/dev/stderr" }\' in', ""],
] as const;

/** What each line prints, by whichever program; more than one answer where they differ. */
const printedBy = (lines: readonly (readonly [string, string])[], programs: typeof SEDS, name: string) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-dialects-")));
  writeFileSync(join(folder, "in"), INPUT);
  const printed = lines.map(([line]) => {
    const verdict = judgeShell(line, { cwd: folder, home: folder });
    if (!verdict.allowed) throw new Error(`${line}: ${verdict.code}`);
    const outputs = programs.map((program) => {
      const canonical = verdict.canonical.replace(new RegExp(`(?<=^|do )${name}(?= )`), program.join(" "));
      return spawnSync("bash", ["--noprofile", "--norc", "-c", canonical], { cwd: folder, encoding: "utf8" }).stdout;
    });
    return [line, ...new Set(outputs)];
  });
  const files = readdirSync(folder);
  rmSync(folder, { recursive: true });
  return { printed, files };
};

describe("the printed form of a script", () => {
  it.skipIf(SEDS.length === 0)("[GA-05] means the same to every sed, and writes nothing", () => {
    expect(printedBy(SED_LINES, SEDS, "sed")).toEqual({ printed: SED_LINES, files: ["in"] });
  });

  it.skipIf(AWKS.length === 0)("[GA-05] means the same to every awk, and writes nothing", () => {
    expect(printedBy(AWK_LINES, AWKS, "awk")).toEqual({ printed: AWK_LINES, files: ["in"] });
  });

  it("[GA-05] ends each label as POSIX does", () => {
    for (const [line] of SED_LINES.slice(0, 4)) {
      const { canonical = "" } = judgeShell(line, { cwd: "/w", home: "/home/u" });
      expect(canonical).not.toMatch(/(?:^|[\s;{!$'])[:bt] ?\w*[;}]/m);
    }
  });
});
